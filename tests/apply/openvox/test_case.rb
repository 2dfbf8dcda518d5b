# frozen_string_literal: true

require 'base64'
require 'digest'
require 'set'
require 'timeout'
require 'yaml'
require_relative 'accounts'

# Stands in for the machine that a test is run on.
class Host
  include Accounts

  # `debian-12-amd64`; its `variant` is the system's name.
  class Platform < String
    def variant = split('-').first
  end

  attr_accessor :machine

  def initialize(role)
    @role = role
    @count = 0
    @facts = { 'platform' => platform, 'roles' => [role], 'privatebindir' => '/opt/puppetlabs/bin',
               'locale' => 'en', 'pathseparator' => ':' }
  end

  def platform = Platform.new('debian-12-amd64')
  def name = 'web01.example.org'
  def hostname = name
  def to_s = name
  alias to_str to_s
  def has_key?(key) = @facts.key?(key.to_s)
  def [](key) = @facts[key.to_s]
  def path = Machine::PATH
  def puppet = { 'user' => 'root', 'group' => 'root', 'environmentpath' => '/etc/puppetlabs/code/environments' }

  def tmpfile(name = '')
    path = fresh(name)
    @machine.write(path, '')
    path
  end

  def tmpdir(name = '')
    path = fresh(name)
    @machine.run("mkdir -p #{path}")
    path
  end

  def touch(path, is_qualified = true) = "#{'/usr/bin/' if is_qualified}touch #{path}"
  def rm_rf(path) = @machine.run("rm -rf #{path}")

  private

  def fresh(name) = "/tmp/#{name}.#{@role}#{@count += 1}"
end

# Assertions of Test::Unit, as far as the tests use them.
module Assertions
  # A test that did not find what it expects.
  class Failure < StandardError; end

  def assert(condition, message = 'not true')
    raise Failure, message unless condition
  end

  def assert_equal(expected, found, message = nil)
    assert(expected == found, "#{message}: #{found.inspect} is not #{expected.inspect}")
  end

  def assert_match(pattern, text, message = nil)
    pattern = Regexp.new(Regexp.escape(pattern)) if pattern.is_a?(String)
    assert(text =~ pattern, "#{message}: #{pattern.inspect} is not in #{text.inspect}")
  end

  def refute_match(pattern, text, message = nil)
    assert(text !~ pattern, "#{message}: #{pattern.inspect} is in #{text.inspect}")
  end
  alias assert_no_match refute_match

  def fail_test(message = 'the test says that it failed') = raise(Failure, message)
end

# The name by which tests know the assertions.
module Beaker
  module DSL
    Assertions = ::Assertions
  end

  class Host < ::Host; end
end

# The log of a test.
module Log
  def self.warn(*) = nil
end

