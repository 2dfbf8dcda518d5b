# frozen_string_literal: true

# What a module's own rspec files declare: the files are run by a few words of rspec's that note title, parameters and
# what comes before, and check nothing. A part of cases.rb; see README.md.

require 'timeout'

module Specs
  # One context of a spec file that has an example: what it declares, and the facts that it gives beside a system's own.
  Example = Struct.new(:subject, :title, :params, :before, :facts)

  # A value that nobody knows here: whatever is asked of it is as unknown. What holds one is left out.
  class Unknown < BasicObject
    def method_missing(*) = self
    def respond_to_missing?(*) = true
    def to_s = ::Kernel.raise(::NoMethodError, 'unknown')
    alias to_str to_s
    def class = Unknown
    def is_a?(type) = type.equal?(Unknown)
    alias kind_of? is_a?
    def nil? = false
    def hash = 0
  end

  UNKNOWN = Unknown.new

  # A reference that stands in parameters as text of Puppet.
  Reference = Struct.new(:type, :title)
  Secret = Struct.new(:value)

  class << self
    attr_accessor :facts, :shared, :found, :known, :lines, :running

    # Every example of the spec files of a module whose subject is one of the names.
    def of(folder, names, facts)
      self.facts = facts
      self.known = names
      self.found = []
      self.shared = {}
      files = Dir[File.join(folder, 'spec/**/*.rb')].reject { |file| file.include?('/acceptance/') || file.include?('/fixtures/') }.sort
      examples, helpers = files.partition { |file| file.end_with?('_spec.rb') }
      self.running = true
      (helpers.grep(/shared/) + examples).each { |file| run(file) }
      found
    ensure
      self.running = false
    end

    def run(file)
      self.lines = File.readlines(file, encoding: 'UTF-8')
      Timeout.timeout(10) { Top.new.instance_eval(lines.join, file) }
    rescue Exception # rubocop:disable Lint/RescueException -- what such a file does is its own affair
      nil
    end

    # Whether an example expects an error, as its text has it.
    def raises?(block)
      return false unless block

      start = block.source_location[1] - 1
      text = lines[start, 12].to_a
      last = text.drop(1).index { |line| line.match?(/^\s*(it|end|context|describe)\b/) }
      text.first(last ? last + 1 : 1).join.match?(/raise_error|skip|pending/)
    end
  end

  # Words that stand outside of groups and within them.
  module Words
    def describe(*what, **, &block) = Specs.outermost(what, block)
    alias context describe

    def shared_examples(name, *, **, &block)
      Specs.shared[name.to_s] = block
    end
    alias shared_examples_for shared_examples
    alias shared_context shared_examples

    def require(*) = true
    alias require_relative require
    def on_supported_os(*) = Specs.facts.transform_values { |facts| Specs.copy(facts) }
    def method_missing(*) = UNKNOWN
    def respond_to_missing?(*) = true
  end

  def self.copy(value)
    case value
    when Hash then value.to_h { |key, item| [key.dup, copy(item)] }
    when Array then value.map { |item| copy(item) }
    else value.dup
    end
  end

  def self.outermost(what, block)
    subject = what.map { |part| part.to_s.delete_prefix('::') }.find { |name| known.include?(name) }
    Group.within(Class.new(Group), subject, block) if subject && block
  end

  class Top
    include Words
  end

  # Facts of old that tell of a system, and of how a node was made.
  OF_SYSTEMS = %w[lsbdistid lsbdistcodename lsbdistrelease lsbmajdistrelease lsbdistdescription selinux macaddress uptime].freeze

  # Whether a value can be a fact.
  def self.plain?(value)
    case value
    when String then value.valid_encoding?
    when Integer, Float, true, false then true
    when Array then value.all? { |item| plain?(item) }
    when Hash then value.all? { |key, item| (key.is_a?(String) || key.is_a?(Symbol)) && plain?(item) }
    else false
    end
  end

  # A group of examples: a class whose instances answer what `let` names.
  class Group
    class << self
      attr_accessor :subject_name, :before_blocks, :noted, :raises
      include Words

      def within(group, subject, block)
        group.subject_name = subject
        group.before_blocks ||= []
        group.class_exec(&block)
      rescue StandardError, SyntaxError
        nil
      ensure
        group.note if subject && group.noted
      end

      def describe(*what, **, &block)
        return unless block

        group = Class.new(self)
        group.before_blocks = before_blocks.dup
        own = what.map { |part| part.to_s.delete_prefix('::') }.find { |name| Specs.known.include?(name) }
        Group.within(group, own || subject_name, block)
      end
      alias context describe

      def let(name, &block)
        define_method(name) do
          @lets ||= {}
          @lets.fetch(name) { @lets[name] = instance_exec(&block) }
        end
      end
      alias let! let

      def before(*, &block)
        before_blocks << block if block
      end

      def it(*, **, &block)
        self.noted = true unless Specs.raises?(block)
      end
      alias specify it
      alias its it
      alias example it

      def it_behaves_like(name, *arguments, &block)
        shared = Specs.shared[name.to_s] or return
        describe { class_exec(*arguments, &shared); class_exec(&block) if block }
      end
      alias it_should_behave_like it_behaves_like
      alias it_configures it_behaves_like

      def include_examples(name, *arguments)
        shared = Specs.shared[name.to_s] and class_exec(*arguments, &shared)
      end
      alias include_context include_examples

      # Of a group with an example: what its instance answers.
      def note
        instance = new
        blocks = before_blocks
        blocks.each { |block| instance.instance_exec(&block) }
        params = instance.params
        return unless Hash === params # rubocop:disable Style/CaseEquality

        before = Array(instance.pre_condition).join("\n")
        Specs.found << Example.new(subject_name, instance.title.to_s, params, before, own_facts(instance))
      rescue StandardError
        nil
      end

      # Facts that are not a system's own: those of the module, or of another one.
      def own_facts(instance)
        usual = Specs.facts.values.first
        given = instance.facts
        return {} unless Hash === given # rubocop:disable Style/CaseEquality -- an unknown value claims to be anything

        own = given.reject { |name, _| usual.key?(name.to_sym) || OF_SYSTEMS.include?(name.to_s) }
        own.select { |_, value| Specs.plain?(value) }.transform_keys(&:to_s)
      rescue StandardError
        {}
      end
    end

    def params = {}
    def title = ''
    def pre_condition = ''
    def facts = Specs.copy(Specs.facts.values.first)
    def ref(type, title) = Reference.new(type, title)
    def sensitive(value) = Secret.new(value)
    def method_missing(*) = UNKNOWN
    def respond_to_missing?(*) = true
  end
end

module RSpec
  class << self
    include Specs::Words
  end
end

# Constants of the helpers of a module's specs.
class Object
  def self.const_missing(name)
    Specs.running ? Specs::UNKNOWN : super
  end
end
