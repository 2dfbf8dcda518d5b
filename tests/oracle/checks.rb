# frozen_string_literal: true

# Whether the real agent would take resources: each is turned into what is applied (`to_ral`), and nothing is applied.
#
#   ruby tests/oracle/checks.rb [--puppet8|--openvox]
#
# One JSON object a line on standard input, one on standard output:
#
#   {"describe": ["file", ...]}                     of each type its attributes, in order: [name, words, patterns]
#   {"facts": {...}, "catalog": "JSON"}             `refused`: of each refused resource [reference, message]
#
# Facts are those of the node: they decide which providers are the usual ones. What a provider needs of a machine beside them is
# taken to be there.

require_relative 'engine'

module Checks
  # What the machine has counts for nothing: programs, features, and what runs. But a system is either that of Windows or POSIX.
  module Fulfilled
    # Programs of Solaris, for which Puppet does not ask which system it is.
    ABSENT = /roleadd|rolemod|roledel|profiles/.freeze

    def pass?(value)
      case value
      when :posix then !Checks.windows?
      when :microsoft_windows then Checks.windows?
      else !value.to_s.match?(ABSENT)
      end
    end
  end

  # The system of the node in the place of this machine's, as rspec-puppet does it.
  module Platform
    def windows?
      Checks.windows?
    end
  end

  # The facts of a node in the place of this machine's.
  class Facts
    LEGACY = { 'operatingsystem' => %w[os name], 'osfamily' => %w[os family], 'kernelrelease' => %w[kernelrelease],
               'operatingsystemmajrelease' => %w[os release major], 'operatingsystemrelease' => %w[os release full] }.freeze

    attr_writer :facts

    def value(name)
      path = LEGACY[name.to_s.downcase] || name.to_s.split('.')
      path.reduce(@facts) { |facts, part| facts.is_a?(Hash) ? facts[part] : nil }
    end

    def method_missing(*) = nil
    def respond_to_missing?(*) = true
  end

  module_function

  def prepare
    %i[exists true feature].each { |name| Puppet::Confine.test(name).prepend(Fulfilled) }
    @facts = Facts.new
    @windows = false
    Puppet::Util::Platform.singleton_class.prepend(Platform)
  end

  def windows?
    @windows
  end

  # Providers for Windows want libraries of Windows when their files are read there: all types are read before.
  def windows=(wanted)
    Puppet::Type.loadall if wanted && !@windows
    @windows = wanted
  end

  def facts=(facts)
    @facts.facts = facts
    self.windows = facts['kernel'] == 'windows'
    Puppet.runtime[:facter] = @facts
    Puppet::Type.eachtype { |type| type.instance_variable_set(:@defaultprovider, nil) }
  end

  def describe(name)
    type = Puppet::Type.type(name.to_sym) or return nil
    (type.allattrs - Puppet::Type.metaparams).map do |attribute|
      values = type.attrclass(attribute).value_collection
      aliases = values.instance_variable_get(:@strings).flat_map(&:aliases)
      [attribute.to_s, (values.values + aliases).map(&:to_s), values.regexes]
    end
  rescue StandardError, LoadError
    # A type whose file wants what is not here is none.
    nil
  end

  # Each resource is alone in its catalog: that two have one name is another matter.
  def refused(data)
    rest = data.merge('resources' => [], 'edges' => [])
    data['resources'].filter_map do |hash|
      resource = Puppet::Resource.from_data_hash(hash)
      resource.catalog = Puppet::Resource::Catalog.from_data_hash(rest)
      resource.to_ral
      nil
    rescue StandardError => e
      ["#{hash['type']}[#{hash['title']}]", e.message.sub(/( \(file: [^)]*\))+\z/, '')]
    end
  end

  def answer(request)
    return { 'types' => request['describe'].to_h { |name| [name, describe(name)] } } if request['describe']

    self.facts = request['facts']
    { 'refused' => refused(JSON.parse(request['catalog'], max_nesting: 0)) }
  end
end

answers = $stdout.dup
answers.sync = true
$stdout.reopen(File::NULL, 'w')
version = Oracle.version_of(ARGV)
Oracle.boot(version)
# The modules of Puppet 8's own package, where they are: they are newer than those of the corpus.
vendored = Dir[File.join(Oracle::DIR, 'puppet8/usr/share/puppet/vendor_modules/*')].select { |folder| version[:lib] || folder.end_with?('yumrepo_core') }
$LOAD_PATH.push(*(vendored + Oracle.core_modules).map { |folder| File.join(folder, 'lib') })
Checks.prepare
$stdin.each_line { |line| answers.puts(JSON.generate(Checks.answer(JSON.parse(line)), max_nesting: 0)) }
