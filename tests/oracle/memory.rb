# frozen_string_literal: true

# What may be remembered from question to question, because it cannot change: every question has
# loaders of its own, which would list Puppet's own folders, read its files and parse the types
# written there again. A part of engine.rb; see README.md.

module Oracle
  module Memory
    LIMIT = 10_000

    module_function

    def install
      own = File.dirname($LOADED_FEATURES.grep(%r{/puppet/pops\.rb\z}).first)
      Puppet::Pops::Loader::ModuleLoaders::FileBased.prepend(files(own))
      Puppet::Pops::Types::TypeParser.prepend(types)
      Puppet::DataTypes::TypeBuilder.prepend(interfaces)
    end

    # The folders and files below `own`.
    def files(own)
      listed = {}
      contents = {}
      Module.new do
        define_method(:add_to_index) do |smart_path|
          folder = smart_path.generic_path
          next super(smart_path) unless folder.start_with?(own)

          found = listed[[folder, smart_path.extension]] ||= super(smart_path).freeze
          @path_index.merge(found)
          found
        end
        private :add_to_index

        define_method(:get_contents) do |path|
          path.start_with?(own) ? (contents[path] ||= super(path).freeze).dup : super(path)
        end
      end
    end

    Parsed = Struct.new(:model)

    # The trees of types given as strings.
    def types
      parser = Class.new do
        define_method(:initialize) { |real| @real = real }
        define_method(:parse_string) do |string|
          Memory.once([:type, string]) { Parsed.new(@real.parse_string(string).model) }
        end
      end
      Module.new do
        define_method(:initialize) do
          super()
          @parser = parser.new(@parser)
        end
      end
    end

    # The trees of the interfaces of data types written in Ruby: `Error` is made for every question.
    def interfaces
      inside = false
      Puppet::Pops::Parser::EvaluatingParser.prepend(Module.new do
        define_method(:parse_string) do |source, file = ''|
          inside ? Memory.once([:interface, source, file]) { super(source, file) } : super(source, file)
        end
      end)
      Module.new do
        define_method(:create_type) do |loader|
          inside = true
          super(loader)
        ensure
          inside = false
        end
      end
    end

    # Not when it logged something, which must be logged again.
    def once(key)
      @trees ||= {}
      @trees.fetch(key) do
        logged = SINK.entries.size
        tree = yield
        @trees.clear if @trees.size >= LIMIT
        @trees[key.dup.freeze] = tree if SINK.entries.size == logged
        tree
      end
    end
  end
end
