# Lexes, parses and validates every manifest of a list in this process, three times: CPU seconds of
# the best pass each, as one line of JSON. Settings are each version's defaults.
#
#   ruby tests/oracle/bench.rb LIST [--puppet8]
require 'json'
root = File.expand_path('../..', __dir__)
if ARGV.include?('--puppet8')
  dir = ENV['PANTIN_ORACLE_DIR'] || File.join(root, 'target/oracle')
  $LOAD_PATH.unshift(File.join(dir, 'puppet8/usr/lib/ruby/vendor_ruby'))
end
require 'tmpdir'
require 'puppet'

scratch = Dir.mktmpdir
Puppet.initialize_settings(['--confdir', scratch, '--vardir', scratch])
files = File.readlines(ARGV[0], chomp: true)
sources = files.map { |file| [file, File.read(file)] }

def cpu
  before = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  yield
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - before
end

# Files that are refused count as work too.
def each_source(sources)
  sources.each do |file, source|
    yield file, source
  rescue StandardError
    nil
  end
end

best = Hash.new(Float::INFINITY)
Puppet.override(current_environment: Puppet.lookup(:root_environment)) do
  3.times do
    best['lex'] = [best['lex'], cpu do
      each_source(sources) do |file, source|
        lexer = Puppet::Pops::Parser::Lexer2.new
        lexer.lex_string(source, file)
        lexer.fullscan
      end
    end].min
    best['parse'] = [best['parse'], cpu do
      each_source(sources) { |file, source| Puppet::Pops::Parser::Parser.new.parse_string(source, file) }
    end].min
    best['validate'] = [best['validate'], cpu do
      each_source(sources) { |file, source| Puppet::Pops::Parser::EvaluatingParser.new.parse_string(source, file) }
    end].min
  end
end
puts JSON.generate({ 'version' => Puppet.version, 'files' => files.size,
                     'bytes' => sources.sum { |_, source| source.bytesize } }.merge(best))
