#!/usr/bin/env ruby
# frozen_string_literal: true

# The catalogs of a fleet by the real Puppet, in one process and with one environment that is read
# once, as a server does; after a node that failed it is read anew, for a file that could not be
# loaded is forgotten in another way by the nodes behind it than it was met. One JSON line a node, in the order of names: `node`, `accepted`, `json`
# (the catalog's text, version and uuid pinned), `log`, `error`. The folder of the environment is
# called /scratch.
#
#   ruby tests/oracle/fleet.rb ENVIRONMENT FACTS OUT.jsonl [--puppet8|--openvox] [--nodes A,B] [--set KEY=VALUE] [--exported]
#
# FACTS is a folder with a JSON file for each node: its facts, or an object with `values` and `trusted`. --exported compiles the fleet twice: the second
# time, what is written, every node collects what the others have exported the first time. Without
# it there is no store, and Puppet warns of exported resources.

require_relative 'engine'
require 'optparse'

# Compiles nodes of one environment, one after the other.
class Fleet
  # The name of an environment has no hyphen; a folder may have one.
  NAME = 'production'

  def initialize(folder, above, settings)
    @folder = folder
    @above = above
    @settings = settings.merge('environmentpath' => above)
    @exported = nil
  end

  # Facts alone, or beside extensions of the node's certificate.
  def self.known(given)
    return { 'facts' => given } unless given['values'].is_a?(Hash)

    { 'facts' => given['values'], 'trusted' => given.dig('trusted', 'extensions') || {} }
  end

  # Calls back with each node's answer; Puppet freezes the facts it is given, so they are parsed anew.
  def each(nodes)
    waiting = nodes.to_a
    Oracle.with_settings(@settings) do
      until waiting.empty?
        Oracle.in_directory(@above, NAME) do |env|
          around = { environments: Puppet.lookup(:environments), current_environment: env, loaders: Puppet::Pops::Loaders.new(env) }
          accepted = true
          while accepted && (name, facts = waiting.shift)
            result = answer(name, facts, env, around)
            accepted = result['accepted']
            yield result
          end
        end
      end
    end
  end

  # What each of the nodes exports, for the others to collect from now on.
  def collect_from(nodes)
    found = []
    @exported = []
    Puppet::Parser::Compiler.prepend(Exporting.new(found))
    each(nodes) { nil }
    @exported = found.uniq { |resource| resource.values_at('certname', 'type', 'title') }
  end

  private

  def answer(name, facts, env, around)
    result = { 'node' => name, 'accepted' => false, 'json' => nil }
    Oracle.guarded({ 'timeout' => 120, 'settings' => @settings }, result) do
      Oracle.with_exports(@exported) do
        Puppet.override(around, 'fleet') do
          catalog = Oracle.compile_as_server(Fleet.known(JSON.parse(facts)), { 'name' => name }, env)
          result['json'] = JSON.generate(Oracle.pinned(catalog), max_nesting: 0)
          result['accepted'] = true
        end
      end
    end
    result['log'].reject! { |entry| entry['message'].start_with?('Compiled catalog for ') }
    Oracle.own_error_once(result)
    Oracle.hide_all(result, File.join(@above, NAME), [@folder, '/scratch'])
  end

  # Writes down what a node exports itself, as `with_exports` wants it.
  class Exporting < Module
    def initialize(found)
      super()
      define_method(:compile) do |*arguments, &block|
        super(*arguments, &block).tap do
          own = resources.select { |resource| resource.exported? && resource.collector_id.nil? }
          found.concat(own.map { |resource| Exporting.written(node.name, resource) })
        end
      end
    end

    def self.written(certname, resource)
      parameters = resource.to_hash.transform_keys(&:to_s)
      { 'certname' => certname, 'type' => resource.type, 'title' => resource.title, 'tags' => resource.tags.to_a, 'parameters' => parameters }
    end
  end
end

settings = {}
version = Oracle.version_of(ARGV)
exported = only = nil
parser = OptionParser.new do |options|
  options.banner = 'usage: fleet.rb ENVIRONMENT FACTS OUT.jsonl [OPTIONS]'
  options.on('--exported') { exported = true }
  options.on('--nodes A,B', Array) { |names| only = names }
  options.on('--set KEY=VALUE') { |text| settings.store(*text.split('=', 2)) }
end
folder, facts, out = parser.parse(ARGV)
abort parser.banner unless out
[folder, facts].each { |path| abort "fleet: no such folder: #{path}" unless File.directory?(path) }

nodes = Dir[File.join(facts, '*.json')].sort.to_h { |path| [File.basename(path, '.json'), File.read(path)] }
nodes = nodes.slice(*only) if only
abort 'fleet: no facts of such nodes' if nodes.empty?

Oracle.boot(version)
Oracle.catalog_support
start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
Dir.mktmpdir('fleet') do |above|
  File.symlink(File.expand_path(folder), File.join(above, Fleet::NAME))
  fleet = Fleet.new(File.expand_path(folder), above, settings)
  fleet.collect_from(nodes) if exported
  count = Hash.new(0)
  File.open(out, 'w') do |file|
    fleet.each(nodes) do |answer|
      file.puts(JSON.generate(answer))
      count[answer['accepted'] ? 'compiled' : 'failed'] += 1
      count['warned'] += 1 if answer['log'].any? { |entry| entry['level'] == 'warning' }
    end
  end
  seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
  puts "Puppet #{Puppet.version}: #{nodes.size} nodes, #{count['compiled']} compiled, #{count['failed']} failed, " \
       "#{count['warned']} with warnings; #{format('%.1f', seconds)} s of CPU"
end
