require 'puppet/parameter/boolean'

Puppet::Type.newtype(:thing) do
  ensurable

  newparam(:name, namevar: true) do
    validate do |value|
      raise ArgumentError, "a name has no space: '#{value}'" if value.include?(' ')
    end
  end

  newparam(:kind) do
    newvalues(:small, :large, %r{^\d+cm$})
    aliasvalue(:big, :large)
    defaultto :small
  end

  newparam(:path) do
    validate do |value|
      fail "the path is not absolute: #{value}" unless Puppet::Util.absolute_path?(value)
    end
  end

  newparam(:purge, boolean: true, parent: Puppet::Parameter::Boolean)

  newproperty(:size) do
    munge { |value| Integer(value) }
  end

  newproperty(:members, array_matching: :all) do
    validate do |value|
      self.fail "a member is a text, not #{value.inspect}" unless value.is_a?(String)
    end
  end

  newproperty(:owner) do
    validate do |value|
      raise Puppet::Error, 'no such owner' unless File.exist?("/home/#{value}")
    end
  end

  newproperty(:twice) do
    munge { |value| value * @resource[:size] }
  end

  validate do
    fail 'a small thing has no members' if self[:kind] == :small && self[:members]
    raise 'large things need a path' if self[:kind] == :large && !self[:path]
  end
end
