#!/usr/bin/env ruby
# frozen_string_literal: true

# Checks the oracle itself: answers do not depend on what was asked before, nothing ends the process,
# small questions are quick; with --commands also that validate_cli and cli give what the real commands
# print (some minutes, for each is a process of its own).
#
#   ruby tests/oracle/selfcheck.rb [--commands] [--only 7|8]

require 'base64'
require 'json'
require 'open3'
require 'tmpdir'
require 'fileutils'

HERE = __dir__
DIR = ENV['PANTIN_ORACLE_DIR'] || File.expand_path('../../target/oracle', HERE)
LIB8 = File.join(DIR, 'puppet8/usr/lib/ruby/vendor_ruby')

commands = ARGV.delete('--commands')
versions = (i = ARGV.index('--only')) ? [ARGV[i + 1].to_i] : [7, 8]
$failures = 0

def fail_with(what, detail = nil)
  $failures += 1
  puts "FAILED: #{what}", *detail
end

class Asker
  def initialize(version)
    @io = IO.popen([File.join(HERE, 'oracle'), version.to_s], 'r+b')
  end

  def raw(line)
    @io.puts(line)
    @io.flush
    @io.gets or raise 'the oracle is gone'
  end

  def ask(request)
    JSON.parse(raw(JSON.generate(request, max_nesting: 0)), max_nesting: 0)
  end

  def close
    @io.close
  end
end

def b64(bytes)
  { 'base64' => Base64.strict_encode64(bytes.b) }
end

def parse(source, more = {})
  { 'op' => 'parse', 'source_base64' => Base64.strict_encode64(source.b), 'want' => %w[pn json tokens] }.merge(more)
end

