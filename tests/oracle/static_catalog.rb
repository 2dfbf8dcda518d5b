#!/usr/bin/env ruby
# frozen_string_literal: true

# What the real Puppet says of files in the static catalog of `tests/data/static_catalog.pp`:
#
#   ruby tests/oracle/static_catalog.rb > tests/data/static_catalog.json
#
# The folder of the environment is called /scratch; ids are 0, times are left out, and what is in a folder comes in the
# order of names: Ruby has it in the order of the disk.
require_relative 'engine'

FILES = { 'a.txt' => "text\n", 'dir/x' => 'x', 'dir/y/z' => "z\n", 'dir/old.bak' => '', 'other/x' => 'other', 'other/w' => 'w' }.freeze

def steady(value, folder)
  case value
  when Hash
    value.to_h { |key, inner| [key, %w[owner group].include?(key) ? 0 : steady(inner, folder)] }
  when Array then value.map { |inner| steady(inner, folder) }
  when String then value.gsub(folder, '/scratch').sub(/\A\{ctime\}.*/, '{ctime}')
  else value
  end
end

def sorted(recursive)
  recursive&.transform_values { |sources| sources.transform_values { |list| list.sort_by { |one| [one['relative_path'].count('/'), one['relative_path'] == '.' ? '' : one['relative_path']] } } }
end

Oracle.boot
Oracle.catalog_support
Dir.mktmpdir('static') do |above|
  folder = File.join(above, 'production')
  files = FILES.transform_keys { |name| "modules/m/files/#{name}" }
  files['manifests/site.pp'] = File.read(File.join(__dir__, '../data/static_catalog.pp'))
  files.each do |name, text|
    FileUtils.mkdir_p(File.dirname(File.join(folder, name)))
    File.write(File.join(folder, name), text)
    File.chmod(0o644, File.join(folder, name))
  end
  File.symlink('a.txt', File.join(folder, 'modules/m/files/link'))
  Oracle.with_settings('environmentpath' => above, 'default_file_terminus' => 'file_server') do
    Oracle.in_directory(above, 'production') do |env|
      facts = Puppet::Node::Facts.new('n.example.org', {})
      node = Oracle.classified('n.example.org', nil, env, facts)
      options = { environment: env, use_node: node, static_catalog: true, code_id: 'of today', checksum_type: 'sha256.md5' }
      catalog = Puppet::Resource::Catalog.indirection.find('n.example.org', **options).to_data_hash
      answer = catalog.slice('code_id', 'metadata', 'recursive_metadata')
      answer['recursive_metadata'] = sorted(answer['recursive_metadata'])
      puts JSON.pretty_generate(steady(answer, folder))
    end
  end
end
