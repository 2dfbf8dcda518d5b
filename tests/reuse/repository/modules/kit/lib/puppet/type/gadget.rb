Puppet::Type.newtype(:gadget) do
  newparam(:name, namevar: true)
  newproperty(:size)
end
