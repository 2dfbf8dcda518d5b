# frozen_string_literal: true

# What each program of benches/ruby costs the real Puppet once it is parsed and warm (templates and functions of real
# modules in Ruby), and what it costs to read all types of these modules: CPU seconds, a line of JSON for each.
#
#   ruby tests/oracle/bench_ruby.rb MODULES [NAME]
#
# MODULES is a folder of modules. The types are read in a process of their own each time, after Puppet itself has
# been loaded: nothing of before is kept.

require_relative 'measuring'

ROOT = File.expand_path('../..', __dir__)
PROGRAMS = File.join(ROOT, 'benches/ruby')
# How often the types are read: the best of these counts.
READS = 3

# In a process that has Puppet and nothing of these modules: CPU seconds, and how many types there are.
def read_types(folder)
  reader, writer = IO.pipe
  child = fork do
    $LOAD_PATH.push(*Dir[File.join(folder, '*/lib')])
    names = Dir[File.join(folder, '*/lib/puppet/type/*.rb')].map { |file| File.basename(file, '.rb') }.sort.uniq
    environment = Puppet::Node::Environment.create(:production, [folder], Puppet::Node::Environment::NO_MANIFEST)
    $stderr.reopen(File::NULL)
    Puppet.override(current_environment: environment, environments: Puppet::Environments::Static.new(environment)) do
      before = cpu
      read = names.count { |name| type_read(name) }
      writer.puts(JSON.generate([cpu - before, read]))
    end
    exit!(0)
  end
  writer.close
  Process.wait(child)
  JSON.parse(reader.read)
end

# What the real one reads of a type before it compiles: the class, its attributes and how titles are taken apart.
def type_read(name)
  type = Puppet::Type.type(name.to_sym)
  return false unless type

  [type.properties.map(&:name), type.parameters, type.key_attributes, type.title_patterns]
  true
rescue StandardError, ScriptError
  false
end

modules = File.expand_path(ARGV.fetch(0))
wanted = ARGV[1]
Oracle.boot
if wanted.nil? || wanted == 'types'
  rows = Array.new(READS) { read_types(modules) }
  best = rows.map(&:first).min
  puts JSON.generate({ 'name' => 'types', 'seconds' => best, 'value' => "#{rows[0][1]} types" })
end
Oracle.catalog_support
request = {
  'node' => 'web01.example.org', 'timeout' => 0, 'modulepath' => [modules],
  'settings' => { 'strict' => 'warning', 'strict_variables' => false }
}
facts = File.read(File.join(ROOT, 'fixtures/facts/web01.example.org.json'))
# Each run has its own scope, so that what it assigns is new each time.
manifest = ->(code, scope) { scope.with_local_scope({}) { code.call(scope) } }
Dir[File.join(PROGRAMS, '*.pp')].sort.each do |path|
  name = File.basename(path, '.*')
  # Puppet freezes the facts it is given.
  request['facts'] = JSON.parse(facts)
  measure(name, path, request, &manifest) if wanted.nil? || wanted == name
end
