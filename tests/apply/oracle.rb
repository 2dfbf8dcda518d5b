# frozen_string_literal: true

# Runs inside a machine, as the shell loop of machine.rs does: a line of shell in, an exit code out. The real Puppet is
# loaded once; a line `puppet apply …` or `puppet resource …` is a fork of this process. Facts are fixed, since collecting them takes seconds
# and is not what is compared.
#
#   ruby [-I /opt/puppet8] oracle.rb MARKER
$VERBOSE = nil
exit 9 unless File.exist?(ARGV.shift)
Dir.chdir('/')
File.umask(0o022)
system('hostname', 'web01')
require 'shellwords'
require 'puppet'
require 'puppet/util/command_line'
require 'puppet/application/apply'
require 'puppet/application/resource'
require 'puppet/pops'
require 'puppet/indirector/catalog/compiler'
require 'puppet/configurer'
require 'puppet/parser'
require 'puppet/transaction'
require 'puppet/reports'

# Stands in for Facter.
class FixedFacts
  RELEASE = { 'full' => '12.11', 'major' => '12', 'minor' => '11' }.freeze
  OS = { 'name' => 'Debian', 'family' => 'Debian', 'architecture' => 'amd64', 'hardware' => 'x86_64',
         'release' => RELEASE, 'distro' => { 'id' => 'Debian', 'codename' => 'bookworm', 'release' => RELEASE },
         'selinux' => { 'enabled' => false } }.freeze
  FACTS = { 'os' => OS, 'kernel' => 'Linux', 'kernelrelease' => '6.1.0', 'kernelversion' => '6.1.0',
            'networking' => { 'hostname' => 'web01', 'domain' => 'example.org', 'fqdn' => 'web01.example.org' },
            'hostname' => 'web01', 'domain' => 'example.org', 'fqdn' => 'web01.example.org', 'osfamily' => 'Debian',
            'operatingsystem' => 'Debian', 'operatingsystemmajrelease' => '12', 'timezone' => 'UTC', 'id' => 'root',
            'identity' => { 'user' => 'root', 'uid' => 0, 'gid' => 0, 'group' => 'root', 'privileged' => true },
            'path' => ENV.fetch('PATH'), 'facterversion' => '4.3.0', 'selinux' => false }.freeze

  def value(name)
    FACTS[name.to_s.downcase] || name.to_s.split('.').reduce(FACTS) { |facts, part| facts.is_a?(Hash) ? facts[part] : nil }
  end

  def to_hash = FACTS.dup
  def resolve(_) = FACTS.dup
  def load_external? = true
  def method_missing(*) = nil
  def respond_to_missing?(*) = true
end
Puppet.runtime[:facter] = FixedFacts.new
# Older types and providers name it so.
module Facter
  def self.method_missing(...) = Puppet.runtime[:facter].public_send(...)
  def self.respond_to_missing?(*) = true
end

def run(name, words, out, err)
  $stdin.reopen('/dev/null')
  $stdout.reopen(out, 'w')
  $stderr.reopen(err, 'w')
  ARGV.replace([name, '--color=false'] + words)
  $0 = '/usr/bin/puppet'
  Puppet::Util::CommandLine.new('puppet', ARGV).execute
end

$stdout.sync = true
while (line = $stdin.gets)
  line.chomp!
  pid = fork do
    if line.start_with?('puppet apply ', 'puppet resource ')
      name, *words = Shellwords.split(line).drop(1)
      streams, words = words.partition { |word| word.start_with?('>', '2>') }
      out, err = streams.map { |stream| stream.sub(/\A2?>/, '') }
      run(name, words, out, err)
    else
      $stdin.reopen('/dev/null')
      exec('/bin/sh', '-c', line)
    end
  end
  Process.wait(pid)
  puts($?.exitstatus || -$?.termsig)
end
