class profile::base {
  include ntp::chrony
}