QUESTIONS = [
  { 'op' => 'version' },
  parse("notice(\"a\\qb\")\n$a = 1\n", 'path' => '/some/path.pp'),
  parse("notice(\"a\\qb\")\n$a = = 1\n", 'path' => '/some/path.pp'),
  parse('$a = { a => 1, a => 2 }'),
  parse('$a = { a => 1, a => 2 }', 'settings' => { 'strict' => 'off' }),
  parse('$a = { a => 1, a => 2 }', 'settings' => { 'strict' => 'warning' }),
  parse('$a = { a => 1, a => 2 }', 'settings' => { 'strict' => 'error' }),
  parse('1 2 class a { 3 } $1x = 1'),
  parse("$A = 1\n" * 20),
  parse("$A = 1\n" * 20, 'settings' => { 'max_errors' => 3 }),
  parse("$A = 1\n" * 20, 'settings' => { 'max_errors' => 1 }),
  parse("$a = \"\\q\"\n" * 12),
  parse('$x = { a => 1, a => 1 } $y = { b => 1, b => 2 } $A = 1 $B = 2', 'settings' => { 'strict' => 'warning' }),
  parse('plan x() { }'),
  parse('plan x() { }', 'settings' => { 'tasks' => true }),
  parse('apply("x") { }', 'settings' => { 'tasks' => true }),
  parse('class foo { }', 'path' => '/m/foo/manifests/bar.pp'),
  parse('class foo { }', 'path' => '/m/foo/manifests/bar.pp', 'modulepath' => ['/m']),
  parse('class foo { }', 'path' => '/m/foo/manifests/init.pp', 'modulepath' => ['/m']),
  parse('class foo { }', 'path' => '/m/foo/manifests/bar.pp', 'modulepath' => ['/m'], 'manifest' => '/m/foo/manifests/bar.pp'),
  parse("@(x:json)\n{ ]\n| x\n"),
  parse("$a = @(x:json)\n{ ]\n| x\n"),
  parse("$a = @(\"x\"/L)\n  a${b}\\\n  c\\q\n  | x\n"),
  parse('$a = 1, notice 1'),
  parse('function f($x) >> 3 { }'),
  parse('define d(Integer[$x] $y) { }'),
  parse('<%- |$a| -%>x<%= $a %>', 'kind' => 'epp'),
  parse('x <% if true { %>y', 'kind' => 'epp', 'path' => '/t.epp'),
  parse('x <% ', 'kind' => 'epp'),
  parse(''),
  parse('', 'kind' => 'epp'),
  parse("\xEF\xBB\xBF$a = 1", 'path' => '/bom.pp'),
  parse("$a = '\xFF'"),
  parse("# \xFF", 'kind' => 'epp'),
  parse("$a = \0"),
  parse('$a = /(/'),
  parse('$a = "\u{110000}"'),
  parse("$a = 'täglich €' $ä = 1"),
  parse('1', 'validate' => false),
  parse('1 2', 'validate' => false),
  parse("$a = #{'(' * 5000}1#{')' * 5000}"),
  parse('{' * 100_000),
  parse("$a = '#{'x' * 1_000_000}'", 'want' => ['pn']),
  { 'op' => 'eval', 'source' => "notice('hi') warning($x) notify { 'a': } fail('x')" },
  { 'op' => 'eval', 'source' => "notify { 'a': } notice($facts['os'])", 'facts' => { 'os' => 'x' }, 'want' => ['catalog'] },
  { 'op' => 'eval', 'source' => 'type A = Integer  define d { } d { a: } notice(3 =~ A)' },
  { 'op' => 'eval', 'source' => 'notice(3 =~ A)' },
  *[
    'function f($x) { $x * 2 } f(3)', 'f(3)', 'm::f(3)', '[Timestamp("2020-01-01"), SemVer("1.2.3"), Binary("YQ=="), Sensitive(1), /x/]',
    'type B = Object[{attributes => {a => Integer}}]  B(3)', 'B(3)', 'type B = Variant[Integer, Array[B]]  [[1]] =~ B', 'Error("x")',
    'class c($p = 1) { notice($p) } include c', 'include c', 'notify { "x": } Notify["x"] { message => 1 }', 'File { mode => "1" } file { "/x": }',
    'function r($x) { r($x + 1) } r(1)', '1 + "x"', '$x = = 1', '$facts', '$server_facts', '"${nothing}" + 1', 'fail("x")', 'err("x")',
    'notice("\q")', '[1, 2].map |Hash[String, Tuple[Integer, 1]] $x| { $x }', 'Integer["\q"]', 'new(Object[{attributes => {a => Integer}}], 3)',
    'type C = Object[{functions => {f => Callable[Integer]}}]  C()', 'hiera("x")', 'lookup("x")', 'deprecation("a", "b")', 'deprecation("a", "b")',
    'tag("a") tagged("a")', 'tagged("a")', '$x = 1 $x = 2', 'node default { notice(1) } 3', 'realize(Notify[a])', 'Notify <| |>', 'include nothing'
  ].map { |source| { 'op' => 'eval', 'source' => source } },
  { 'op' => 'eval', 'source' => '$facts', 'facts' => { 'a' => [1, { 'b' => nil }] }, 'trusted' => { 'x' => 'y' } },
  { 'op' => 'eval', 'source' => '"${nothing}"', 'settings' => { 'strict_variables' => true } },
  { 'op' => 'eval', 'source' => '"${nothing}"', 'settings' => { 'strict_variables' => false, 'strict' => 'off' } },
  { 'op' => 'eval', 'source' => 'm::f(3) + m::g()', 'files' => { 'modules/m/functions/f.pp' => 'function m::f($x) { notice($x) $x }' } },
  { 'op' => 'eval', 'source' => 'm::f(3)', 'files' => { 'modules/m/functions/f.pp' => "function m::f($x) {\n  $x + 'a'\n}" } },
  { 'op' => 'eval', 'source' => 'include m [module_directory("m"), 3 =~ M::T, epp("m/a.epp", {a => 1})]',
    'files' => { 'modules/m/manifests/init.pp' => 'class m { notice("m") }', 'modules/m/types/t.pp' => 'type M::T = Integer',
                 'modules/m/templates/a.epp' => '<%- |$a| -%><%= $a %>' } },
  { 'op' => 'eval', 'source' => 'm::f(3)', 'files' => { 'modules/m/functions/f.pp' => { 'base64' => Base64.strict_encode64("# \xFF".b) } } },
  { 'op' => 'eval', 'kind' => 'epp', 'source' => '<%- |$a| -%>x<%= $a %>', 'params' => { 'a' => 1 } },
  { 'op' => 'eval', 'kind' => 'epp', 'source' => '<%- |$a| -%>x<%= $a %>' },
  *[
    { 'files' => {} },
    { 'files' => { 'manifests/site.pp' => "notify { 'a': }\n@@notify { 'e': }\nNotify <<| |>>" } },
    { 'files' => { 'manifests/site.pp' => 'Notify <<| tag == x and title != y |>>' },
      'exported' => [{ 'certname' => 'o', 'type' => 'Notify', 'title' => 'e', 'tags' => ['x'], 'parameters' => { 'message' => 'm' } }] },
    { 'files' => { 'manifests/a.pp' => 'notice($environment, $x, lookup("k"))', 'data/common.yaml' => 'k: 1' }, 'facts' => { 'x' => 1 },
      'enc' => "classes: {c: {p: 1}}\nparameters: {x: 2}\nenvironment: other" },
    { 'files' => { 'environment.conf' => "modulepath = site\nmanifest = a.pp", 'a.pp' => 'include m', 'site/m/manifests/init.pp' => 'class m { }' } },
    { 'files' => { 'manifests/site.pp' => '$x = = 1' } }, { 'files' => { 'manifests/site.pp' => 'include nothing' } }, { 'enc' => 'x: [' },
    { 'settings' => { 'code' => 'notice($settings::manifest)' }, 'level' => 'info' }
  ].map { |question| { 'op' => 'catalog' }.merge(question) },
  { 'op' => 'eval', 'kind' => 'epp', 'source' => "a\n<%= $nothing %>", 'path' => '/scratch/modules/m/templates/a.epp',
    'files' => { 'modules/m/templates/a.epp' => "a\n<%= $nothing %>" } }
].freeze

