#!/usr/bin/env ruby
# frozen_string_literal: true

# What the real Puppet, of both versions, says of an environment in which one file or folder cannot be had: a folder is in
# its place (or a file, where a folder should be), it may not be read, or it is a link that leads nowhere or to itself:
#
#   ruby tests/oracle/access.rb > tests/data/access.json
#
# and of `metadata.json` that is not as it should be. The superuser is refused nothing: started by it, this goes on as nobody.
# The folder of the environment is /scratch. Of an error of Ruby's the excerpt of the real one's own code is left out, which
# a server does not have, and so are the places of its code and numbers of open files. Data of hiera-eyaml is not asked
# for: its gem is not here.
require 'tmpdir'
ENV['HOME'] = Dir.tmpdir
if Process.uid.zero?
  Process::Sys.setgid(65_534)
  Process::Sys.setuid(65_534)
end
require_relative 'engine'

SITE = 'manifests/site.pp'
HIERARCHY = "version: 5\nhierarchy: [{name: one, %s}]\n"
DATA = "notice(lookup('m::key', default_value => 'default'))"

def data(text, name, content)
  ["data in #{name[/\w+\z/]}", { SITE => DATA, 'hiera.yaml' => format(HIERARCHY, text), "data/#{name}" => content }, "data/#{name}"]
end

# What it is, the files that there are, and which of them cannot be had.
FILES = [
  ['the manifest', { SITE => "notice('site')", 'environment.conf' => 'manifest = manifests/site.pp' }, SITE],
  ['one of several manifests', { 'manifests/a.pp' => "notice('a')", 'manifests/b.pp' => "notice('b')" }, 'manifests/b.pp'],
  ['environment.conf', { SITE => "notice('site')", 'environment.conf' => 'manifest = manifests' }, 'environment.conf'],
  ['the class of a module', { SITE => 'include m', 'modules/m/manifests/init.pp' => 'class m { }' }, 'modules/m/manifests/init.pp'],
  ['a class', { SITE => 'include m::c', 'modules/m/manifests/c.pp' => 'class m::c { }' }, 'modules/m/manifests/c.pp'],
  ['a class of a name with three parts', { SITE => 'include m::c::d', 'modules/m/manifests/c/d.pp' => 'class m::c::d { }' }, 'modules/m/manifests/c/d.pp'],
  ['a defined type', { SITE => "m::d { 'x': }", 'modules/m/manifests/d.pp' => 'define m::d { }' }, 'modules/m/manifests/d.pp'],
  ['the class above a class', { SITE => 'include m::c', 'modules/m/manifests/c.pp' => 'class m::c { }', 'modules/m/manifests/init.pp' => 'class m { }' }, 'modules/m/manifests/init.pp'],
  ['a function', { SITE => 'notice(m::f())', 'modules/m/functions/f.pp' => 'function m::f() { 1 }' }, 'modules/m/functions/f.pp'],
  ['a function of the environment', { SITE => 'notice(environment::f())', 'functions/environment/f.pp' => 'function environment::f() { 1 }' }, 'functions/environment/f.pp'],
  ['a function in Ruby', { SITE => 'notice(m::f())', 'modules/m/lib/puppet/functions/m/f.rb' => "Puppet::Functions.create_function(:'m::f') { def f; 1; end }" }, 'modules/m/lib/puppet/functions/m/f.rb'],
  ['an older function', { SITE => 'notice(oldf())', 'modules/m/lib/puppet/parser/functions/oldf.rb' => 'Puppet::Parser::Functions.newfunction(:oldf, type: :rvalue) { |a| 1 }' }, 'modules/m/lib/puppet/parser/functions/oldf.rb'],
  ['a type alias', { SITE => 'notice(1 =~ M::T)', 'modules/m/types/t.pp' => 'type M::T = Integer' }, 'modules/m/types/t.pp'],
  ['a template', { SITE => "notice(template('m/t.erb'))", 'modules/m/templates/t.erb' => 'text' }, 'modules/m/templates/t.erb'],
  ['a template in EPP', { SITE => "notice(epp('m/t.epp'))", 'modules/m/templates/t.epp' => 'text' }, 'modules/m/templates/t.epp'],
  ['a file', { SITE => "notice(file('m/f'))", 'modules/m/files/f' => 'text' }, 'modules/m/files/f'],
  ['the first of two files', { SITE => "notice(file('m/f', 'm/g'))", 'modules/m/files/f' => 'text', 'modules/m/files/g' => 'other' }, 'modules/m/files/f'],
  ['a file that is looked for', { SITE => "notice(find_file('m/f'))", 'modules/m/files/f' => 'text' }, 'modules/m/files/f'],
  ['a file of bytes', { SITE => "notice(String(binary_file('m/f')))", 'modules/m/files/f' => 'text' }, 'modules/m/files/f'],
  ['hiera.yaml', { SITE => DATA, 'hiera.yaml' => format(HIERARCHY, 'path: common.yaml'), 'data/common.yaml' => 'm::key: value' }, 'hiera.yaml'],
  ['hiera.yaml of a module', { SITE => DATA, 'modules/m/hiera.yaml' => format(HIERARCHY, 'path: common.yaml'), 'modules/m/data/common.yaml' => 'm::key: value' }, 'modules/m/hiera.yaml'],
  ['hiera.yaml of all environments', { SITE => DATA, 'global/hiera.yaml' => format(HIERARCHY, 'path: common.yaml') }, 'global/hiera.yaml'],
  data('path: common.yaml', 'common.yaml', 'm::key: value'),
  data('data_hash: json_data, path: common.json', 'common.json', '{"m::key": "value"}'),
  data('data_hash: hocon_data, path: common.conf', 'common.conf', 'm::key: value'),
  ['data that is found by a pattern', { SITE => DATA, 'hiera.yaml' => format(HIERARCHY, 'glob: "*.yaml"'), 'data/common.yaml' => 'm::key: value' }, 'data/common.yaml'],
  ['data of a module', { SITE => DATA, 'modules/m/hiera.yaml' => format(HIERARCHY, 'path: common.yaml'), 'modules/m/data/common.yaml' => 'm::key: value' }, 'modules/m/data/common.yaml'],
  ['metadata.json', { SITE => 'include m', 'modules/m/manifests/init.pp' => 'class m { }', 'modules/m/metadata.json' => '{"name":"a-m","version":"1.0.0","source":"s","author":"a","license":"l","dependencies":[]}' }, 'modules/m/metadata.json']
].freeze

