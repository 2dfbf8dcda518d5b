# frozen_string_literal: true

# What of Ruby the modules use that have to be evaluated: methods, constants and words of the language, in templates,
# functions of both interfaces and data types. Names and counts alone, as a document in Markdown.
#
#   ruby tests/oracle/census.rb FOLDER_OF_MODULES SOURCES_OF_THE_SMALL_RUBY > tests/oracle/CENSUS.md
#
# That what is named there is there, and does the same, is what `cargo test --test compare -- census` says.

require 'erb'
require 'ripper'

KINDS = {
  'ERB templates' => 'templates/**/*',
  'functions (4.x)' => 'lib/puppet/functions/**/*.rb',
  'functions (3.x)' => 'lib/puppet/parser/functions/**/*.rb',
  'data types' => 'lib/puppet/datatypes/**/*.rb',
}.freeze

# What a grammar's node is to a person.
WORDS = {
  if: 'if', if_mod: 'if (behind)', unless: 'unless', unless_mod: 'unless (behind)', while: 'while', until: 'until', for: 'for',
  case: 'case', in: 'in (pattern)', ifop: '?:', begin: 'begin', rescue: 'rescue', rescue_mod: 'rescue (behind)',
  ensure: 'ensure', def: 'def', defs: 'def (singleton)', lambda: '->', class: 'class', module: 'module', return: 'return',
  next: 'next', break: 'break', yield: 'yield', opassign: 'assignment with an operator', massign: 'multiple assignment',
  regexp_literal: 'regular expression', dot2: '..', dot3: '...', hash: 'hash', string_embexpr: 'interpolation',
  xstring_literal: 'backticks', defined: 'defined?', super: 'super', zsuper: 'super', sclass: 'class <<', alias: 'alias'
}.freeze

# Why a name is not in the sources of the small Ruby.
REASONS = {
  %w[Augeas NO_MODL_AUTOLOAD augeas? augeas] => 'Augeas, a library in C (in `augeas` and in a function of stdlib that is native)',
  %w[get] => 'a method of Augeas, and of the client of a database (`redis`)',
}.freeze

# Each name with how often it is used, and in which modules.
class Tally
  def initialize
    @uses = Hash.new { |uses, name| uses[name] = Hash.new(0) }
  end

  def add(name, of)
    @uses[name][of] += 1
  end

  # Those of more than one module first, the commonest first.
  def rows
    @uses.map { |name, modules| [name, modules.size, modules.values.sum] }.sort_by { |name, modules, uses| [-modules, -uses, name] }
  end
end

# The Ruby of a file; nil where it is none.
def code_of(file)
  text = File.binread(file).force_encoding('UTF-8').scrub
  return text if file.end_with?('.rb')
  return nil if file.end_with?('.epp') || !text.include?('<%')

  ERB.new(text, trim_mode: '-').src
end

def name_of(node)
  node.is_a?(Array) && node[0].is_a?(Symbol) && node[0].to_s.start_with?('@') ? node[1] : nil
end

# The text that `require` is called with.
def library_of(node)
  return nil unless node[0] == :command && name_of(node[1]) == 'require'

  text = node[2].flatten
  text.include?(:string_embexpr) ? nil : text[text.index(:@tstring_content).to_i + 1]
end

def walk(node, found)
  return unless node.is_a?(Array)

  found[:library].call(library_of(node))

  case node[0]
  when :call, :command_call then found[:method].call(name_of(node[3]) || 'call')
  when :fcall, :command, :vcall then found[:method].call(name_of(node[1]))
  when :aref then found[:method].call('[]')
  when :binary then found[:method].call(node[2].to_s) unless %i[and or && ||].include?(node[2])
  when :@const then found[:constant].call(node[1])
  end
  found[:word].call(WORDS[node[0]]) if WORDS.key?(node[0])
  node.each { |part| walk(part, found) }
end

modules, sources = ARGV
texts = Dir["#{sources}/**/*.rs"].flat_map { |file| File.read(file).scan(/"([^"\s]+)"/).flatten }
known = texts.flat_map { |text| [text, *text.split('::')] }.to_h { |name| [name, true] }
tallies = %i[method constant word library].to_h { |kind| [kind, Tally.new] }
counts = KINDS.keys.to_h { |kind| [kind, [0, 0]] }
Dir["#{modules}/*"].sort.each do |folder|
  of = File.basename(folder)
  KINDS.each do |kind, pattern|
    files = Dir["#{File.realpath(folder)}/#{pattern}"].select { |file| File.file?(file) }
    read = files.filter_map { |file| (code = code_of(file)) && Ripper.sexp(code) }
    counts[kind][0] += read.size
    counts[kind][1] += 1 unless read.empty?
    found = tallies.transform_values { |tally| ->(name) { tally.add(name, of) if name } }
    read.each { |tree| walk(tree, found) }
  end
end

puts "# What modules use of Ruby\n\n"
puts "Made by `ruby tests/oracle/census.rb` of the modules that `tests/oracle/setup` unpacks: the Ruby that has to be evaluated to\n" \
     "compile a catalog. Names that the modules themselves define are among them. Left out: what one module alone uses.\n\n"
puts '| | files | modules |', '|---|---|---|'
counts.each { |kind, (files, of)| puts "| #{kind} | #{files} | #{of} |" }
{ word: 'Words of the language', library: 'Libraries', constant: 'Constants', method: 'Methods' }.each do |kind, title|
  rows = tallies[kind].rows
  common = rows.select { |_, of, _| of > 1 }
  puts "\n## #{title}\n\n#{common.size} in more than one module, #{rows.size - common.size} in one alone.\n\n"
  if kind == :word
    puts common.map { |name, of, uses| "`#{name}` #{of} (#{uses})" }.join(', ')
    next
  end
  # `scope.function_x` calls any function x.
  named, others = common.partition { |name, _, _| known[name] || name.start_with?('function_') }
  shown = ->(list) { list.map { |name, of, uses| "`#{name.gsub('|', '\\|')}` #{of} (#{uses})" }.join(', ') }
  puts "Each with the number of its modules, and of its uses.\n\n#{shown[named]}\n"
  puts "\nNot named in the sources of the small Ruby: #{others.empty? ? 'none' : shown[others]}"
  REASONS.each do |names, reason|
    here = names & others.map(&:first)
    puts "\n- #{here.map { |name| "`#{name}`" }.join(', ')}: #{reason}" unless here.empty?
  end
end
