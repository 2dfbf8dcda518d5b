#!/usr/bin/env ruby
# frozen_string_literal: true

# What the real Puppet says of every manifest and EPP template below a folder, one JSON line a file,
# in the order of the paths.
#
#   ruby tests/oracle/corpus.rb DIR OUT.jsonl [--puppet8|--openvox] [--located] [--jobs N]
#
# --located asks with the location rules: each file as part of the module that holds it.
# Links are not followed. Every path in a text is relative to DIR.

require_relative 'engine'
require 'digest'
require 'find'

version = Oracle.version_of(ARGV)
located = ARGV.delete('--located')
jobs = (i = ARGV.index('--jobs')) ? ARGV.slice!(i, 2)[1].to_i : 2
dir, out = ARGV
abort 'usage: corpus.rb DIR OUT.jsonl [--puppet8|--openvox] [--located] [--jobs N]' unless dir && out && ARGV.size == 2 && jobs.positive?
abort "corpus: no such folder: #{dir}" unless File.directory?(dir)

ROOT = '/corpus/'

files = Find.find(dir).select { |f| f.match?(/\.e?pp\z/) && File.file?(f) && !File.symlink?(f) }
            .map { |f| f.delete_prefix(dir.chomp('/') + '/') }.sort

start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
Oracle.boot(version)
booted = Process.clock_gettime(Process::CLOCK_MONOTONIC)

def modulepath_of(rel)
  rel =~ %r{\A(.*?/)?[^/]+/(?:manifests|functions|types|plans)/} ? [File.join(ROOT, Regexp.last_match(1).to_s).chomp('/')] : []
end

def ask(dir, rel, located)
  bytes = File.binread(File.join(dir, rel))
  kind = rel.end_with?('.epp') ? 'epp' : 'pp'
  path = ROOT + rel
  answer = Oracle.parse('source_base64' => Base64.strict_encode64(bytes), 'kind' => kind, 'path' => path, 'timeout' => 60,
                        'modulepath' => located ? modulepath_of(rel) : [])
  plain = ->(text) { text&.gsub(path, rel) }
  pn = answer['pn']
  { 'path' => rel, 'kind' => kind, 'bytes' => bytes.bytesize, 'sha256' => Digest::SHA256.hexdigest(bytes),
    'accepted' => answer['accepted'], 'pn_sha256' => pn && Digest::SHA256.hexdigest(pn), 'pn' => pn,
    'log' => answer['log'].map { |e| plain[e['text']] }, 'error' => plain[answer['error']&.fetch('message')],
    'code' => answer['error']&.fetch('code'), 'crash' => plain[answer['crash']], 'dump_crash' => answer['dump_crash'] }
end

# each worker takes every jobs-th file and sends its lines through a pipe
pipes = (0...jobs).map do |job|
  reader, writer = IO.pipe
  fork do
    reader.close
    files.each_slice(jobs) { |slice| slice[job] && writer.puts(JSON.generate(ask(dir, slice[job], located))) }
    writer.close
    exit!(0)
  end
  writer.close
  reader
end

count = Hash.new(0)
File.open(out, 'w') do |f|
  files.each_index do |n|
    line = pipes[n % jobs].gets or abort "corpus: a worker ended early, at #{files[n]}"
    f.write(line)
    row = JSON.parse(line)
    count[row['kind']] += 1
    count['bytes'] += row['bytes']
    count[row['accepted'] ? 'accepted' : 'rejected'] += 1
    count['warned'] += 1 if row['log'].any? { |t| t.start_with?('Warning: ') }
    count['crashed'] += 1 if row['crash']
    count['not dumped'] += 1 if row['accepted'] && row['pn'].nil?
  end
end
Process.waitall
done = Process.clock_gettime(Process::CLOCK_MONOTONIC)
puts "Puppet #{Puppet.version}: #{files.size} files (#{count['pp']} pp, #{count['epp']} epp), #{count['bytes']} bytes: " \
     "#{count['accepted']} accepted, #{count['rejected']} rejected, #{count['warned']} with warnings, " \
     "#{count['crashed']} crashed, #{count['not dumped']} not dumped; " \
     "#{format('%.1f', booted - start)} s to start, #{format('%.1f', done - booted)} s to ask"
