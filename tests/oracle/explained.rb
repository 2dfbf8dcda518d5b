#!/usr/bin/env ruby
# frozen_string_literal: true

# ruby tests/oracle/explained.rb > tests/data/explained.json
#
# What `puppet lookup` prints of explanations, as text and as data: the files of an environment, and for each list of
# arguments its output and exit code. Runs the command of Puppet 7.23 on a throw-away folder, which is called /scratch.

require 'json'
require 'open3'
require 'tmpdir'
require 'fileutils'

FILES = {
  'hiera.yaml' => <<~YAML,
    version: 5
    hierarchy:
      - name: Roles
        path: "roles/%{facts.role}.yaml"
      - name: Tables
        data_hash: json_data
        paths: [gone.json, "table.json"]
      - name: Everywhere
        uri: "http://data/%{facts.role}"
        lookup_key: m::asked
      - name: Common
        globs: ["common*.yaml"]
  YAML
  'data/roles/web.yaml' => <<~YAML,
    plain: from role
    list: [c, d]
    table: { b: 20, c: { x: 1 } }
    m::merged: [role]
  YAML
  'data/table.json' => '{ "in_table": [1, 2.5, null, true], "list": ["t"] }',
  'data/common.yaml' => <<~YAML,
    plain: from common
    list: [a, b]
    table: { a: 1, b: 2 }
    text: "a %{::role} %{lookup('plain')} b"
    other: "%{alias('table')}"
    lost: "%{lookup('nowhere')}"
    deep: { one: { two: [x, y] } }
    secret: s
    m::merged: [common]
    lookup_options:
      list: { merge: unique }
      table: { merge: { strategy: deep, knockout_prefix: '--' } }
      '^m::.*': { merge: unique }
  YAML
  'modules/m/hiera.yaml' => <<~YAML,
    version: 5
    hierarchy:
      - name: Module
        path: m.yaml
    default_hierarchy:
      - name: Defaults
        path: defaults.yaml
  YAML
  'modules/m/data/m.yaml' => "m::merged: [module]\nm::own: { k: v }\n",
  'modules/m/data/defaults.yaml' => "m::fallen: back\n",
  'modules/m/functions/asked.pp' => <<~PP,
    function m::asked($key, $options, $context) {
      $context.explain || { "asked for ${key}" }
      $context.not_found()
    }
  PP
  'modules/bare/metadata.json' => '{ "name": "me-bare", "version": "1.0.0", "author": "me", "license": "x", "source": "x", "dependencies": [] }'
}.freeze

KEYS = [
  %w[plain], %w[list], %w[table], %w[text], %w[other], %w[lost], %w[deep.one.two.1], %w[deep.gone.two], %w[in_table],
  %w[m::merged], %w[m::own], %w[m::own.k], %w[m::fallen], %w[m::gone], %w[bare::x], %w[absent::x], %w[nowhere],
  %w[nowhere plain], %w[lookup_options], ['list', '--merge', 'first'], ['table', '--merge', 'hash'],
  ['table', '--merge', 'deep', '--sort-merged-arrays'], ['nowhere', '--default', 'd'], ['plain', '--type', 'Integer'],
  ['plain', '-v'], ['plain', '--trusted'], ['plain', '--explain-options'], ['list', '--explain-options']
].freeze
FORMATS = [%w[--explain], %w[--explain --render-as json], %w[--explain --render-as yaml]].freeze
MORE = [
  %w[--explain-options], %w[--explain-options --render-as json], %w[--explain-options --render-as YAML],
  %w[--explain-options table], %w[--explain-options table --render-as json], %w[--explain-options m::merged --render-as yaml],
  %w[plain --render-as binary], %w[list --render-as msgpack], %w[list --explain --render-as binary], %w[plain --render-as JSON],
  %w[plain -c]
].freeze

answers = []
Dir.mktmpdir do |root|
  root = File.realpath(root)
  FILES.each do |path, text|
    file = File.join(root, 'environments/production', path)
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, text)
  end
  FileUtils.mkdir_p(File.join(root, 'conf'))
  File.write(File.join(root, 'facts.json'), '{"role": "web"}')
  settings = ['--confdir', "#{root}/conf", '--vardir', "#{root}/var", '--environmentpath', "#{root}/environments"]
  (KEYS.flat_map { |key| FORMATS.map { |format| key + format } } + MORE).each do |arguments|
    given = ['--node', 'x.example.org', '--facts', "#{root}/facts.json"]
    out, err, status = Open3.capture3('puppet', 'lookup', *settings, *given, *arguments)
    clean = ->(text) { text.gsub(/\e\[[0-9;]*m/, '').gsub(root, '/scratch') }
    # Whatever goes wrong in a command, this is put before it.
    err = clean[err].sub('Error: Could not run: ', 'Error: ')
    answers << { 'arguments' => arguments, 'out' => clean[out], 'err' => err, 'code' => status.exitstatus }
  end
end
puts JSON.pretty_generate('files' => FILES, 'answers' => answers)
