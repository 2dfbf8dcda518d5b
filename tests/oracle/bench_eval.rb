# frozen_string_literal: true

# What each program of benches/programs costs the real Puppet once it is parsed and warm: CPU seconds of a run
# in this process, a line of JSON for each. Settings are those of Puppet 7, as the bench of Pantin has them.
#
#   ruby tests/oracle/bench_eval.rb [--puppet8|--openvox] [NAME]

require_relative 'measuring'

ROOT = File.expand_path('../..', __dir__)
PROGRAMS = File.join(ROOT, 'benches/programs')

def template(path)
  parser = Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new
  body = parser.parse_file(path).body
  ->(_, scope) { scope.with_global_scope { |global| parser.closure(body, global).call_by_name({}, true) } }
end

version = Oracle.version_of(ARGV)
wanted = ARGV[0]
Oracle.boot(version)
Oracle.catalog_support
request = {
  'node' => 'web01.example.org', 'timeout' => 0, 'modulepath' => [File.join(PROGRAMS, 'modules')],
  'settings' => { 'strict' => 'warning', 'strict_variables' => false }
}
facts = File.read(File.join(ROOT, 'fixtures/facts/web01.example.org.json'))
# Each run has its own scope, so that what it assigns is new each time.
manifest = ->(code, scope) { scope.with_local_scope({}) { code.call(scope) } }
files = Dir[File.join(PROGRAMS, '*.pp')].sort.map { |path| [path, manifest] }
vhosts = File.join(PROGRAMS, 'modules/bench/templates/vhosts.epp')
files << [vhosts, nil]
files.each do |path, run|
  name = File.basename(path, '.*')
  # Puppet freezes the facts it is given.
  request['facts'] = JSON.parse(facts)
  measure(name, path, request, &(run || template(path))) if wanted.nil? || wanted == name
end
