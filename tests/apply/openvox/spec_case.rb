# frozen_string_literal: true

require_relative 'test_case'

# What examples are made of: stands in for RSpec, as far as the acceptance tests of modules use it.
class ExampleGroup
  Example = Struct.new(:name, :group, :block)

  attr_reader :lets, :befores, :afters, :parent

  def initialize(test, parent = nil)
    @test = test
    @parent = parent
    @lets = {}
    @befores = []
    @afters = []
    @examples = []
  end

  # Takes in what stands in the block of a context.
  def take(arguments = [], &block)
    instance_exec(*arguments, &block)
    self
  end

  def examples = @examples
  def groups = parent ? [*parent.groups, self] : [self]

  def context(_name, &block)
    @examples.concat(ExampleGroup.new(@test, self).take(&block).examples)
  end
  alias describe context

  def let(name, &block) = @lets[name] = block
  def before(_when = :each, &block) = @befores << block
  def after(_when = :each, &block) = @afters << block
  def it(name, *, &block) = @examples << Example.new(name, self, block)
  def xit(*) = nil
  def test_name(*) = nil
  def tag(*) = nil
  def include_context(name, *arguments) = take(arguments, &SHARED.fetch(name))
  def agents = @test.agents
  def posix_agents = @test.posix_agents
  def skip_test(reason = '') = raise(TestCase::Skip, reason)
  def confine(...) = @test.confine(...)
  # Helpers of the module: which machines an example is for.
  def method_missing(name, ...) = @test.respond_to?(name, true) ? @test.send(name, ...) : super
  def respond_to_missing?(name, all = false) = @test.respond_to?(name, all) || super
end

SHARED = {}

# Top-level words of the tests' files.
module RSpec
  class << self
    attr_accessor :root

    def context(name, &block) = root.context(name, &block)
    alias describe context
    def shared_context(name, &block) = SHARED[name] = block
    def configure = nil
  end
end

def shared_context(name, &block) = SHARED[name] = block

# An expectation, and what it is held against.
class Expectation
  def initialize(test, value)
    @test = test
    @value = value
  end

  def to(matcher) = @test.assert(matcher.call(@value), "not as expected: #{@value.inspect}")
  def not_to(matcher) = @test.assert(!matcher.call(@value), "not as expected: #{@value.inspect}")
  alias to_not not_to
end

# Machines of which those of a kind may be asked for.
class Hosts < Array
  def agents = self
end

# What modules of helpers call without a test at hand.
module Kernel
  def on(...) = SpecCase.current.on(...)
end

# An example, run on a machine of its own.
class SpecCase < TestCase
  class << self
    attr_accessor :current
  end

  def examples
    RSpec.root = ExampleGroup.new(self)
    load @path
    RSpec.root.examples
  end

  def run(example)
    @memo = {}
    SpecCase.current = self
    groups = example.group.groups
    groups.each { |group| group.lets.each { |name, block| define_let(name, block) } }
    outcome = catch_outcome do
      groups.flat_map(&:befores).each { |block| instance_exec(&block) }
      instance_exec(&example.block)
    end
    afters = groups.reverse.flat_map(&:afters).filter_map { |block| catch_outcome { instance_exec(&block) } }
    outcome || afters.first || [:passed, nil]
  end

  def posix_agents = Hosts.new(agents)
  def skip(reason = '') = skip_test(reason)
  def expect(value) = Expectation.new(self, value)
  def match(pattern) = ->(value) { value.match?(pattern) }
  def eq(wanted) = ->(value) { value == wanted }
  def include(part) = ->(value) { value.include?(part) }
  def be_empty = ->(value) { value.empty? }

  def run_cron_on(host, action, user, entry = '', &block)
    case action
    when :add then on(host, "echo '#{entry}' | crontab -u #{user} -", &block)
    else on(host, "crontab -u #{user} #{{ list: '-l', remove: '-r' }.fetch(action)}", acceptable_exit_codes: [0, 1], &block)
    end
  end

  private

  def define_let(name, block)
    define_singleton_method(name) { @memo.fetch(name) { @memo[name] = instance_exec(&block) } }
  end
end
