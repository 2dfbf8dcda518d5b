#!/usr/bin/env ruby
# frozen_string_literal: true

# How the classes and definitions of the corpus's modules are declared: with their defaults, and as the module's own
# specs and documents show it. A JSON line a case: `node`, `subject`, `from` (`defaults`, `spec`, `document`), `code`,
# `systems`, `facts` (beside those of the system).
#
#   ruby tests/oracle/modules/cases.rb FOLDER FACTS [MODULE...]
#
# The folder FACTS has `SYSTEM.json`, which the spec files may ask for. FOLDER gets `modules` (links to all of them),
# `cases/MODULE.jsonl`, and `environments/MODULE`, whose manifests have a node for each case. Prints the names of the
# modules that have cases. What was found by these scripts in these packages is not looked for again.

require_relative '../engine'
require_relative 'farm'
require_relative 'specs'
require_relative 'written'
require_relative 'documents'
require_relative 'systems'

Oracle.boot

# The cases of one module.
class Cases
  M = Puppet::Pops::Model

  # A public class or definition, and which of its parameters have no default.
  Subject = Struct.new(:name, :is_class, :required, :title)

  # Modules whose definitions run commands on the server.
  LEFT_OUT = %w[tdc].freeze

  # How many further sets of parameters a subject is declared with.
  SETS = 2
  # How many examples of documents, of those that declare none of the module's subjects.
  EXAMPLES = 8

  def initialize(mod, facts)
    @mod = mod
    @facts = facts
    @systems = Systems.of(mod)
    @parser = Puppet::Pops::Parser::EvaluatingParser.new
  end

  def list
    subjects = Dir[File.join(@mod.path, 'manifests/**/*.pp')].sort.flat_map { |file| subjects_in(file) }
    @base = subjects.find { |subject| subject.is_class && subject.name == @mod.name && subject.required.empty? }
    shown = Specs.of(@mod.path, subjects.map(&:name), @facts).group_by(&:subject)
    documented, loose = in_documents(subjects)
    cases = subjects.flat_map do |subject|
      next [] if LEFT_OUT.include?(@mod.name)

      of_subject(subject, shown.fetch(subject.name, []), documented.fetch(subject.name, []))
    end
    cases += loose.first(EXAMPLES).map { |code| line('(example)', 'document', code) }
    cases.uniq { |one| one['code'] }
  end

  private

  # The node is named by what it declares: an answer is known by its name.
  def line(subject, from, code, facts = {})
    node = "n#{Digest::SHA256.hexdigest(code + JSON.generate(facts))[0, 12]}.example.org"
    { 'node' => node, 'subject' => subject, 'from' => from, 'code' => code, 'systems' => @systems, 'facts' => facts }
  end

  def subjects_in(file)
    text = File.read(file, encoding: 'UTF-8')
    return [] if text.match?(/^\s*(assert_private|private)\b|@api\s+private/)

    definitions = definitions_in(text)
    definitions.grep(M::NamedDefinition).filter_map do |found|
      next unless found.is_a?(M::HostClassDefinition) || found.instance_of?(M::ResourceTypeDefinition)

      required = found.parameters.select { |parameter| parameter.value.nil? }.map(&:name)
      Subject.new(found.name, found.is_a?(M::HostClassDefinition), required, 'example')
    end
  end

  def definitions_in(text)
    parsed = @parser.parse_string(text.dup)
    parsed.is_a?(M::Program) ? parsed.definitions : []
  rescue Puppet::Error
    []
  end

  def of_subject(subject, examples, documented)
    sets = examples.filter_map { |example| written(subject, example) }.uniq { |set| set['code'] }
    base = defaults(subject, examples)
    chosen = spread(sets.reject { |set| set['code'] == base['code'] })
    chosen += documented.first([SETS - chosen.size, 0].max + 1).map { |code| line(subject.name, 'document', on_base(subject, code), facts_of(examples)) }
    chosen += [half(subject, examples)].compact if chosen.size < SETS
    [base, *chosen]
  end

  # Half of the parameters of the longest example, where only one is shown.
  def half(subject, examples)
    longest = examples.max_by { |example| example.params.size } or return
    wanted, free = longest.params.partition { |name, _| subject.required.include?(name.to_s) }
    written(subject, Specs::Example.new(subject.name, longest.title, (wanted + free.first(free.size / 2)).to_h, longest.before, longest.facts)) if free.size > 1
  end

  # What a person has who uses a part of a module: the class with the module's name, where the example leaves it out.
  def on_base(subject, code)
    return code if @base.nil? || subject.name == @base.name || code.match?(/['"]#{@base.name}['"]\s*:|include\s+:*#{@base.name}\b/)

    "include #{@base.name}\n#{code}"
  end

  def facts_of(examples)
    examples.map(&:facts).find(&:any?) || {}
  end

  # The first, and the longest of the others.
  def spread(sets)
    first, *others = sets
    [first, *others.max_by(SETS - 1) { |set| set['code'].size }].compact
  end

  # What is required is taken from the first example that has it.
  def defaults(subject, examples)
    examples += [Specs::Example.new(subject.name, '', {}, on_base(subject, ''), facts_of(examples))]
    having = examples.find { |example| (subject.required - example.params.keys.map(&:to_s)).empty? } || examples.last
    params = having.params.select { |name, _| subject.required.include?(name.to_s) }
    written(subject, Specs::Example.new(subject.name, having.title, params, having.before, having.facts)).merge('from' => 'defaults')
  rescue NoMethodError
    line(subject.name, 'defaults', Written.declaration(subject, {}))
  end

  # Nothing, if a value cannot be written, or if what comes before defines something.
  def written(subject, example)
    titled = subject.dup
    titled.title = example.title.empty? ? 'example' : example.title
    code = "#{example.before.strip}\n#{Written.declaration(titled, example.params)}".lstrip
    line(subject.name, 'spec', code, example.facts) if statements(code)
  rescue Written::Impossible, NoMethodError
    nil
  end

  # The statements of a code that can stand within a node's block.
  def statements(code)
    parsed = @parser.parse_string(code.dup)
    parsed = parsed.body if parsed.is_a?(M::Program) && parsed.definitions.empty?
    return nil if parsed.is_a?(M::Program)

    parsed.is_a?(M::BlockExpression) ? parsed.statements : [parsed].compact
  rescue Puppet::Error
    nil
  end

  # The examples by the subject that they declare first, and those that declare none.
  def in_documents(subjects)
    names = subjects.map(&:name)
    by = Hash.new { |hash, name| hash[name] = [] }
    loose = []
    manifests = Dir[File.join(@mod.path, 'manifests/**/*.pp')].sort
    (@mod.documents + manifests).flat_map { |path| Documents.blocks(path) }.uniq.each do |code|
      found = statements(code) or next
      declared = found.flat_map { |statement| declared_by(statement) }
      name = (declared & names).first
      if name then by[name] << "#{code}\n"
      elsif declared.any? then loose << "#{code}\n"
      end
    end
    [by, loose]
  end

  # The names of classes, and the types of resources, that a statement declares.
  def declared_by(statement)
    case statement
    when M::ResourceExpression
      type = statement.type_name
      return [] unless type.is_a?(M::QualifiedName)
      return [type.value.delete_prefix('::')] unless type.value == 'class'

      statement.bodies.map(&:title).grep(M::LiteralString).map { |title| title.value.delete_prefix('::') }
    when M::CallNamedFunctionExpression
      return [] unless statement.functor_expr.is_a?(M::QualifiedName) && %w[include contain require].include?(statement.functor_expr.value)

      statement.arguments.grep(M::QualifiedName).map { |name| name.value.delete_prefix('::') }
    when M::RelationshipExpression then declared_by(statement.left_expr) + declared_by(statement.right_expr)
    else []
    end
  end
end

# The environment whose nodes are the cases.
def lay_out(cases, folder)
  FileUtils.rm_rf(folder)
  FileUtils.mkdir_p(File.join(folder, 'manifests'))
  cases.each do |one|
    name, text = one.values_at('node', 'code')
    File.write(File.join(folder, "manifests/#{name.delete_suffix('.example.org')}.pp"), "node '#{name}' {\n#{text}}\n")
  end
end

folder, facts, *only = ARGV
abort 'usage: cases.rb FOLDER FACTS [MODULE...]' unless facts
FAMILIES = %w[debian-12 redhat-9].freeze
facts = FAMILIES.to_h { |name| [name, JSON.parse(File.read(File.join(facts, "#{name}.json"))).transform_keys(&:to_sym)] }
corpus = File.join(Oracle::DIR, 'corpus')
modules = Farm.all(corpus)
Farm.lay_out(modules, File.join(folder, 'modules'))
FileUtils.mkdir_p(File.join(folder, 'cases'))
stamp = Digest::SHA256.hexdigest([*Dir[File.join(__dir__, '*.rb')].sort, File.join(corpus, 'PACKAGES')].map { |file| File.read(file) }.join)
modules.each do |mod|
  next unless only.empty? || only.include?(mod.name)

  file = File.join(folder, 'cases', "#{mod.name}.jsonl")
  of = "#{file}.of"
  unless File.exist?(of) && File.read(of) == stamp
    # What spec files do to a process ends with it.
    process = fork do
      cases = Cases.new(mod, facts).list
      lay_out(cases, File.join(folder, 'environments', mod.name))
      File.write(file, cases.map { |one| "#{JSON.generate(one)}\n" }.join)
      File.write(of, stamp)
      exit!(true)
    end
    Process.wait(process)
    abort "cases: #{mod.name} fails" unless $?.success?
  end
  puts mod.name unless File.empty?(file)
end
