#!/usr/bin/ruby3.1
# frozen_string_literal: true

# Stands in for `facter` on a machine of the acceptance tests.
exec('pantin', 'facts', *ARGV)
