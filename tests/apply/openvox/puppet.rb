#!/usr/bin/ruby3.1
# frozen_string_literal: true

# Stands in for `puppet` on a machine of the acceptance tests: `apply` and `resource` are Pantin's, `agent --test` is an apply of the
# environment (there is no server).
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

def agent(words)
  environment = words.join(' ')[/--environment[ =](\S+)/, 1] || 'production'
  folder = File.join(environments, environment)
  exec('pantin', 'apply', '--test', '--environment', environment, '--modulepath', "#{folder}/modules",
       "#{folder}/manifests")
end

command, *words = ARGV
case command
when 'apply' then exec('pantin', 'apply', *words)
when 'resource' then exec('pantin', 'resource', *words)
when 'agent' then agent(words)
when 'config' then config(words)
when 'module' then puts '{}'
else abort "there is no `puppet #{command}` here"
end
