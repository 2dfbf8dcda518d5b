# frozen_string_literal: true

require 'fileutils'

# A root with `systemd-nspawn`, which boots other roots that are bound into it.
class Booter
  SECONDS = 40

  # @param lower the layers with systemd, with colons between them
  def initialize(workspace, lower)
    @root, upper, work = %w[root upper work].map { |name| File.join(workspace, 'booter', name).tap { |path| FileUtils.mkdir_p(path) } }
    system('mount', '-t', 'overlay', 'overlay', '-o', "lowerdir=#{lower},upperdir=#{upper},workdir=#{work}", @root,
           exception: true)
    %w[proc sys dev].each { |name| system('mount', '--rbind', "/#{name}", "#{@root}/#{name}", exception: true) }
    @count = 0
  end

  # Boots a root, and returns the process of `systemd-nspawn` and the machine's first process.
  def boot(root)
    name = "m#{@count += 1}"
    Dir.mkdir("#{@root}/#{name}")
    system('mount', '--rbind', root, "#{@root}/#{name}", exception: true)
    # What a test writes to /tmp from outside is seen inside.
    nspawn = spawn({ 'SYSTEMD_NSPAWN_TMPFS_TMP' => '0' }, 'chroot', @root, 'systemd-nspawn', '--quiet', '--boot', '--register=no', '--keep-unit',
                   '--private-network', '--hostname=web01', "--machine=#{name}", '-D', "/#{name}",
                   in: '/dev/null', out: '/dev/null', err: '/dev/null')
    [nspawn, wait_for(nspawn)]
  end

  # The beginning of a command that runs inside.
  def self.enter(leader)
    ['nsenter', '--target', leader.to_s, '--mount', '--uts', '--ipc', '--net', '--pid', '--root', '--wd']
  end

  private

  def wait_for(nspawn)
    (SECONDS * 10).times do
      sleep 0.1
      leader = File.read("/proc/#{nspawn}/task/#{nspawn}/children").split.first
      next unless leader

      state = IO.popen([*Booter.enter(leader), 'systemctl', 'is-system-running', { err: '/dev/null' }], &:read).strip
      return leader if %w[running degraded].include?(state)
    end
    raise 'systemd does not boot here'
  end
end
