# frozen_string_literal: true

# What the real Puppet makes of the types of resources that modules declare in Ruby, as JSON.
#
#   ruby tests/oracle/types.rb MODULES...
#
# MODULES are folders of modules. Types that belong to the agent's package are left out: `kinds.rb` tells of them.

require_relative 'engine'

module Types
  module_function

  def names(folders)
    native = Oracle.core_modules.flat_map { |folder| Dir[File.join(folder, 'lib/puppet/type/*.rb')] }
    own = File.join(File.dirname(Puppet::Type.method(:newtype).source_location[0]), '../type')
    left_out = (native + Dir[File.join(own, '*.rb')]).map { |file| File.basename(file, '.rb') }
    folders.flat_map { |folder| Dir[File.join(folder, '*/lib/puppet/type/*.rb')] }
           .map { |file| File.basename(file, '.rb') }.sort.uniq - left_out
  end

  def patterns(type)
    type.title_patterns.map do |regexp, fills|
      [regexp.source, regexp.options.anybits?(Regexp::MULTILINE), fills.map { |fill| fill[0].to_s }]
    end
  rescue StandardError => e
    e.message
  end

  def describe(name)
    type = Puppet::Type.type(name.to_sym)
    return { 'name' => name, 'error' => 'not found' } unless type

    { 'name' => name, 'properties' => type.properties.map { |klass| klass.name.to_s },
      'parameters' => type.parameters.map(&:to_s), 'namevars' => type.key_attributes.map(&:to_s),
      'isomorphic' => type.isomorphic?, 'patterns' => patterns(type) }
  rescue StandardError => e
    { 'name' => name, 'error' => e.message }
  end
end

folders = ARGV.map { |folder| File.expand_path(folder) }
Oracle.boot
$LOAD_PATH.push(*folders.flat_map { |folder| Dir[File.join(folder, '*/lib')] })
environment = Puppet::Node::Environment.create(:production, folders, Puppet::Node::Environment::NO_MANIFEST)
Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
  puts JSON.generate(Types.names(folders).map { |name| Types.describe(name) })
end
