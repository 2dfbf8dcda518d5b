# Takes what Pantin wants done: to load the file of a function, to call one. While it runs, code asks back.

# What Puppet itself has loaded before any code of a module runs (8.10 and 7.23, compiling). A Ruby without one of these has it
# missing where code asks for it.
%w[English uri pathname ostruct delegate fileutils tmpdir securerandom digest digest/md5 digest/sha1 openssl socket ipaddr
   timeout zlib net/http net/https benchmark set yaml json date time getoptlong logger syslog cgi resolv singleton optparse
   base64 erb find open3 tsort tempfile forwardable stringio strscan].each do |library|
  require library
rescue LoadError
  next
end

module PantinWorker
  SCOPE = Puppet::Parser::Scope.new

  # What no code may rescue: Pantin has had enough.
  class Stopped < Exception; end

  # An error of Pantin's, which it knows by its number.
  class Raised
    def self.of(kind, message, number)
      made = kind == 'argument' ? ArgumentError.new(message) : Puppet::ParseError.new(message)
      made.instance_variable_set(:@pantin_number, number)
      made
    end
  end

  FUNCTIONS = {}
  # Of each file that was loaded, which others it asked for.
  LIBRARIES = {}
  # Those that came over the pipe.
  FILES = {}
  LOAD_PATH_OF_RUBY = $LOAD_PATH.dup.freeze

  # What Pantin has lent to the call that runs: name, object, and what it was.
  @lent = []
  # Where the names go that files which are being loaded ask for.
  @asking = []
  # Blocks that were handed to functions of Puppet's, the innermost last.
  @blocks = []

  class << self
    attr_accessor :declared
    attr_reader :release

    # Answers what Pantin wants until a wish of one's own is answered. Code that it runs for that may ask in turn.
    def converse
      loop do
        message = PantinWire.receive
        kind, *rest = message
        case kind
        when 'hello' then PantinWire.tell(['hello', RUBY_ENGINE, RUBY_VERSION, (@release = rest.first)])
        when 'load' then answer { load_function(*rest) }
        when 'call' then answer { call(*rest) }
        when 'block' then answer { yielded(*rest) }
        else return message
        end
      end
    end

    def ask(*question)
      give_back unless question.first == 'change'
      PantinWire.tell(question)
      kind, *rest = converse
      case kind
      when 'is' then rest.first
      when 'fails' then raise Raised.of(*rest)
      else raise Stopped
      end
    end

    # A variable is a copy here. One that was changed in place goes back before anybody else may look at it.
    def variable(name)
      known, value = ask('variable', name)
      lend(name, value) if known
      [known, value]
    end

    def setting(name)
      known, value = ask('setting', name.to_s)
      raise PantinNotHere, "the setting #{name}" unless known

      name.to_s == 'strict' ? value.to_sym : value
    end

    def function?(name)
      ask('function', name)
    end

    # `of_scope`: as code of Puppet would call it.
    def call_function(name, args, block, of_scope = false)
      return ask('call', name.to_s, args, nil, of_scope) unless block

      @blocks << block
      begin
        ask('call', name.to_s, args, [@blocks.length - 1, block.arity], of_scope)
      ensure
        @blocks.pop
      end
    end

    # Whether there is a file of a module by this name, which is then loaded.
    def library(name)
      @asking.last&.push(name)
      path, content = ask('library', name)
      return nil unless path
      # One that could not be loaded to its end was sent, and is not here.
      content ||= ask('library', name, true).last unless LIBRARIES.key?(path)
      return asked_again(path, {}) || false if content.nil?

      LIBRARIES[path] = []
      @asking.push(LIBRARIES[path])
      begin
        run_file(path, content)
        loaded = true
      ensure
        @asking.pop
        LIBRARIES.delete(path) unless loaded
      end
    end

    private

    # Whatever is raised is an answer, too.
    def answer
      outer = @lent
      @lent = []
      told = false
      tell = lambda do |message|
        PantinWire.tell(message)
        told = true
      end
      given = yield
      give_back
      tell.call(['gives', given])
    rescue Stopped
      tell.call(['stopped'])
    rescue PantinWire::Damaged
      Process.exit!(1)
    rescue PantinNoValue => e
      tell.call(['no value', e.message])
    rescue SystemExit
      tell.call(['no way', 'calls exit'])
    rescue SystemStackError
      tell.call(['no way', 'nests too deep for the stack of Ruby, or holds what contains itself'])
    rescue NoMemoryError
      tell.call(['no way', 'needs more memory than Ruby gets'])
    rescue PantinNotHere => e
      tell.call(['no way', "asks for what is not there: #{e.message}"])
    rescue Exception => e
      tell.call(raised(e))
    ensure
      @lent = outer
      leap unless told
    end

    # Code leaves a block by `break` or `throw`, while Puppet is in the middle of the function that has called it.
    def leap
      PantinWire.tell(['no way', 'leaves a block by break, return or throw'])
      converse
      raise Stopped
    end

    def raised(error)
      message = text_of(error)
      number = error.instance_variable_get(:@pantin_number)
      # Where it was raised, as far as that is not here.
      place = (error.backtrace_locations || []).find { |location| location.path && location.path != '(pantin)' }
      ['raised', error.class.to_s, message, number, place&.path, place&.lineno]
    end

    # Whatever a class of errors has made of its text.
    def text_of(error)
      error.message.to_s.dup.force_encoding(Encoding::UTF_8).scrub
    rescue Exception
      error.class.to_s
    end

    def load_function(key, is_older, name, path, content)
      known = FUNCTIONS[key]
      if known
        known[:libraries].each { |library| ask_again(library, {}) }
        return known[:told]
      end
      self.declared = nil
      libraries = []
      @asking.push(libraries)
      made = begin
        run_file(path, content)
      ensure
        @asking.pop
      end
      function = is_older ? older(name, path) : newer(name, path, made)
      FUNCTIONS[key] = function.merge(libraries: libraries)
      function[:told]
    end

    def run_file(path, content)
      FILES[path] = true
      TOPLEVEL_BINDING.dup.eval(content, path, 1)
    end

    def newer(name, path, made)
      found = declared
      unless found && found[:class].equal?(made)
        raise ArgumentError, "The code loaded from #{path} did not produce a Function class when evaluated. " \
                             "Got '#{made.class}'"
      end
      unless found[:name] == name
        raise ArgumentError, "The code loaded from #{path} produced mis-matched name, expected '#{name}', " \
                             "got #{found[:name]}"
      end
      types, dispatches = made.pantin.values_at(:types, :dispatches)
      found.merge(told: [dispatches.map(&:told), types])
    end

    def older(name, path)
      found = declared
      unless found && found[:name] == name
        raise ArgumentError, "The code loaded from #{path} does not seem to be a Puppet 3x API function - no " \
                             "'newfunction' call."
      end
      found.merge(told: [found[:arity], found[:is_value]])
    end

    # What a file that is loaded already asked for when it was, it asks for again: that belongs to what it depends on.
    def ask_again(name, seen)
      path, content = ask('library', name)
      return unless path
      return library(name) if content || !LIBRARIES.key?(path)

      asked_again(path, seen)
    end

    def asked_again(path, seen)
      return if seen[path]

      seen[path] = true
      LIBRARIES.fetch(path, []).each { |library| ask_again(library, seen) }
      nil
    end

    def call(key, chosen, args, arity)
      function = FUNCTIONS.fetch(key)
      block = arity && lambda_of(arity)
      if function[:body]
        scope = Puppet::Parser::Scope.new
        scope.define_singleton_method(:pantin_function, &function[:body])
        return scope.pantin_function(args)
      end
      dispatch = function[:class].pantin[:dispatches][chosen]
      object = function[:class].new(SCOPE, nil)
      object.send(dispatch.method_name, *dispatch.woven(args), &block)
    end

    # The lambda that the function was given, with its arity: methods ask for it.
    def lambda_of(arity)
      run = ->(args) { ask('yield', args) }
      made = proc { |*args| run.call(args) }
      made.define_singleton_method(:arity) { arity }
      made.define_singleton_method(:lambda?) { true }
      made
    end

    def yielded(number, args)
      @blocks.fetch(number).call(*args)
    end

    def lend(name, value)
      case value
      when String, Array, Hash then @lent << [name, value, PantinWire.bytes_of(value)]
      end
    end

    def give_back
      @lent.each do |lent|
        name, value, before = lent
        now = PantinWire.bytes_of(value)
        next if now == before

        lent[2] = now
        ask('change', name, value)
      end
    end
  end