FOLDERS = [
  ['the folder of manifests', { SITE => "notice('site')", 'environment.conf' => '' }, 'manifests'],
  ['a folder within that of manifests', { 'manifests/a.pp' => "notice('a')", 'manifests/b/c.pp' => "notice('c')" }, 'manifests/b'],
  ['the folder of modules', { SITE => 'include m', 'modules/m/manifests/init.pp' => 'class m { }' }, 'modules'],
  ['the folder of a module', { SITE => 'include m', 'modules/m/manifests/init.pp' => 'class m { }' }, 'modules/m'],
  ['the folder of the manifests of a module', { SITE => 'include m', 'modules/m/manifests/init.pp' => 'class m { }' }, 'modules/m/manifests'],
  ['the folder of files', { SITE => "notice(file('m/f'))", 'modules/m/files/f' => 'text' }, 'modules/m/files'],
  ['the folder of templates', { SITE => "notice(template('m/t.erb'))", 'modules/m/templates/t.erb' => 'text' }, 'modules/m/templates'],
  ['the folder of functions', { SITE => 'notice(m::f())', 'modules/m/functions/f.pp' => 'function m::f() { 1 }' }, 'modules/m/functions'],
  ['the folder of data', { SITE => DATA, 'hiera.yaml' => format(HIERARCHY, 'path: common.yaml'), 'data/common.yaml' => 'm::key: value' }, 'data'],
  ['a folder of data that is searched', { SITE => DATA, 'hiera.yaml' => format(HIERARCHY, 'glob: "*.yaml"'), 'data/common.yaml' => 'm::key: value' }, 'data']
].freeze

SPOILT = ['unreadable', 'a link to nowhere', 'a link to itself'].freeze
MODULE = { SITE => "include m\nnotice(m::f())", 'modules/m/manifests/init.pp' => 'class m { }',
           'modules/m/functions/f.pp' => "function m::f() { lookup('m::key', default_value => 'default') }" }.freeze
WHOLE = { 'name' => 'a-m', 'version' => '1.0.0', 'source' => 's', 'author' => 'a', 'license' => 'l', 'dependencies' => [] }.freeze

