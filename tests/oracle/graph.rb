# frozen_string_literal: true

# The relationship graph of catalogs, as the real agent builds it.
#
#   ruby tests/oracle/graph.rb [--puppet8|--openvox] [MODULE_FOLDER...]
#
# One JSON object a line on standard input, one on standard output:
#
#   {"known": ["file", ...]}           the types whose automatic relationships count from now on; the default is all
#   {"manifest": "file { ... }"}       compiles it, and goes on as with the catalog, which is part of the answer
#   {"catalog": "JSON"}, {"file": PATH}
#
# The answer: `missing` (the error that ends the run, or null), and else the three drawings of `--graph`, `order`, and
# `cycles` (what is logged, or null) with `cycles_dot`. MODULE_FOLDER: modules with types that the
# catalogs need, beside the `*_core` modules in the corpus.

require_relative 'engine'

# Only known types have automatic relationships, and every provider can be had.
module Plain
  def self.known=(names)
    @known = names&.map(&:to_sym)
  end

  def self.known?(name)
    @known.nil? || @known.include?(name)
  end

  def autorelation(*arguments)
    Plain.known?(self.class.name) ? super : []
  end

  def suitable?
    true
  end
end

module Graphs
  module_function

  def answer(request)
    return Plain.known = request['known'] if request.key?('known')

    made = request['manifest'] ? compile(request['manifest']) : {}
    return made if made['error']

    text = made['catalog'] || request['catalog'] || File.read(request['file'])
    made.merge(graph(JSON.parse(text, max_nesting: 0)))
  end

  def compile(manifest)
    answer = Oracle.eval('source' => manifest, 'path' => '/scratch/manifests/site.pp', 'want' => ['catalog'])
    return { 'error' => answer['error'] } unless answer['catalog']

    { 'catalog' => JSON.generate(answer['catalog']) }
  end

  def graph(data)
    catalog = Puppet::Resource::Catalog.from_data_hash(data)
    ral = catalog.to_ral
    begin
      ral.finalize
    rescue Puppet::Error => e
      return { 'missing' => e.message }
    end
    graph = ral.relationship_graph
    { 'missing' => nil }.merge(drawings).merge(cycles(graph)).merge('order' => order(graph))
  rescue Puppet::Error, ArgumentError => e
    { 'error' => e.message }
  end

  def drawings
    %w[resources relationships expanded_relationships].to_h do |name|
      [name, File.read(File.join(Puppet[:graphdir], "#{name}.dot"))]
    end
  end

  def cycles(graph)
    Puppet[:graph] = false
    found = capture { graph.report_cycles_in_graph }
    return { 'cycles' => nil, 'cycles_dot' => nil } unless found

    file = graph.write_cycles_to_graph(graph.find_cycles_in_graph)
    { 'cycles' => found, 'cycles_dot' => File.read(file) }
  ensure
    Puppet[:graph] = true
  end

  # What is said of cycles goes to the log of errors.
  def capture
    said = nil
    Puppet.singleton_class.send(:define_method, :err) { |text| said = text }
    yield
    said
  ensure
    Puppet.singleton_class.send(:remove_method, :err)
  end

  def order(graph)
    order = []
    graph.singleton_class.send(:define_method, :report_cycles_in_graph) { nil }
    graph.traverse { |resource| order << resource.ref }
    order
  end
end

answers = $stdout.dup
answers.sync = true
$stdout.reopen(File::NULL, 'w')
folders = ARGV.reject { |argument| argument.start_with?('--') }.map { |folder| File.expand_path(folder) }
Oracle.boot(Oracle.version_of(ARGV))
$LOAD_PATH.push(*(folders + Oracle.core_modules).map { |folder| File.join(folder, 'lib') })
Puppet::Type.prepend(Plain)
Dir.mktmpdir('graphs') do |folder|
  Puppet[:graphdir] = folder
  Puppet[:graph] = true
  $stdin.each_line do |line|
    answers.puts(JSON.generate(Graphs.answer(JSON.parse(line)), max_nesting: 0))
  end
end
