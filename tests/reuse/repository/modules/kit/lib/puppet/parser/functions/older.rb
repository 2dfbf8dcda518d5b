module Puppet::Parser::Functions
  newfunction(:older, type: :rvalue) do |args|
    args[0] + ' of old'
  end
end
