#!/usr/bin/ruby3.1
# frozen_string_literal: true

# Stands in for `puppet` on a machine of the acceptance tests: `apply` is Pantin's, `agent --test` is an apply of the
# environment (there is no server), `resource` is an apply of one resource; accounts are made by their tools.
CONFIGURATION = '/etc/puppetlabs/puppet/puppet.conf'
ENVIRONMENTS = '/etc/puppetlabs/code/environments'

def settings = File.read(CONFIGURATION).scan(/^(\w+) *= *(.*)$/).to_h

def environments = settings.fetch('environmentpath', ENVIRONMENTS)

def config(words)
  case words
  in ['set', name, value]
    lines = File.readlines(CONFIGURATION).reject { |line| line.start_with?("#{name} ") }
    File.write(CONFIGURATION, lines.insert(1, "#{name} = #{value}\n").join)
  in ['print', name, *]
    known = { 'environment' => 'production', 'modulepath' => "#{environments}/production/modules",
              'lastrunfile' => '/opt/puppetlabs/puppet/public/last_run_summary.yaml' }
    puts known.fetch(name) { settings.fetch(name) }
  end
end

def account(type, name, wanted)
  tool = { 'user' => %w[useradd userdel], 'group' => %w[groupadd groupdel] }.fetch(type)
  is_there = system('getent', type == 'user' ? 'passwd' : 'group', name, out: '/dev/null')
  return if is_there == (wanted == 'present')

  exec(wanted == 'present' ? tool[0] : tool[1], name)
end

def resource(words)
  options, words = words.partition { |word| word.start_with?('-') }
  type, title, *attributes = words
  abort 'pantin has no command that lists resources' if title.nil? || attributes.empty?
  attributes = attributes.to_h { |attribute| attribute.split('=', 2) }
  account(type, title, attributes['ensure']) if %w[user group].include?(type)
  body = attributes.map { |name, value| "#{name} => '#{value}'" }.join(', ')
  exec('pantin', 'apply', *options, '-e', "#{type} { '#{title}': #{body} }")
end

def agent(words)
  environment = words.join(' ')[/--environment[ =](\S+)/, 1] || 'production'
  folder = File.join(environments, environment)
  exec('pantin', 'apply', '--test', '--environment', environment, '--modulepath', "#{folder}/modules",
       "#{folder}/manifests")
end

command, *words = ARGV
case command
when 'apply' then exec('pantin', 'apply', *words)
when 'resource' then resource(words)
when 'agent' then agent(words)
when 'config' then config(words)
when 'module' then puts '{}'
else abort "there is no `puppet #{command}` here"
end
