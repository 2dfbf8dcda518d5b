# frozen_string_literal: true

# What the real Puppet knows of its native resource types, as JSON: attributes in their order, namevars, title
# patterns, automatic relationships.
#
#   ruby tests/oracle/kinds.rb [--puppet8|--openvox] [MODULE_FOLDER...] < SAMPLES
#
# Beside Puppet's own types: those of the `*_core` modules in the corpus, and of the module folders named.
# SAMPLES is an array of [type, title, parameters]; of each, it tells what the title gives and what the uniqueness key is.

require_relative 'engine'

module Kinds
  module_function

  def type_names(folders)
    own = File.join(File.dirname(Puppet::Type.method(:newtype).source_location[0]), '../type')
    ([own] + folders.map { |folder| File.join(folder, 'lib/puppet/type') })
      .flat_map { |folder| Dir[File.join(folder, '*.rb')] }.map { |file| File.basename(file, '.rb') }.sort.uniq
  end

  def pattern(regexp, fills)
    raise "a title pattern changes what it finds: #{fills}" unless fills.all? { |fill| fill.size == 1 }

    { 'pattern' => regexp.source, 'multi_line' => regexp.options.anybits?(Regexp::MULTILINE),
      'fills' => fills.map { |fill| fill[0].to_s } }
  end

  # [relation, type] in the order in which they are worked out.
  def automatic(type)
    %i[require subscribe before notify].flat_map do |relation|
      found = []
      type.send("eachauto#{relation}") { |other, _| found << [relation.to_s, other.to_s] }
      found
    end
  end

  def describe(name)
    type = Puppet::Type.type(name.to_sym) or raise "no type #{name}"
    { 'name' => name, 'properties' => type.properties.map { |klass| klass.name.to_s },
      'parameters' => type.parameters.map(&:to_s), 'namevars' => type.key_attributes.map(&:to_s), 'isomorphic' => type.isomorphic?,
      'patterns' => type.title_patterns.map { |regexp, fills| pattern(regexp, fills) },
      'automatic' => automatic(type) }
  end

  def answer(type, title, parameters)
    resource = Puppet::Resource.new(type, title, parameters: parameters)
    { 'title' => resource.send(:parse_title).map { |name, text| [name.to_s, text] }, 'key' => resource.uniqueness_key }
  rescue Puppet::Error => e
    { 'error' => e.message }
  end
end

folders = ARGV.reject { |argument| argument.start_with?('--') }.map { |folder| File.expand_path(folder) }
Oracle.boot(Oracle.version_of(ARGV))
folders += Oracle.core_modules
$LOAD_PATH.push(*folders.map { |folder| File.join(folder, 'lib') })
samples = JSON.parse($stdin.read)
puts JSON.generate('metaparameters' => Puppet::Type.metaparams.map(&:to_s),
                   'types' => Kinds.type_names(folders).map { |name| Kinds.describe(name) },
                   'answers' => samples.map { |sample| Kinds.answer(*sample) })