# A file of OpenVox's acceptance tests, run in an object that has what the tests call.
class TestCase
  include Assertions

  # A test that is not for this system.
  class Skip < StandardError; end

  # A command line, as `on` takes it.
  Command = Struct.new(:line) do
    def to_s = line
  end

  attr_reader :agents, :master

  def initialize(file, show: false)
    @path = file
    @show = show
    @agents = [Host.new('agent')]
    # The server is a role of the one machine.
    @master = Host.new('master')
    @teardowns = []
    # How Puppet came to the machine: by its own package.
    @options = { type: 'aio' }
  end

  # Runs what follows on this machine.
  def use(machine) = [*agents, master].each { |host| host.machine = machine }

  # The parts that are run, each on a machine of its own: the whole file is one.
  def examples = [nil]

  # Returns how it ended, and the cause unless it passed.
  def run(_example = nil)
    catch_outcome { instance_eval(File.read(@path, encoding: 'UTF-8'), @path, 1) } || ended || [:passed, nil]
  end

  def inspect = "test #{File.basename(@path)}"
  def ruby_command(_host) = 'ruby'
  def hosts = [*agents, master]
  def logger = Log

  def test_name(_name)
    yield if block_given?
  end

  def tag(*) = nil
  def agent = agents.first
  def pending_test(reason = 'pending') = skip_test(reason)
  def skip_test(reason) = raise(Skip, reason)
  def teardown(&block) = @teardowns << block

  def step(name)
    puts "  #{name}" if @show
    yield if block_given?
  end

  def confine(kind, criteria, hosts = nil)
    return agents.replace(hosts) if kind == :to && criteria.empty? && !hosts.empty?

    matches = agents.select do |host|
      criteria.all? { |key, wanted| Array(wanted).any? { |want| want === host[key] || host[key].include?(want.to_s) } }
    end
    matches = hosts & matches if hosts
    skip_test("confine #{kind} #{criteria.values.map(&:inspect).join(', ')}") if matches.empty? == (kind == :to)
  end

  def confine_block(kind, criteria)
    confine(kind, criteria)
    yield
  rescue Skip
    nil
  end

  def retry_on(host, command, options = {})
    tries = options.fetch(:max_retries, 10)
    until host.machine.run(command.to_s).exit_code.zero?
      raise Failure, "`#{command}` never succeeded" if (tries -= 1).negative?

      sleep options.fetch(:retry_interval, 1)
    end
  end

  def on(host, command, options = {})
    host = host.first if host.is_a?(Array)
    result = host.machine.run(command.to_s, stdin: options[:stdin].to_s, environment: options[:environment] || {})
    puts "    $ #{command}", result.output.gsub(/^/, '    | '), "    exit #{result.exit_code}" if @show
    accepted = Array(options[:acceptable_exit_codes] || [0]).flat_map { |code| code.is_a?(Range) ? code.to_a : [code] }
    unless options[:accept_all_exit_codes] || accepted.include?(result.exit_code)
      raise Failure, "`#{command.to_s[0, 80]}` ended with #{result.exit_code}: #{result.output}"
    end

    yield result if block_given?
    result
  end

  def create_remote_file(host, path, text) = host.machine.write(path, text)
  def puppet(*words) = Command.new("puppet #{words.flatten.join(' ')}")
  def puppet_apply(*words) = puppet('apply', *words)
  def facter(*words) = Command.new("facter #{words.join(' ')}")

  def puppet_resource(*words)
    # The harness puts what follows the title into quotes where it is none yet.
    Command.new("puppet resource #{words.flatten.map { |word| quoted(word.to_s) }.join(' ')}")
  end

  def apply_manifest_on(host, manifest, options = {}, &block)
    host = host.first if host.is_a?(Array)
    path = host.tmpfile('apply_manifest.pp')
    create_remote_file(host, path, manifest)
    words = [options[:debug] ? '--debug' : '--verbose']
    words << '--trace' if options[:trace]
    words << '--noop' if options[:noop]
    words << '--show_diff' if options[:show_diff]
    words << "--modulepath #{options[:modulepath]}" if options[:modulepath]
    codes = codes_of(options)
    words << '--detailed-exitcodes' if codes
    accepted = Array(options[:acceptable_exit_codes]) | (codes || [0])
    options = { acceptable_exit_codes: accepted, environment: options[:environment] }
    on(host, puppet_apply(*words, path), options, &block)
  end

  # There is no server: the catalog is compiled on the machine itself, from the environments that the server is told of.
  def with_puppet_running_on(host, settings, _folder = nil)
    settings.fetch('main', {}).each { |name, value| on(host, puppet('config', 'set', name, value)) }
    yield
  end

  private

  def catch_outcome
    yield
    nil
  rescue Skip => e
    [:skipped, e.message]
  rescue Failure, Timeout::Error, StandardError, NotImplementedError, SyntaxError => e
    [:failed, "#{e.message.lines.first(6).join.strip} (#{place(e)})"]
  end

  def place(error)
    line = error.backtrace.to_a.find { |entry| entry.start_with?(@path) }
    line ? "line #{line[/:(\d+)/, 1]}" : error.class.name
  end

  # What is left to be done at the end, the last first.
  def ended
    @teardowns.reverse.filter_map { |block| catch_outcome(&block) }.first
  end

  def codes_of(options)
    case
    when options[:catch_changes] then [0]
    when options[:catch_failures] then [0, 2]
    when options[:expect_failures] then [1, 4, 6]
    when options[:expect_changes] then [2]
    end
  end

  def quoted(word)
    name, value = word.split('=', 2)
    return word if value.nil? || value.start_with?("'", '"') || !value.match?(%r{[^\w/.,:+-]})

    %(#{name}="#{value}")
  end
end