BAD_LINES = ['nothing', '[]', '3', '{', '{}', '{"op":"x"}', '{"op":"parse"}', '{"op":"parse","source":3}', "\xFF",
             '{"op":"parse","source":"1","settings":{"no_such":1}}', '{"op":"parse","source":"1","settings":{"strict":"x"}}',
             '{"op":"parse","source":"1","kind":"x"}', '{"op":"parse","source_base64":"%"}', '{"op":"parse","source":"1","want":3}',
             '{"op":"eval"}', '{"op":"eval","source":"1","kind":"x"}', '{"op":"eval","source":"1","facts":3}', '{"op":"eval","source":"1","files":["a"]}',
             '{"op":"eval","source":"1","files":{"../x":"1"}}', '{"op":"eval","source":"1","files":{"x":3}}',
             '{"op":"validate_cli","tree":{"../x":"1"}}', '{"op":"parse","source":"1","path":3}', "#{'[' * 10_000}"].freeze

BROKEN = "$a = = 1\n"
TWO = "$1x = 1\n$Bx = 2\n"
WARNED = "notice(\"\\q\")\n"
FINE = "notice('x')\n"

# what is given to the real command and to the oracle: options, files, standard input
def command(files, tree: {}, stdin: nil, face: 'parser', action: 'validate', settings: {}, options: {}, render_as: nil)
  { 'op' => 'cli', 'face' => face, 'action' => action, 'files' => files, 'tree' => tree, 'settings' => settings,
    'options' => options, 'render_as' => render_as, 'stdin' => stdin || '' }
end