# What metadata.json says otherwise than it should: values of its keys, or the whole text.
METADATA = {
  'a dependency without a name' => { 'dependencies' => [{ 'version_requirement' => '>= 1' }] },
  'a dependency whose name is nothing' => { 'dependencies' => [{ 'name' => nil }] },
  'a dependency whose name is a number' => { 'dependencies' => [{ 'name' => 1 }] },
  'a dependency of an odd name' => { 'dependencies' => [{ 'name' => 'a b/../c' }] },
  'a dependency without an author' => { 'dependencies' => [{ 'name' => 'b' }] },
  'a dependency on itself' => { 'dependencies' => [{ 'name' => 'a/m' }] },
  'a dependency without a version' => { 'dependencies' => [{ 'name' => 'a/b' }] },
  'a dependency on no version' => { 'dependencies' => [{ 'name' => 'a/b', 'version_requirement' => 'what ever' }] },
  'a dependency on a number' => { 'dependencies' => [{ 'name' => 'a/b', 'version_requirement' => 1 }] },
  'a dependency that is a text' => { 'dependencies' => ['a/b'] },
  'a dependency that is a number' => { 'dependencies' => [1] },
  'a dependency that is an array' => { 'dependencies' => [['name']] },
  'a dependency that is nothing' => { 'dependencies' => [nil] },
  'dependencies as a hash' => { 'dependencies' => {} },
  'dependencies as a text' => { 'dependencies' => 'x' },
  'dependencies that are nothing' => { 'dependencies' => nil },
  'dependencies that are false' => { 'dependencies' => false },
  'an odd name' => { 'name' => 'a b/../c' },
  'the name of another' => { 'name' => 'a-other' },
  'a name that is a number' => { 'name' => 1 },
  'a name that is false' => { 'name' => false },
  'an empty name' => { 'name' => '' },
  'a version that is none' => { 'version' => 'x' },
  'a version that is a number' => { 'version' => 1.5 },
  'another provider of data' => { 'data_provider' => 'x' },
  'a provider of data that is a number' => { 'data_provider' => 1 },
  'no entries' => '{}', 'no entries, as an array' => '[]', 'an array' => '[1]', 'an array of pairs' => '[["name", "a-m"]]',
  'nothing' => '', 'space' => " \n", 'a text' => '"x"', 'an empty text' => '""', 'a number' => '1', 'null' => 'null', 'true' => 'true',
  'a byte order mark' => "\u{feff}#{JSON.generate(WHOLE)}", 'a comment' => "// x\n#{JSON.generate(WHOLE)}",
  'a comma too many' => JSON.generate(WHOLE).sub(/}\z/, ',}'), 'a key twice' => '{"name": "a-m", "name": "a-n"}',
  'a name that is no UTF-8' => JSON.generate(WHOLE).b.sub('a-m', "a-m\xff".b),
  'an author who is no UTF-8' => JSON.generate(WHOLE).b.sub('"a"', "\"\xff\"".b)
}.merge(WHOLE.keys.to_h { |key| ["no #{key}", JSON.generate(WHOLE.except(key))] }).freeze

def text_of(said)
  return JSON.generate(WHOLE.merge(said)) if said.is_a?(Hash)

  said.encoding == Encoding::BINARY ? { 'bytes' => said.bytes } : said
end

METADATA_CASES = METADATA.map do |what, said|
  { 'case' => "metadata.json: #{what}", 'files' => MODULE.merge('modules/m/metadata.json' => text_of(said)) }
end.freeze

ACCESS_CASES = [[FILES, 'a folder'], [FOLDERS, 'a file']].flat_map do |list, other|
  list.flat_map do |what, files, target|
    [other, *SPOILT].map { |how| { 'case' => "#{what}: #{how}", 'files' => files, 'target' => target, 'how' => how } }
  end
end.freeze

CASES = (ACCESS_CASES + METADATA_CASES).freeze

def spoil(path, how)
  return File.chmod(0, path) if how == 'unreadable'

  FileUtils.rm_r(path)
  case how
  when 'a folder' then FileUtils.mkdir(path)
  when 'a file' then File.write(path, '')
  else File.symlink(how == 'a link to nowhere' ? 'nowhere' : File.basename(path), path)
  end
end

def steady(line)
  line.sub(/\n\n.*?\^+(?= |\z)/m, '').sub(/io_fillbuf - fd:\d+ /, 'io_fread - ')
      .sub(%r{Filepath: .*/(file_impl.rb)\n  Line: \d+}, 'Filepath: \1')
end

def answer(one)
  Dir.mktmpdir('access') do |above|
    above = File.realpath(above)
    folder = File.join(above, 'production')
    one['files'].each do |name, text|
      FileUtils.mkdir_p(File.dirname(File.join(folder, name)))
      File.binwrite(File.join(folder, name), text.is_a?(Hash) ? text['bytes'].pack('C*') : text)
    end
    spoilt = one['target'] && File.join(folder, one['target'])
    spoil(spoilt, one['how']) if spoilt
    request = { 'settings' => { 'hiera_config' => File.join(folder, 'global/hiera.yaml') } }
    node = { 'name' => 'node.example.org', 'enc' => {}, 'text' => nil }
    said = Oracle.hide_all(Oracle.compiled(request, node, 'production', above), folder, [above, '/environments'])
    File.chmod(0o755, spoilt) if one['how'] == 'unreadable'
    lines = said['log'].map { |entry| entry['text'] }
    lines << "Error: #{said['error']['message']}" if said['error']
    lines.map { |line| steady(line) }
  end
end

def answers(version)
  reader, writer = IO.pipe
  fork do
    $stdout.reopen(File::NULL, 'w')
    Oracle.boot(version)
    Oracle.catalog_support
    writer.write(JSON.generate(CASES.map { |one| answer(one) }))
    writer.close
  end
  writer.close
  JSON.parse(reader.read)
end

seven, eight = [nil, '--puppet8'].map { |option| answers(Oracle::VERSIONS[option]) }
puts JSON.pretty_generate(CASES.zip(seven, eight).map { |one, *said| one.merge('7' => said[0], '8' => said[1]) })
