# The words in which a file declares a function, and the function that comes of it.

module Puppet
  module Functions
    # Ways to call a function are told to Pantin, who knows the types.
    class Dispatch
      attr_reader :method_name, :weaving

      def initialize(method_name, explains)
        @method_name, @explains = method_name, explains
        @params, @weaving = [], []
        @block = @returns = nil
      end

      def param(type, name)
        add(type, name, 'required')
      end
      alias required_param param

      def optional_param(type, name)
        add(type, name, 'optional')
      end

      def repeated_param(type, name)
        add(type, name, 'repeated')
      end
      alias optional_repeated_param repeated_param

      def required_repeated_param(type, name)
        add(type, name, 'required repeated')
      end

      def block_param(*type_and_name)
        block(type_and_name, false)
      end
      alias required_block_param block_param

      def optional_block_param(*type_and_name)
        block(type_and_name, true)
      end

      def return_type(type)
        @returns = type
      end

      def scope_param
        @weaving << :scope
      end

      %w[cache_param compiler_param script_compiler_param pal_compiler_param].each do |name|
        define_method(name) { raise PantinNotHere, "#{name} of dispatch" }
      end

      # The arguments as the method takes them.
      def woven(args)
        return args unless @weaving.include?(:scope)

        @weaving.flat_map do |place|
          case place
          when :scope then [PantinWorker::SCOPE]
          when Range then args[place] || []
          else place < args.length ? [args[place]] : []
          end
        end
      end

      def told
        [@method_name.to_s, @params, @block, @returns, @explains]
      end

      # One without types, for a function that declares none.
      def untyped(method)
        method.parameters.each do |kind, name|
          case kind
          when :req then add(nil, name, 'required')
          when :opt then add(nil, name, 'optional')
          when :rest then add(nil, name, 'repeated')
          end
        end
        self
      end

      private

      def add(type, name, kind)
        before = @params.last && @params.last.last
        raise ArgumentError, 'Parameters cannot be added after a block parameter' if @block
        raise ArgumentError, 'Parameters cannot be added after a repeated parameter' if before&.end_with?('repeated')
        if before == 'optional' && kind.start_with?('required')
          kind = kind == 'required' ? 'required' : 'required repeated'
          raise ArgumentError, "A #{kind} parameter cannot be added after an optional parameter"
        end

        @weaving << (kind.end_with?('repeated') ? (@params.length..) : @params.length)
        @params << [type, name.to_s, kind]
      end

      def block(type_and_name, optional)
        raise ArgumentError, 'Attempt to redefine block' if @block

        type, name = type_and_name.length > 1 ? type_and_name : [nil, type_and_name.first || 'block']
        @block = [type, name.to_s, optional]
      end
    end

    class LocalTypes
      def initialize(types)
        @types = types
      end

      def type(text)
        @types << text
      end
    end

    class Function
      attr_reader :closure_scope, :loader

      def initialize(closure_scope, loader)
        @closure_scope, @loader = closure_scope, loader
      end

      def call_function(name, *args, &block)
        PantinWorker.call_function(name, args, block)
      end

      class << self
        def pantin
          @pantin ||= { dispatches: [], types: [] }
        end

        def dispatch(name, &block)
          declare(name, false, block)
        end

        def argument_mismatch(name, &block)
          declare(name, true, block)
        end

        def local_types(&block)
          LocalTypes.new(pantin[:types]).instance_eval(&block)
        end

        def loader
          nil
        end

        private

        def declare(name, explains, block)
          made = Dispatch.new(name, explains)
          pantin[:dispatches] << made
          made.instance_eval(&block) if block
        end
      end
    end

    class InternalFunction < Function
      def call_function_with_scope(_scope, name, *args, &block)
        PantinWorker.call_function(name, args, block, true)
      end
    end

    class << self
      def create_function(name, base = Function, &block)
        unless base <= Function
          raise ArgumentError, "Functions must be based on Puppet::Pops::Functions::Function. Got #{base}"
        end

        PantinWorker.declared = { name: name.to_s, class: defined_by(name.to_s, base, block) }
        PantinWorker.declared[:class]
      end

      def create_loaded_function(name, _loader, base = Function, &block)
        create_function(name, base, &block)
      end

      private

      def defined_by(name, base, block)
        made = Class.new(base, &block)
        # Which of its ways is taken is chosen outside, before anything of it runs.
        raise PantinNotHere, 'the dispatcher of functions' if made.method_defined?(:call)
        return made unless made.pantin[:dispatches].empty?

        simple = name.split('::').last
        unless made.method_defined?(simple) || made.private_method_defined?(simple)
          raise ArgumentError, "Function Creation Error, cannot create a default dispatcher for function '#{simple}', " \
                               'no method with this name found'
        end
        made.pantin[:dispatches] << Dispatch.new(simple, false).untyped(made.instance_method(simple))
        made
      rescue StandardError => e
        raise ArgumentError, "Function Load Error for function '#{name}': #{e.message}"
      end
    end
  end

  module Parser
    # The scope that a function sees.
    class Scope
      def [](name, _options = nil)
        known, value = find(name)
        PantinWorker.ask('unknown variable', name.to_s) unless known
        value
      end
      alias lookupvar []

      def []=(name, value)
        setvar(name, value)
      end

      def setvar(name, value, _options = nil)
        PantinWorker.ask('set', name.to_s, value)
        value
      end

      def include?(name)
        !find(name).last.nil?
      end

      def exist?(name)
        find(name).first
      end

      def lookupdefaults(type)
        PantinWorker.ask('defaults', type.to_s).to_h do |name, value|
          [name.to_sym, Puppet::Parser::Resource::Param.new(name.to_sym, value)]
        end
      end

      def call_function(name, args, &block)
        PantinWorker.call_function(name, args.is_a?(Array) ? args : [args], block, true)
      end

      %w[debug info notice warning err alert crit emerg].each do |level|
        define_method(level) { |text| PantinWorker.ask('log', level, text.to_s) && nil }
      end

      def to_s
        'Scope()'
      end
      alias inspect to_s

      def method_missing(name, *args, &block)
        called = name.to_s
        raise PantinNotHere, "the method Scope##{called}" unless called.start_with?('function_')

        list = args.first
        raise ArgumentError, 'custom functions must be called with a single array that contains the arguments' \
          unless args.length == 1 && list.is_a?(Array)

        function = called.delete_prefix('function_')
        raise ArgumentError, "Unknown function '#{function}'" unless PantinWorker.function?(function)

        PantinWorker.call_function(function, list, block, true)
      end

      def respond_to_missing?(name, _private = false)
        called = name.to_s
        called.start_with?('function_') && PantinWorker.function?(called.delete_prefix('function_'))
      end

      private

      def find(name)
        PantinWorker.variable(name.to_s)
      end
    end

    module Resource
      Param = Struct.new(:name, :value)
    end

    module Functions
      class << self
        def newfunction(name, options = {}, &block)
          kind = options[:type] || :statement
          unless %i[statement rvalue].include?(kind)
            raise Puppet::DevError, "Invalid statement type #{kind.inspect}"
          end

          arity = options[:arity] || -1
          PantinWorker.declared = { name: name.to_s, body: block, arity: arity, is_value: kind == :rvalue }
        end

        def function(name)
          PantinWorker.function?(name.to_s) ? "function_#{name}" : false
        end

        def autoloader
          self
        end

        def load(*)
          true
        end

        def loadall(*)
          nil
        end
      end
    end
  end
end
