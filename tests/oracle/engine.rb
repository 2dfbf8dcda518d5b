# frozen_string_literal: true

# The real Puppet in this process: booted once, away from every configuration of the machine,
# and asked through a few methods that leave no trace for the next question.
# Used by oracle.rb (questions one by one) and corpus.rb (whole folders). See README.md.

require 'base64'
require 'fileutils'
require 'json'
require 'stringio'
require 'timeout'
require 'tmpdir'

module Oracle
  HERE = __dir__
  DIR = ENV['PANTIN_ORACLE_DIR'] || File.expand_path('../../target/oracle', HERE)

  # A request that cannot be answered as it is written.
  class BadRequest < StandardError; end

  # What stands for STDIN while a command of Puppet runs in this process.
  class FakeStdin < StringIO
    attr_writer :terminal

    def tty?
      @terminal
    end
    alias isatty tty?
  end

  module_function

  # The modules of the corpus whose types belong to the agent's package.
  def core_modules
    Dir[File.join(DIR, 'corpus/*-core/usr/share/puppet/modules.available/*-core')]
  end

  # What is asked, by the option of the scripts; without one, the installed 7.23. `lib`: where its sources lie in DIR.
  VERSIONS = {
    nil => { name: '7', starts: '7.', lib: nil, setup: 'tests/oracle/setup' },
    '--puppet8' => { name: '8', starts: '8.10.', lib: 'puppet8/usr/lib/ruby/vendor_ruby', setup: 'tests/oracle/setup' },
    '--openvox' => { name: 'openvox', starts: '8.28.', lib: 'openvox8/lib', setup: 'tests/oracle/setup --openvox' }
  }.freeze

  # Takes the option that says which version is asked out of a command line.
  def version_of(arguments)
    VERSIONS[VERSIONS.keys.compact.find { |option| arguments.delete(option) }]
  end

  # Loads a version of VERSIONS: what is unpacked comes before the installed 7.23.
  def boot(version = VERSIONS[nil])
    if version[:lib]
      lib = File.join(DIR, version[:lib])
      abort "oracle: no Puppet #{version[:name]} in #{DIR}; run #{version[:setup]}" unless File.directory?(lib)
      $LOAD_PATH.unshift(lib)
    end
    ENV['LC_ALL'] = 'C.UTF-8'
    begin
      require 'puppet'
    rescue LoadError => e
      abort "oracle: #{e.message}; run tests/oracle/setup"
    end
    require 'puppet/pops'
    require 'puppet/pops/pn'
    require 'puppet/application/parser'
    require 'puppet/application/epp'
    require 'puppet/parser/e4_parser_adapter'
    require 'puppet/face'

    # The project must not be measured against the wrong thing in silence.
    wanted = version[:starts]
    abort "oracle: this is Puppet #{Puppet.version}, not #{wanted}x" unless Puppet.version.start_with?(wanted)

    @work = Dir.mktmpdir('oracle')
    owner = Process.pid
    at_exit { FileUtils.remove_entry(@work, true) if Process.pid == owner }
    dirs = %w[confdir vardir codedir rundir logdir publicdir].flat_map { |d| ["--#{d}", File.join(@work, d)] }
    Puppet.initialize_settings(dirs + ['--environment', 'production', '--certname', 'oracle.example.org',
                                       '--basemodulepath', '', '--vendormoduledir', ''])
    # what an application does between its settings and its main
    Puppet.settings.initialize_app_defaults(Puppet::Settings.app_defaults_for_run_mode(Puppet::Util::RunMode[:user]))
    Puppet::ApplicationSupport.push_application_context(Puppet::Util::RunMode[:user], :local)
    Puppet[:disable_i18n] = true
    Puppet[:color] = 'false'

    Puppet::Util::Log.newdesttype(:oracle) do
      def self.match?(dest)
        dest.equal?(Oracle::SINK)
      end

      def initialize(dest)
        @name = dest
      end

      def handle(msg)
        Oracle::SINK << msg
      end
    end
    Puppet::Util::Log.newdestination(SINK)
    Puppet::Util::Log.level = :notice

    Memory.install

    Object.send(:remove_const, :STDIN)
    Object.const_set(:STDIN, FakeStdin.new(''.dup))

    # the first question must not pay for what Puppet loads late
    parse('source' => "@(x:json)\n{}\n| x\n", 'want' => %w[pn json tokens])
    parse('source' => 'a', 'kind' => 'epp')
  end

  # Takes Puppet's log messages: into a list, or as lines of the command that runs.
  class Sink
    NAMES = { emerg: 'Emergency', alert: 'Alert', crit: 'Critical', err: 'Error', warning: 'Warning',
              notice: 'Notice', info: 'Info', debug: 'Debug' }.freeze
    STDOUT_LEVELS = %i[notice info debug].freeze

    attr_reader :entries
    attr_accessor :transcript

    def initialize
      @entries = []
      @transcript = nil
    end

    def clear
      @entries.clear
      @transcript = nil
    end

    def <<(msg)
      body = msg.respond_to?(:multiline) ? msg.multiline : msg.to_s
      body = "#{msg.source}: #{body}" unless msg.source == 'Puppet'
      text = Oracle.text("#{NAMES[msg.level]}: #{body}")
      @transcript&.add(STDOUT_LEVELS.include?(msg.level) ? 'out' : 'err', "#{text}\n")
      @entries << { 'level' => msg.level.to_s, 'message' => Oracle.text(msg.message), 'file' => msg.file && Oracle.text(msg.file.to_s),
                    'line' => msg.line, 'pos' => msg.pos, 'code' => msg.issue_code&.to_s, 'text' => text }
    end
  end
  SINK = Sink.new

  # The lines a command prints, on both streams, in order.
  class Transcript
    attr_reader :chunks

    def initialize
      @chunks = []
    end

    def add(stream, text)
      @chunks.last && @chunks.last[0] == stream ? @chunks.last[1] << text : @chunks << [stream, text.dup]
    end

    # An IO for code that prints by itself.
    def io(stream)
      io = StringIO.new
      transcript = self
      io.define_singleton_method(:write) do |*parts|
        transcript.add(stream, parts.join)
        parts.sum { |p| p.to_s.bytesize }
      end
      io
    end

    def of(stream)
      @chunks.select { |s, _| s == stream }.map(&:last).join
    end
  end

  # Text fit for JSON and the same on every run: valid UTF-8, no addresses of Ruby objects.
  def text(str)
    str = str.to_s
    str = str.dup.force_encoding(Encoding::UTF_8) unless str.encoding == Encoding::UTF_8
    str = str.scrub unless str.valid_encoding?
    str.match?(/:0x\h{16}/) ? str.gsub(/:0x\h{16}/, ':0x0000000000000000') : str
  end

  # ---- questions ----

  OPS = %w[version parse validate_cli cli eval catalog lookup].freeze

  def answer(request)
    op = request['op']
    raise BadRequest, "op is one of #{OPS.join(', ')}" unless OPS.include?(op)

    check_types(request)
    send(op, request)
  ensure
    forget_libraries
  end

  # Libraries that Puppet has not loaded, and what they add: code that has not asked for one must not have it from an
  # earlier question.
  LIBRARIES = {
    %r{/shellwords\.rb\z} => lambda do
      Object.send(:remove_const, :Shellwords)
      String.send(:remove_method, :shellsplit, :shellescape)
      Array.send(:remove_method, :shelljoin)
    end,
    %r{/rexml/} => -> { Object.send(:remove_const, :REXML) }
  }.freeze

  def forget_libraries
    LIBRARIES.each do |file, undo|
      next unless $LOADED_FEATURES.any?(file)

      $LOADED_FEATURES.reject! { |loaded| loaded.match?(file) }
      undo.call
    end
  end

  TYPES = { 'path' => String, 'manifest' => String, 'environment' => String, 'cwd' => String, 'render_as' => String, 'node' => String,
            'stdin' => String, 'stdin_base64' => String, 'settings' => Hash, 'options' => Hash, 'facts' => Hash, 'trusted' => Hash,
            'params' => Hash, 'tree' => Hash, 'want' => Array, 'modulepath' => Array, 'exported' => Array, 'level' => String,
            'stdlib' => String, 'timeout' => Numeric }.freeze

  def check_types(request)
    { 'files' => %w[eval catalog lookup].include?(request['op']) ? Hash : Array }.merge(TYPES).each do |key, type|
      value = request[key]
      next if value.nil? || value.is_a?(type)

      raise BadRequest, "#{key} is #{type == Numeric ? 'a number' : "of type #{type}"}"
    end
    %w[want files modulepath].each do |key|
      raise BadRequest, "#{key} lists strings" if request[key].is_a?(Array) && !request[key].all?(String)
    end
  end

  def version(_request)
    { 'puppet' => Puppet.version.to_s, 'ruby' => RUBY_VERSION,
      'strict' => Puppet[:strict].to_s, 'strict_variables' => Puppet[:strict_variables] }
  end

  def source_of(request)
    src = if request.key?('source_base64')
            Base64.strict_decode64(request['source_base64'])
          else
            request.fetch('source') { raise BadRequest, 'source or source_base64 is missing' }
          end
    raise BadRequest, 'source is a string' unless src.is_a?(String)

    src.dup.force_encoding(Encoding::UTF_8)
  rescue ArgumentError
    raise BadRequest, 'source_base64 is not base64'
  end

  # Settings for the time of one question.
  def with_settings(settings)
    settings = (settings || {}).to_h { |k, v| [k.to_sym, v.is_a?(Array) ? v.join(',') : v] }
    unknown = settings.keys.reject { |k| Puppet.settings.valid?(k) }
    raise BadRequest, "no such setting: #{unknown.join(', ')}" unless unknown.empty?

    before = settings.keys.to_h { |k| [k, Puppet[k]] }
    begin
      settings.each do |k, v|
        Puppet[k] = v
        Puppet[k] # a value that is not allowed is refused only here, or by the hook above
      end
    rescue StandardError => e
      before.each { |k, v| Puppet[k] = v }
      raise BadRequest, e.message
    end
    yield
  ensure
    before&.each { |k, v| Puppet[k] = v }
  end

  # A fresh environment `production`, with nothing remembered from earlier questions.
  def with_environment(request)
    env = Puppet::Node::Environment.create(
      (request['environment'] || 'production').to_sym,
      request['modulepath'] || [],
      request['manifest'] || Puppet::Node::Environment::NO_MANIFEST
    )
    Puppet.override({ current_environment: env, loaders: proc { Puppet::Pops::Loaders.new(env) } }, 'oracle') { yield env }
  end

  # Everything of Puppet that lives longer than a question.
  def forget
    SINK.clear
    $unique_warnings&.clear
    $deprecation_warnings&.clear
    Puppet::Util::Warnings.clear_warnings
    # Functions of the older kind that were loaded by name.
    Puppet::Util::Autoload.loaded.delete_if { |path, _| path.start_with?('puppet/parser/functions/') }
    Thread.current.thread_variable_set(:'Puppet::Pops::Parser::EvaluatingParser.singleton', nil)
    Thread.current.thread_variable_set(:'Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.singleton', nil)
    Puppet[:code] = '' unless Puppet[:code] == ''
  end

  # The end of a question's time: no error of Puppet's, so that nothing there takes it for one.
  class TimeUp < Exception; end # rubocop:disable Lint/InheritException

  # Ends what takes too long. One thread for all questions, which looks from time to time: to start
  # and to stop one for each, as `Timeout` does, takes longer than a small question.
  class Watchdog
    STEP = 0.05

    def initialize
      @mutex = Mutex.new
      @until = nil
    end

    def limit(seconds)
      return yield unless seconds.positive?

      start unless @thread&.alive?
      @mutex.synchronize { @until = now + seconds }
      begin
        yield
      ensure
        @mutex.synchronize { @until = nil }
      end
    end

    private

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    # Also after a fork, which leaves threads behind.
    def start
      @mutex = Mutex.new
      asker = Thread.current
      @thread = Thread.new do
        loop do
          sleep STEP
          @mutex.synchronize do
            next unless @until && now > @until

            @until = nil
            asker.raise(TimeUp)
          end
        end
      end
    end
  end
  WATCHDOG = Watchdog.new

  # Runs the block under the request's settings, environment and time limit;
  # adds what was logged and what went wrong to the answer.
  def guarded(request, result)
    forget
    error = nil
    limit = request['timeout'] || 10
    with_settings(request['settings']) do
      with_environment(request) do |env|
        start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        WATCHDOG.limit(limit) { yield env }
        # an application turns the end of its time into an exit code
        raise Timeout::Error, 'execution expired' if limit.positive? && Process.clock_gettime(Process::CLOCK_MONOTONIC) - start > limit
      rescue BadRequest, Interrupt, SignalException, SystemExit
        raise
      rescue TimeUp
        error = Timeout::Error.new('execution expired')
      rescue Exception => e # rubocop:disable Lint/RescueException -- a stack overflow is an answer too
        error = e
      end
    end
    result['log'] = SINK.entries.dup
    result['error'] = error && describe(error)
    result['crash'] = error && crash_of(error)
    result['timeout'] = true if error.is_a?(Timeout::Error)
    result
  ensure
    forget
  end

  def crash_of(error)
    return nil if error.is_a?(Puppet::Error)

    text("#{error.class}: #{error.message}")
  end

  def describe(error)
    basic = Exception.instance_method(:to_s).bind_call(error)
    get = ->(name) { error.respond_to?(name) ? error.public_send(name) : nil }
    file = get[:file]
    file = nil if file.to_s.empty?
    { 'message' => text(error.message), 'basic' => text(get[:basic_message] || basic), 'code' => get[:issue_code]&.to_s,
      'file' => file && text(file), 'line' => get[:line], 'pos' => get[:pos], 'class' => error.class.name }
  end

  # Parses and validates one source; `pn`, `json`, `tokens` as wanted.
  def parse(request)
    source = source_of(request)
    path = request['path'] || ''
    want = request['want'] || ['pn']
    validate = request.fetch('validate', true)
    epp = case request['kind']
          when nil, 'pp' then false
          when 'epp' then true
          else raise BadRequest, 'kind is pp or epp'
          end
    result = { 'accepted' => false, 'pn' => nil, 'json' => nil }
    guarded(request, result) do
      parser = epp ? Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new : Puppet::Pops::Parser::EvaluatingParser.new
      model = validate ? parser.parse_string(source.dup, path) : parser.parser.parse_string(source.dup, path)
      result['accepted'] = true
      dump(model, want, result)
      result['positions'] = positions(model) if want.include?('positions')
    end
    result['tokens'] = tokens(request, source, path, epp) if want.include?('tokens')
    result
  end

  # Every element of the model, parents first, as the checks walk it: class, offset, length, line, column.
  # A variable's name is part of the variable here.
  def positions(model)
    model = model.model if model.is_a?(Puppet::Pops::Model::Factory)
    list = []
    parents = []
    model._pcore_all_contents(parents) do |element|
      next unless element.is_a?(Puppet::Pops::Model::Positioned)
      next if parents.last.is_a?(Puppet::Pops::Model::VariableExpression)

      list << [element.class.name.split("::").last, element.offset, element.length, element.line, element.pos]
    end
    list
  end

  def dump(model, want, result)
    return unless want.include?('pn') || want.include?('json')

    pn = Puppet::Pops::Model::PNTransformer.transform(model)
    put(result, 'pn', pn.format(nil, +'')) if want.include?('pn')
    put(result, 'json', JSON.dump(pn.to_data)) if want.include?('json')
  rescue StandardError, SystemStackError => e
    raise if e.is_a?(Timeout::Error)

    # the source is right, but Puppet cannot show it
    result['dump_crash'] = text("#{e.class}: #{e.message}")
  end

  # A text that may hold bytes JSON cannot: then exact in base64 beside it.
  def put(result, key, str)
    if str.encoding == Encoding::UTF_8 && str.valid_encoding?
      result[key] = str
    else
      result[key] = str.dup.force_encoding(Encoding::UTF_8).scrub
      result["#{key}_base64"] = Base64.strict_encode64(str.b)
    end
  end

  # The lexer's tokens, up to its first error: name, text, offset and length in bytes, line, column.
  def tokens(request, source, path, epp)
    list = []
    guarded({ 'settings' => request['settings'], 'timeout' => request['timeout'] }, {}) do
      lexer = Puppet::Pops::Parser::Lexer2.new
      lexer.lex_string(source.dup, path)
      lexer.public_send(epp ? :scan_epp : :scan) do |name, value|
        next unless name && value

        list << token(name, value)
      end
    end
    list
  end

  def token(name, value)
    locator = value.locator
    offset = value.offset
    length = value.length
    if locator.is_a?(Puppet::Pops::Parser::Locator::SubLocator)
      offset, length = locator.to_global(offset, length)
      locator = locator.locator
    end
    val = value[:value]
    val = if val.is_a?(Hash) then val.to_h { |k, v| [k.to_s, text(v)] }
          elsif val.nil? || val == true || val == false then val
          else text(val)
          end
    [name.to_s, val, offset, length, locator.line_for_offset(offset), locator.pos_on_line(offset)]
  end

  # ---- the commands ----

  # `puppet parser validate FILES…` or, without files, of standard input.
  def validate_cli(request)
    cli({ 'face' => 'parser', 'action' => 'validate' }.merge(request))
  end

  ROOT = '/scratch'

  # Any action of the faces `parser` and `epp`, by the application's own main.
  # `tree` (name to text) is laid out in an empty folder that is the current one meanwhile
  # and is called /scratch in the answer; without it, `cwd` or the process's own.
  def cli(request)
    face_name = request['face']
    action_name = request['action']
    raise BadRequest, 'face is parser or epp' unless %w[parser epp].include?(face_name)
    raise BadRequest, 'action is validate or dump' unless %w[validate dump].include?(action_name)

    files = request['files'] || []
    result = { 'exit' => nil, 'stdout' => '', 'stderr' => '', 'lines' => [] }
    place(request) do |root|
      transcript = Transcript.new
      guarded({ 'settings' => request['settings'], 'timeout' => request['timeout'], 'modulepath' => absolute(request['modulepath'], root),
                'manifest' => absolute(request['manifest'], root), 'environment' => request['environment'] }, result) do
        SINK.transcript = transcript
        result['exit'] = command(face_name, action_name, files.map { |f| absolute_if_scratch(f, root) }, request, transcript)
      end
      result['log'].each { |e| e.transform_values! { |v| v.is_a?(String) ? hide(v, root) : v } }
      result['stdout'] = hide(text(transcript.of('out')), root)
      result['stderr'] = hide(text(transcript.of('err')), root)
      result['lines'] = transcript.chunks.flat_map { |s, t| hide(text(t), root).lines(chomp: true).map { |l| [s, l] } }
    end
    result
  end

  def command(face_name, action_name, files, request, transcript)
    face = Puppet::Face[face_name.to_sym, '0.0.1']
    app = (face_name == 'epp' ? Puppet::Application::Epp : Puppet::Application::Parser).new
    app.face = face
    app.action = face.get_action(action_name.to_sym)
    app.render_as = (request['render_as'] || app.action.render_as || 'console').to_sym
    app.arguments = files + [(request['options'] || {}).transform_keys(&:to_sym)]
    STDIN.string = stdin_of(request)
    STDIN.terminal = !(request.key?('stdin') || request.key?('stdin_base64'))
    out, err = $stdout, $stderr
    begin
      $stdout = transcript.io('out')
      $stderr = transcript.io('err')
      app.main
      0
    rescue SystemExit => e
      e.status
    ensure
      $stdout = out
      $stderr = err
    end
  end

  def stdin_of(request)
    str = request['stdin_base64'] ? Base64.strict_decode64(request['stdin_base64']) : (request['stdin'] || '')
    str.dup.force_encoding(Encoding::UTF_8)
  end

  def place(request)
    if request['tree']
      Dir.mktmpdir('tree', @work) do |root|
        request['tree'].each do |name, content|
          file = File.expand_path(name, root)
          raise BadRequest, "outside of the tree: #{name}" unless file.start_with?("#{root}/")

          FileUtils.mkdir_p(File.dirname(file))
          content = Base64.strict_decode64(content['base64'].to_s) if content.is_a?(Hash)
          raise BadRequest, "a file is a string or {\"base64\": …}: #{name}" unless content.is_a?(String)

          File.binwrite(file, content)
        end
        put_stdlib(request['stdlib'], File.join(root, request['environment_folder'] || ''))
        Dir.chdir(root) { yield root }
      end
    elsif request['cwd']
      Dir.chdir(request['cwd']) { yield nil }
    else
      yield nil
    end
  rescue SystemCallError, ArgumentError => e
    raise BadRequest, e.message
  end

  # The real stdlib of a major version in the place of what the request has of it: that is what Pantin is shown.
  def put_stdlib(version, root)
    return if version.nil?

    real = stdlib(version)
    raise BadRequest, "no stdlib #{version} in #{DIR}; run tests/oracle/setup" unless File.directory?(real)

    FileUtils.mkdir_p(File.join(root, 'modules'))
    FileUtils.rm_rf(File.join(root, 'modules/stdlib'))
    FileUtils.ln_s(real, File.join(root, 'modules/stdlib'))
  end

  # Debian 12 has version 8.5 among the corpus, Debian 13 a version 9.
  def stdlib(version)
    debian12 = File.join(DIR, 'corpus/puppet-module-puppetlabs-stdlib')
    folder = version.to_s == '8' ? debian12 : File.join(DIR, 'stdlib9')
    File.join(folder, 'usr/share/puppet/modules.available/puppetlabs-stdlib')
  end

  def hide(str, root)
    root ? str.gsub(root, ROOT) : str
  end

  def absolute_if_scratch(path, root)
    root && path.is_a?(String) && (path == ROOT || path.start_with?("#{ROOT}/")) ? path.sub(ROOT, root) : path
  end

  def absolute(path, root)
    case path
    when Array then path.map { |p| absolute(p, root) }
    when String then root ? File.expand_path(absolute_if_scratch(path, root), root) : path
    end
  end
end

require_relative 'evaluation'
require_relative 'catalog'
require_relative 'lookup'
