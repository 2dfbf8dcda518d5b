#!/usr/bin/env ruby
# frozen_string_literal: true

# Values and what Ruby's `to_yaml`, and so `puppet lookup`, writes of them: one JSON object a line.
#
#   ruby tests/oracle/to_yaml.rb [RANDOM] > tests/data/to_yaml.jsonl
#
# `v` is the value, a hash as `{"h": [[key, value]…]}`, an array as `{"a": […]}`, a float as `{"f": text}`; `y` the text.
# RANDOM: how many are made at random beside the listed ones (200).
require 'yaml'
require 'json'

srand(7)
TEXTS = [
  "", "a", "foo bar", "yes", "no", "y", "n", "on", "null", "~", "1", "1.5", "0x1f", "089", "0o7", "1:30",
  "2020-01-01", "2020-01-01 10:00:00", ":sym", "a: b", "a:b", "a #b", "a#b", "#a", "- a", "-a", "-", "--- a",
  "...", "?", "? a", "?a", "'q'", "it's", "\"q\"", "say \"x\"", "!tag", "&a", "*a", "%a", "@a", "`a", "{a}",
  "[a]", "a,b", ",a", "a]", "a\n", "a\n\n", "a\nb", "a\nb\n", "a\nb\n\n", "\na", "\n", " a\nb", " a", "a ", "a
  \nb", "a\n b", "tab\there", "tab\t", "\ttab", "é", "日本語", "😀", "a\u0007b", "\u001b[1m", "a\r\nb", "a\rb",
  "\u2028", "x\u00a0y", "\ufeffbom", "<<", "=", "/path/to", "$var", "%{facts.x}", "100%", "a" * 200, ("word " *
  40).strip, "'" + ("word " * 40).strip + "'", ": " + ("word " * 40).strip, ("word  " * 30).strip, ("long word
  here\n" * 12), "-1", "+1", "1,000", "1_000", ".5", "5.", "1e3", ".inf", "-.INF", ".NaN", "true", "True",
  "TRUE", "false", "off", "Null", "NULL", "|", "> x", "a|b", "back\\slash", "a: ", ":", "a:", "a::b", "::a",
  "0", "00", "07", "08", "0b1", "\"", "'", "a'b\"c", "trailing  ", "x: y\nz: w\n", "é: ü", "_x", "(paren)", "*",
  "C:\\dir", "~user", "\"a", "-\"x", "#\"", "é\"x", "1.2.3", "1.2.3.4", "10.0.0.0/8", "12:34:56", "::1",
  "fe80::1", "@@@", "!", "a!b", "\u00e9\nb\t", "--", "---", "k" * 130, ("k" * 126) + ": x", "a\u0085b",
  "line\u2029"
].freeze
SCALARS = (TEXTS + [nil, true, false, 1, -5, 1.5, 1e20, 1.0e-5, 123_456_789_012, 0.1, [], {}]).freeze

def random(depth)
  kind = depth.zero? ? 9 : rand(10)
  case kind
  when 0..2 then Array.new(rand(4)) { random(depth - 1) }
  when 3..5 then Array.new(rand(4)) { [rand(8).zero? ? random(depth - 1) : TEXTS.sample, random(depth - 1)] }.to_h
  else SCALARS.sample
  end
end

def encoded(value)
  case value
  when Hash then { 'h' => value.map { |key, inner| [encoded(key), encoded(inner)] } }
  when Array then { 'a' => value.map { |inner| encoded(inner) } }
  when Float then { 'f' => value.to_s }
  else value
  end
end

# No part of it stands in two places: there would be an alias.
def apart(value)
  case value
  when Hash then value.to_h { |key, inner| [apart(key), apart(inner)] }
  when Array then value.map { |inner| apart(inner) }
  else value.dup
  end
end

listed = SCALARS.flat_map { |value| [value, { 'k' => value }, [value], { 'a' => { 'b' => [value, { 'c' => value }] } }] }
keys = TEXTS.map { |text| { text => 1 } }
(listed + keys + Array.new((ARGV[0] || 200).to_i) { random(4) }).each do |value|
  puts JSON.generate('v' => encoded(value), 'y' => apart(value).to_yaml)
end
