#!/usr/bin/env ruby
# frozen_string_literal: true
# Writes into the documents of tests/data what the real Puppet reads out of them, or checks what stands there:
#
#   ruby tests/oracle/data.rb [--check] tests/data/hocon.txt tests/data/yaml/*.txt
#
# A line `==== name` begins a document, a line that begins with `===>`, `===!` or `===~` ends it: the value as
# `show` writes it, the text of the error, and, kept as it is, what Pantin says where it is meant to differ.
# Words in brackets behind the name: `escaped`, its one line is a text with `\n`, `\r`, `\t`, `\xHH` in it; `plain`,
# symbols are not allowed; `class=NAME`, objects of that class are.
require 'json'
require 'puppet'
require 'puppet/node/facts'
require 'hocon'
require 'hocon/config_error'

ENV['HOCON_VARIABLE'] = 'of the environment'

# Symbol keys become texts, as for Hiera; an object is the hash of its parts.
def plain(value)
  case value
  when Hash then value.to_h { |k, v| [k.is_a?(Symbol) ? k.to_s : k, plain(v)] }
  when Array then value.map { |v| plain(v) }
  when Puppet::Node::Facts then plain('name' => value.name, 'values' => value.values, 'timestamp' => value.timestamp.iso8601(9))
  else value
  end
end

def show(value)
  case value
  when Hash then "{#{value.map { |k, v| "#{show(k)} => #{show(v)}" }.join(', ')}}"
  when Array then "[#{value.map { |v| show(v) }.join(', ')}]"
  when String then value.dup.force_encoding('UTF-8').then { |s| s.valid_encoding? ? JSON.generate(s) : s.b.inspect }
  when Float, Integer, true, false then value.to_s
  when nil then 'nil'
  when :default then 'default'
  when Symbol then ":#{value}"
  else "#<#{value.class}>"
  end
end

def answer(text, options)
  classes = options.grep(/\Aclass=/) { |option| Object.const_get(option.delete_prefix('class=')) }
  classes << Symbol unless options.include?('plain')
  "===> #{show(plain(Puppet::Util::Yaml.safe_load(text.force_encoding('UTF-8'), classes, 'F')))}"
rescue Puppet::Util::Yaml::YamlLoadError => e
  "===! #{e.message.lines.first.chomp}"
rescue SystemStackError
  '===! stack level too deep'
end

def hocon(text)
  "===> #{show(Hocon.parse(text))}"
rescue StandardError => e
  "===! #{e.message.lines.first.chomp}"
end

def unescaped(line)
  line.b.gsub(/\\(?:x(\h\h)|(.))/) { $1 ? $1.hex.chr : { 'n' => "\n", 'r' => "\r", 't' => "\t" }.fetch($2, $2) }
end

def rewritten(lines, is_hocon)
  body = nil
  lines.flat_map do |line|
    case line
    when /\A==== .*?(?: \((.*)\))?\n\z/
      body = { options: ($1 || '').split(/,\s*/), lines: [] }
      [line]
    when /\A===[>!]/
      text = body[:lines].join
      text = unescaped(text.chomp) if body[:options].include?('escaped')
      ["#{is_hocon ? hocon(text) : answer(text, body[:options])}\n"]
    else
      body[:lines] << line if body && !line.start_with?('===~')
      [line]
    end
  end.join
end

if $PROGRAM_NAME == __FILE__
  check = ARGV.delete('--check')
  stale = ARGV.reject do |path|
    old = File.read(path, encoding: 'UTF-8')
    new = rewritten(old.lines, File.basename(path) == 'hocon.txt')
    File.write(path, new) unless check || new == old
    new == old
  end
  stale.each { |path| warn "#{path}: #{check ? 'is not what the real Puppet says' : 'written'}" }
  exit 1 if check && stale.any?
end