COMMANDS = [
  command(%w[a.pp], tree: { 'a.pp' => FINE }),
  command(%w[a.pp], tree: { 'a.pp' => '' }),
  command(%w[a.pp], tree: { 'a.pp' => BROKEN }),
  command(%w[a.pp], tree: { 'a.pp' => "class a {\n" }),
  command(%w[a.pp], tree: { 'a.pp' => TWO }),
  command(%w[a.pp], tree: { 'a.pp' => WARNED }),
  command(%w[a.pp], tree: { 'a.pp' => WARNED + BROKEN }),
  command(%w[a.pp], tree: { 'a.pp' => WARNED + TWO }),
  command(%w[a.pp b.pp c.pp d.pp], tree: { 'a.pp' => BROKEN, 'b.pp' => FINE, 'c.pp' => TWO, 'd.pp' => WARNED }),
  command(%w[a.pp b.pp], tree: { 'a.pp' => TWO, 'b.pp' => TWO }),
  command(%w[a.pp a.pp], tree: { 'a.pp' => BROKEN }),
  command(%w[a.pp none.pp b.pp nor.pp], tree: { 'a.pp' => BROKEN, 'b.pp' => WARNED }),
  command(%w[none.pp]),
  command(%w[d], tree: { 'd/a.pp' => FINE, 'd/b.pp' => BROKEN, 'd/c.pp' => '= 1' }),
  command(%w[d], tree: { 'd/x.txt' => 'x' }),
  command(%w[a.txt], tree: { 'a.txt' => BROKEN }),
  command(%w[a.epp], tree: { 'a.epp' => 'a <%= $b %>' }),
  command([], stdin: FINE),
  command([], stdin: BROKEN),
  command([], stdin: TWO),
  command([], stdin: WARNED),
  command([], stdin: ''),
  command(%w[a.pp], tree: { 'a.pp' => '$a = { a => 1, a => 2 }' }),
  command(%w[a.pp], tree: { 'a.pp' => '$a = { a => 1, a => 2 }' }, settings: { 'strict' => 'error' }),
  command(%w[a.pp], tree: { 'a.pp' => '$a = { a => 1, a => 2 }' }, settings: { 'strict' => 'warning' }),
  command(%w[a.pp], tree: { 'a.pp' => "$a = { a => 1, a => 2 }\n$B = 1\n$C = 1\n" }, settings: { 'strict' => 'warning' }),
  command(%w[a.pp], tree: { 'a.pp' => "$A = 1\n" * 20 }),
  command(%w[a.pp], tree: { 'a.pp' => "$A = 1\n" * 20 }, settings: { 'max_errors' => 1 }),
  command(%w[a.pp], tree: { 'a.pp' => "$a = { a => 1, a => 2 }\n" * 20 }, settings: { 'strict' => 'warning' }),
  command(%w[a.pp], tree: { 'a.pp' => 'plan x() { }' }),
  command(%w[a.pp], tree: { 'a.pp' => 'plan x() { }' }, settings: { 'tasks' => true }),
  command(%w[a.pp], tree: { 'a.pp' => b64("\xEF\xBB\xBF$a = 1") }),
  command(%w[a.pp], tree: { 'a.pp' => b64("$a = '\xFF'") }),
  command(%w[a.pp b.pp], tree: { 'a.pp' => b64("$a = '\xFF'"), 'b.pp' => BROKEN }),
  command(%w[b.pp a.pp], tree: { 'a.pp' => '$a = /(/', 'b.pp' => BROKEN }),
  command(%w[a.pp], tree: { 'a.pp' => "$a = \0" }),
  command(%w[b.pp a.pp b.pp], tree: { 'a.pp' => "$a = #{'(' * 5000}1#{')' * 5000}", 'b.pp' => BROKEN }),
  command(%w[a.pp], tree: { 'a.pp' => 'define d(Integer[$x] $y) { }' }),
  command(%w[a.pp], tree: { 'a.pp' => "$a = @(x:json)\n{ ]\n| x\n" }),
  command(%w[a.pp b.pp], tree: { 'a.pp' => BROKEN, 'b.pp' => TWO }, render_as: 'json'),
  command(%w[b.pp a.pp b.pp], tree: { 'a.pp' => '$a = 1, notice 1', 'b.pp' => BROKEN }),
  command(%w[a.pp], tree: { 'a.pp' => "class 'foo' { }" }),
  command(%w[a.pp], tree: { 'a.pp' => WARNED + TWO }, render_as: 'json'),
  command([], stdin: '$A = 1', render_as: 'json'),
  command(%w[a.pp c.pp], tree: { 'a.pp' => FINE, 'c.pp' => WARNED }, action: 'dump', options: { 'format' => 'json' }),
  command(%w[a.pp], tree: { 'a.pp' => "apply('x') { }" }, action: 'dump', options: { 'format' => 'pn' }, settings: { 'tasks' => true }),
  command(%w[a.epp b.epp], tree: { 'a.epp' => '<% $a = = 1 %>', 'b.epp' => '<%' }, face: 'epp'),
  command(%w[a.epp], tree: { 'a.epp' => 'a <%= $b %>' }, face: 'epp'),
  command(%w[none.epp], face: 'epp'),
  command(%w[a.pp], tree: { 'a.pp' => FINE }, action: 'dump', options: { 'format' => 'pn' }),
  command(%w[a.pp b.pp none.pp], tree: { 'a.pp' => FINE, 'b.pp' => BROKEN }, action: 'dump', options: { 'format' => 'pn' }),
  command(%w[a.pp], tree: { 'a.pp' => FINE }, action: 'dump', options: { 'format' => 'json' }),
  command([], stdin: FINE, action: 'dump', options: { 'format' => 'pn' }),
  command([], stdin: FINE, action: 'dump', options: { 'format' => 'pn', 'pretty' => true }),
  command([], stdin: FINE, action: 'dump', options: { 'format' => 'json', 'pretty' => true }),
  command([], stdin: FINE, action: 'dump'),
  command([], stdin: "1 2\n", action: 'dump', options: { 'format' => 'pn' }),
  command([], stdin: "1 2\n", action: 'dump', options: { 'format' => 'pn', 'validate' => false }),
  command([], stdin: "1 2\n", action: 'dump', options: { 'format' => 'pn', 'validate' => true }),
  command(%w[a.pp b.pp], tree: { 'a.pp' => "$A = 1\n", 'b.pp' => TWO }, action: 'dump', options: { 'format' => 'pn', 'validate' => true }),
  command(%w[a.epp b.epp], tree: { 'a.epp' => 'a <%= $b %>', 'b.epp' => 'c' }, face: 'epp', action: 'dump', options: { 'format' => 'pn' })
].freeze

