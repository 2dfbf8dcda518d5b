# As much of Puppet as the file of one function has to see. The real one is never loaded.

module Puppet
  class Error < RuntimeError
    attr_accessor :original

    def initialize(message = nil, original = nil)
      super(message)
      @original = original
    end
  end

  class ParseError < Error
    attr_reader :file, :line, :pos

    # Either the place, or the error behind it, may follow.
    def initialize(message = nil, file = nil, line = nil, pos = nil, original = nil)
      file, original = nil, file if file.is_a?(Exception)
      super(message, original)
      @file, @line, @pos = file, line, pos
    end
  end

  class DevError < Error; end

  class ResourceError < Error; end

  %w[debug info notice warning err alert crit emerg].each do |level|
    define_singleton_method(level) do |*parts, &block|
      text = parts.empty? && block ? block.call : parts.join(' ')
      PantinWorker.ask('log', level, text.to_s)
      nil
    end
  end

  class << self
    def [](name)
      PantinWorker.setting(name)
    end

    def settings
      self
    end

    def version
      PantinWorker.release
    end

    def minor_version
      version.rpartition('.').first
    end

    # What is not here says so, and no `rescue` of the function hides it.
    def method_missing(name, *)
      raise PantinNotHere, "Puppet.#{name}"
    end

    def respond_to_missing?(*)
      false
    end
  end

  module Util
    module Platform
      def self.windows?
        false
      end
    end
  end

  module Pops
    module Types
      class PSensitiveType
        class Sensitive
          def initialize(value)
            @value = value.is_a?(Sensitive) ? value.unwrap : value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            '#<Sensitive [value redacted]>'
          end

          def ==(other)
            other.is_a?(Sensitive) && other.unwrap == @value
          end
          alias eql? ==

          def hash
            @value.hash
          end
        end
      end

      class PBinaryType
        class Binary
          attr_reader :binary_buffer

          def self.from_base64(text)
            new(text.unpack1('m'))
          end

          def self.from_base64_strict(text)
            new(text.unpack1('m0'))
          end

          def self.from_binary_string(bytes)
            new(bytes)
          end

          def self.from_string(text)
            new(text.encode('UTF-8'))
          end

          def initialize(bytes)
            @binary_buffer = bytes.b
          end

          def to_s
            [@binary_buffer].pack('m0')
          end

          def relaxed_to_s
            [@binary_buffer].pack('m').strip
          end

          def length
            @binary_buffer.bytesize
          end

          def ==(other)
            other.is_a?(Binary) && other.binary_buffer == @binary_buffer
          end
          alias eql? ==

          def hash
            @binary_buffer.hash
          end
        end
      end
    end
  end

  def self.const_missing(name)
    raise PantinNotHere, "#{self}::#{name}"
  end

  [Util, Pops, Pops::Types].each do |part|
    part.define_singleton_method(:const_missing) { |name| raise PantinNotHere, "#{self}::#{name}" }
  end
end

module PuppetX; end

# Of Puppet's own, and not to be had in a worker.
class PantinNotHere < Exception
  def initialize(what)
    super("#{what} of Puppet itself is not to be had in the Ruby of --ruby")
  end
end

# There a server tells of itself: no fact of the node.
module Facter
  def self.method_missing(name, *)
    raise PantinNotHere, "Facter.#{name}"
  end

  def self.respond_to_missing?(*)
    false
  end
end

# A value that only Puppet has: a text to be shown, and a number by which it is known there.
class PantinForeign
  attr_reader :pantin_number

  CLASSES = Hash.new { |known, kind| known[kind] = class_of(kind) }

  # `kind` is the class that the real one has; `amount` is set where it is a number as well.
  def self.of(number, kind, text, amount)
    CLASSES[kind].new(number, kind, text, amount)
  end

  # A class of that name, for code that asks what it was given. What is not Puppet's has none.
  def self.class_of(kind)
    return PantinContext if kind == 'Puppet::LookupContext'
    return PantinForeign unless kind.start_with?('Puppet::', 'SemanticPuppet::')

    *around, name = kind.split('::')
    within = around.inject(Object) do |outer, part|
      outer.const_defined?(part, false) ? outer.const_get(part, false) : outer.const_set(part, Module.new)
    end
    return within.const_get(name, false) if within.const_defined?(name, false)

    is_type = kind.start_with?('Puppet::Pops::Types::P') && name.end_with?('Type')
    within.const_set(name, Class.new(is_type ? Puppet::Pops::Types::PAnyType : PantinForeign))
  end

  def initialize(number, kind, text, amount)
    @pantin_number, @kind, @text, @amount = number, kind, text, amount
  end

  def to_s
    @text
  end

  def inspect
    "#<#{@kind} #{@text}>"
  end

  def ==(other)
    other.is_a?(PantinForeign) && other.inspect == inspect
  end
  alias eql? ==

  def hash
    @text.hash
  end

  # A point in time: nanoseconds since 1970.
  def to_i
    @amount ? @amount.div(1_000_000_000) : method_missing(:to_i)
  end

  def to_f
    @amount ? @amount / 1_000_000_000.0 : method_missing(:to_f)
  end

  def method_missing(name, *)
    raise PantinNotHere, "#{@kind}##{name}"
  end

  def respond_to_missing?(*)
    false
  end
end

class Puppet::Pops::Types::PAnyType < PantinForeign; end

# What a back end of Hiera is given.
class PantinContext < PantinForeign
  def environment_name
    told('environment_name').to_sym
  end

  def module_name
    told('module_name')
  end

  def not_found
    told('not_found')
  end

  def interpolate(value)
    told('interpolate', value)
  end

  def cache_has_key(key)
    told('cache_has_key', key)
  end

  def cache(key, value)
    told('cache', key, value)
    value
  end

  def cache_all(values)
    told('cache_all', values)
    nil
  end

  def cached_value(key)
    told('cached_value', key)
  end

  def cached_entries
    pairs = told('cached_entries')
    return pairs unless block_given?

    pairs.each { |key, value| yield key, value }
    nil
  end

  def cached_file_data(path)
    found = told('cached_file_data', path)
    return found['kept'] if found.key?('kept')

    made = block_given? ? yield(found['content']) : found['content']
    told('keep_file_data', path, made)
    made
  end

  # The block runs where somebody listens.
  def explain
    told('explain', yield) if told('explain')
    nil
  end

  private

  def told(name, *args)
    PantinWorker.ask('method', self, name, args)
  end
end
