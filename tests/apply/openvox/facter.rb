#!/usr/bin/ruby3.1
# frozen_string_literal: true

# Stands in for `facter` on a machine of the acceptance tests.
FACTS = { 'fips_enabled' => 'false', 'kernelmajversion' => '6.1' }.freeze
puts FACTS.fetch(ARGV.last, '')