# The same question to the real command: its exit code and what it printed on the two streams.
def real(version, request)
  Dir.mktmpdir('selfcheck') do |base|
    root = File.join(base, 'scratch')
    FileUtils.mkdir_p(root)
    request['tree'].each do |name, content|
      file = File.join(root, name)
      FileUtils.mkdir_p(File.dirname(file))
      File.binwrite(file, content.is_a?(Hash) ? Base64.strict_decode64(content['base64']) : content)
    end
    argv = version == 8 ? ['ruby', '-I', LIB8, File.join(DIR, 'puppet8/usr/bin/puppet')] : ['puppet']
    argv += [request['face'], request['action']]
    %w[confdir vardir codedir rundir logdir publicdir].each { |d| argv += ["--#{d}", File.join(base, d)] }
    argv += ['--color', 'false', '--basemodulepath', '', '--certname', 'oracle.example.org']
    request['settings'].each { |k, v| argv += v == true ? ["--#{k}"] : ["--#{k}", v.to_s] }
    request['options'].each { |k, v| argv += v == true ? ["--#{k}"] : v == false ? ["--no-#{k}"] : ["--#{k}", v.to_s] }
    argv += ['--render-as', request['render_as']] if request['render_as']
    out, err, status = Open3.capture3({ 'LC_ALL' => 'C.UTF-8' }, *argv, *request['files'], stdin_data: request['stdin'], chdir: root)
    clean = ->(s) { s.force_encoding('UTF-8').scrub.gsub(root, '/scratch') }
    { 'exit' => status.exitstatus, 'stdout' => clean[out], 'stderr' => clean[err] }
  end
end

versions.each do |version|
  # 1. the same answers forwards, backwards in a fresh process, shuffled, and twice over
  one = Asker.new(version)
  first = QUESTIONS.map { |q| one.ask(q) }
  puts "Puppet #{first[0]['puppet']}, Ruby #{first[0]['ruby']}"
  other = Asker.new(version)
  backwards = QUESTIONS.reverse.map { |q| other.ask(q) }.reverse
  order = (QUESTIONS.each_index.to_a * 3).shuffle(random: Random.new(7))
  checks = backwards.each_with_index.to_a + order.map { |n| [one.ask(QUESTIONS[n]), n] }
  checks.each do |answer, n|
    fail_with("another answer to question #{n}", [QUESTIONS[n].inspect[0, 300], first[n].inspect[0, 500], answer.inspect[0, 500]]) if answer != first[n]
  end
  other.close

  # 2. nothing ends it
  BAD_LINES.each do |line|
    answer = JSON.parse(one.raw(line))
    fail_with("no complaint about #{line[0, 80].inspect}", answer.inspect[0, 300]) unless answer['bad_request']
  end
  slow = one.ask(parse("$a = [#{'1,' * 2_000_000}1]", 'want' => [], 'timeout' => 0.5))
  fail_with('the time limit does not hold', slow.inspect[0, 300]) unless slow['timeout']
  slow = one.ask('op' => 'eval', 'source' => 'Integer[1, 100000000].each |$x| { [$x].flatten }', 'timeout' => 0.5)
  fail_with('the time limit of an evaluation does not hold', slow.inspect[0, 300]) unless slow['timeout']
  fail_with('not the same afterwards') unless one.ask(QUESTIONS[1]) == first[1]

  # 3. time of small questions
  { 'parse' => parse("class a(Integer $x = 1) {\n  file { '/tmp/x': ensure => present }\n  notice(\"hi ${x}\")\n}\n", 'want' => ['pn']),
    'eval' => { 'op' => 'eval', 'source' => '[1, 2, 3].map |$x| { $x + 1 }' } }.each do |name, small|
    times = Array.new(300) do
      t = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      one.ask(small)
      (Process.clock_gettime(Process::CLOCK_MONOTONIC) - t) * 1000
    end.sort
    puts format('  a small %s takes %.2f ms (95%%: %.2f ms)', name, times[150], times[285])
    fail_with('small questions take too long') if times[150] > 10
  end
  puts "  #{checks.size + first.size} answers compared, #{BAD_LINES.size + 2} bad requests survived"

  # 4. the commands
  if commands
    COMMANDS.each do |request|
      mine = one.ask(request).slice('exit', 'stdout', 'stderr')
      its = real(version, request)
      next if mine == its

      fail_with("#{request['face']} #{request['action']} #{request['files'].join(' ')}", [request.inspect[0, 300], "  real:   #{its.inspect[0, 900]}", "  oracle: #{mine.inspect[0, 900]}"])
    end
    puts "  #{COMMANDS.size} commands compared with the real ones"
  end
  one.close
end

puts $failures.zero? ? 'selfcheck: ok' : "selfcheck: #{$failures} failed"
exit($failures.zero? ? 0 : 1)
