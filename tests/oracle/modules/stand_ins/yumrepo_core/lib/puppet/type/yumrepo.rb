# frozen_string_literal: true

# A stand-in for the type that the agent's own package has and Debian has not: its attributes by name, and nothing that
# an agent would do with them.
Puppet::Type.newtype(:yumrepo) do
  ensurable
  newparam(:name, namevar: true)
  newparam(:target)
  %i[descr mirrorlist baseurl enabled gpgcheck payload_gpgcheck repo_gpgcheck gpgkey mirrorlist_expire include exclude
     gpgcakey includepkgs enablegroups module_hotfixes failovermethod keepalive retries http_caching timeout
     metadata_expire protect priority minrate throttle bandwidth cost proxy proxy_username proxy_password s3_enabled
     sslcacert sslverify sslclientcert sslclientkey metalink skip_if_unavailable assumeyes deltarpm_percentage
     deltarpm_metadata_percentage username password].each { |attribute| newproperty(attribute) }
end
