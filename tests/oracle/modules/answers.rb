#!/usr/bin/env ruby
# frozen_string_literal: true

# The catalogs of the cases of modules by the real Puppet, in one process; the cases of a module share one environment,
# as the nodes of a server do.
#
#   ruby tests/oracle/modules/answers.rb FOLDER FACTS [--puppet8|--openvox]
#
# Names of modules come on standard input, one a line; when one is done, its name is printed. FOLDER is what cases.rb has
# laid out, FACTS has `SYSTEM.json`. The answers are FOLDER/answers/{7,8}/MODULE.jsonl, a line for each case and system:
# `node`, `os`, `json` (the catalog's text, version and uuid pinned), `error`, `crash`. What was answered before is kept.

require_relative '../engine'

# The cases of one module.
class Answers
  def initialize(folder, mod, facts, known)
    @folder = folder
    @mod = mod
    @facts = facts
    @known = known
  end

  # What may be said because of an earlier case: a file that failed is not loaded again.
  STALE = /Could not find (?:declared )?class|Resource type not found|Unknown resource type|Unknown function/

  # Calls back with the line of each answer.
  def each
    cases = File.readlines(File.join(@folder, 'cases', "#{@mod}.jsonl")).map { |line| JSON.parse(line) }
    Oracle.with_settings(settings) do
      in_environment do |around|
        cases.each do |one|
          (one['systems'] & @facts.keys).each do |os|
            yield @known[[one['node'], os]] || "#{JSON.generate(answer(one, os, around))}\n"
          end
        end
      end
    end
  end

  # The lines of an earlier run by node and system.
  def self.known(file)
    return {} unless File.exist?(file)

    File.readlines(file).to_h { |line| [line[/\A.{,200}?"os":"[^"]*"/].scan(/"(?:node|os)":"([^"]*)"/).flatten, line] }
  end

  private

  def environments
    File.join(@folder, 'environments')
  end

  def settings
    { 'environmentpath' => environments, 'basemodulepath' => File.join(@folder, 'modules') }
  end

  # An environment that nobody has used.
  def in_environment
    Oracle.in_directory(environments, @mod) do |env|
      yield(environments: Puppet.lookup(:environments), current_environment: env, loaders: Puppet::Pops::Loaders.new(env))
    end
  end

  def answer(one, os, around)
    first = once(one, os, around)
    first['error']&.match?(STALE) ? in_environment { |fresh| once(one, os, fresh) } : first
  end

  # Puppet freezes the facts it is given, so they are parsed anew.
  def once(one, os, around)
    node = one['node']
    facts = JSON.parse(@facts[os]).merge(one['facts'])
    result = { 'node' => node, 'os' => os, 'json' => nil }
    Oracle.guarded({ 'timeout' => 60, 'settings' => settings }, result) do
      Puppet.override(around, 'modules') do
        catalog = Oracle.compile_as_server({ 'facts' => facts }, { 'name' => node }, around[:current_environment])
        result['json'] = JSON.generate(Oracle.pinned(catalog), max_nesting: 0)
      end
    end
    Oracle.own_error_once(result)
    result.delete('log')
    result['error'] &&= result['error']['message']
    result
  end
end

folder, facts, *options = ARGV
abort 'usage: answers.rb FOLDER FACTS [--puppet8|--openvox]' unless facts
folder = File.expand_path(folder)
version = Oracle.version_of(options)
finished = $stdout.dup
finished.sync = true
$stdout.reopen(File::NULL, 'w')
Oracle.boot(version)
Oracle.catalog_support
$LOAD_PATH.push(*Dir[File.join(folder, 'modules/*/lib')].sort)
facts = Dir[File.join(facts, '*.json')].sort.to_h { |path| [File.basename(path, '.json'), File.read(path)] }
out = File.join(folder, 'answers', version[:name])
FileUtils.mkdir_p(out)
$stdin.each_line(chomp: true) do |mod|
  file = File.join(out, "#{mod}.jsonl")
  known = Answers.known(file)
  File.open("#{file}.new", 'w') { |to| Answers.new(folder, mod, facts, known).each { |line| to.write(line) } }
  File.rename("#{file}.new", file)
  finished.puts(mod)
end