end

# What `require` means in a file that came over the pipe; in all others it is Ruby's own affair.
module PantinRequire
  class << self
    # Whether there was such a file, and it was loaded now; nil: a module has none.
    def module_file(name, from)
      return nil unless PantinWorker::FILES[from]

      folders = name.start_with?('/') ? [] : $LOAD_PATH - PantinWorker::LOAD_PATH_OF_RUBY
      [name, *folders.map { |folder| File.expand_path(name, folder) }].each do |wanted|
        found = PantinWorker.library(wanted)
        return found unless found.nil?
      end
      nil
    end

    # Puppet's own files define what is here already, or nothing.
    def own?(name)
      name == 'facter' || name == 'puppet' || name.start_with?('puppet/')
    end
  end
end

module Kernel
  alias_method :pantin_require, :require
  alias_method :pantin_require_relative, :require_relative

  def require(name)
    bare = (name.respond_to?(:to_path) ? name.to_path : name.to_s).delete_suffix('.rb')
    found = PantinRequire.module_file(bare, caller_locations(1, 1).first.path)
    return found unless found.nil?

    PantinRequire.own?(bare) ? false : pantin_require(name)
  end

  def require_relative(name)
    from = caller_locations(1, 1).first
    whole = File.expand_path(name.to_s, File.dirname(from.absolute_path || from.path))
    found = PantinRequire.module_file(whole.delete_suffix('.rb'), from.path)
    found.nil? ? pantin_require(whole) : found
  end

  private :require, :require_relative, :pantin_require, :pantin_require_relative
end

# Whoever has started this may be gone while code runs that never ends.
Thread.new do
  loop do
    sleep 2
    Process.exit!(0) unless Process.ppid == PantinWire::PARENT
  end
end

$PROGRAM_NAME = 'a worker of pantin'
PantinWire.tell(['ready'])
PantinWorker.converse
