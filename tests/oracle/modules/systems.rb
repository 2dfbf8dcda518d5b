# frozen_string_literal: true

# On which systems a module is compiled. A part of cases.rb; see README.md.

module Systems
  COUNT = 6

  # The first of them that a module supports, and then the others.
  ALL = { 'debian-12' => 'debian', 'ubuntu-22.04' => 'ubuntu', 'redhat-9' => 'redhat', 'centos-7' => 'centos',
          'sles-15' => 'sles', 'freebsd-14' => 'freebsd', 'windows-2022' => 'windows', 'rocky-8' => 'rocky',
          'debian-11' => 'debian', 'ubuntu-20.04' => 'ubuntu', 'redhat-8' => 'redhat' }.freeze
  # Of a module that says nothing.
  USUAL = %w[debian ubuntu redhat centos].freeze

  module_function

  def of(mod)
    names = supported(mod)
    names = USUAL if names.empty?
    ALL.partition { |_, name| names.include?(name) }.flatten(1).map(&:first).first(COUNT)
  end

  def supported(mod)
    file = File.join(mod.path, 'metadata.json')
    return [] unless File.exist?(file)

    support = JSON.parse(File.read(file))['operatingsystem_support'] || []
    support.map { |system| system['operatingsystem'].downcase }
  end
end
