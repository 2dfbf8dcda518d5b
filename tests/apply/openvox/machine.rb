# frozen_string_literal: true

require 'fileutils'
require 'open3'
require 'shellwords'
require 'timeout'
require 'tmpdir'
require_relative 'booter'

# A fresh root over the base root of tests/apply, in namespaces of its own and without a network.
class Machine
  # What a command said, and how it ended.
  Result = Struct.new(:stdout, :stderr, :exit_code) do
    def output = stdout + stderr
  end

  MARKER = '/made-by-the-tests-of-pantin'
  PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  ENVIRONMENT = { 'PATH' => PATH, 'HOME' => '/root', 'TZ' => 'UTC', 'LANG' => 'C.UTF-8', 'USER' => 'root',
                  'LOGNAME' => 'root' }.freeze

  # @param layers folders of layers, the uppermost first
  # @param booter boots the machine, unless nil
  def initialize(workspace, binary, layers, booter = nil)
    @folder = Dir.mktmpdir('machine-', workspace)
    @root, upper, work = %w[root upper work].map { |name| File.join(@folder, name).tap { |path| Dir.mkdir(path) } }
    system('mount', '-t', 'overlay', 'overlay', '-o', "lowerdir=#{layers.join(':')},upperdir=#{upper},workdir=#{work}",
           @root, exception: true)
    File.chmod(0o755, upper, @root)
    write(MARKER, '')
    write('/etc/hosts', "127.0.0.1\tlocalhost\n10.0.0.7\tweb01.example.org web01\n")
    write('/etc/puppetlabs/puppet/puppet.conf', "[main]\ncertname = web01.example.org\n")
    FileUtils.mkdir_p(inside('/etc/puppetlabs/code/environments/production/manifests'))
    install(binary)
    @nspawn, @leader = booter.boot(@root) if booter
    start
  end

  # Runs a line of shell, with a text as its standard input.
  def run(line, stdin: '', environment: {}, limit: 120)
    write('/case/stdin', stdin)
    variables = environment.map { |name, value| "#{name}=#{Shellwords.escape(value)} " }.join
    write('/case/line', line)
    @commands.puts("env #{variables}/bin/bash /case/line < /case/stdin > /case/out 2> /case/err")
    code = Timeout.timeout(limit) { @answers.gets }
    raise 'the machine has ended' unless code

    Result.new(read('/case/out'), read('/case/err'), Integer(code))
  end

  def write(path, text)
    FileUtils.mkdir_p(File.dirname(inside(path)))
    File.binwrite(inside(path), text)
  end

  def read(path) = File.read(inside(path), encoding: 'UTF-8')

  # Where a path of the machine is seen from outside.
  def inside(path) = File.join(@root, path)

  def close
    @commands&.close
    Process.kill(:KILL, @pid) if @pid
    Process.wait(@pid) if @pid
    if @nspawn
      system('kill', '-9', @leader.to_s)
      Process.kill(:KILL, @nspawn)
      Process.wait(@nspawn)
    end
    system('umount', '-R', '-l', @root)
    FileUtils.rm_rf(@folder)
  end

  private

  def install(binary)
    write('/usr/local/bin/pantin', '')
    system('mount', '--bind', '-o', 'ro', binary, inside('/usr/local/bin/pantin'), exception: true)
    %w[puppet facter].each do |name|
      write("/usr/local/bin/#{name}", File.read(File.join(__dir__, "#{name}.rb")))
      File.chmod(0o755, inside("/usr/local/bin/#{name}"))
    end
    FileUtils.mkdir_p(inside('/opt/puppetlabs/bin'))
    # The harness came by ssh.
    FileUtils.mkdir_p(inside('/etc/ssh'))
    FileUtils.mkdir_p(inside('/root/.ssh'), mode: 0o700)
    File.symlink('/usr/local/bin/puppet', inside('/opt/puppetlabs/bin/puppet'))
    %w[/usr/local/bin/ruby /opt/puppetlabs/bin/ruby].each { |path| File.symlink('/usr/bin/ruby3.1', inside(path)) }
  end

  # Starts the process that takes lines of shell inside, and answers each with an exit code.
  def start
    shell = "[ -e #{MARKER} ] || exit 9; hostname web01; cd /root; umask 022; " \
            'while IFS= read -r line; do (eval "$line"); echo $?; done'
    take, @commands = IO.pipe
    @answers, give = IO.pipe
    @pid = spawn(ENVIRONMENT, *entry, '/bin/sh', '-c', shell,
                 in: take, out: give, err: '/dev/null', unsetenv_others: true)
    [take, give].each(&:close)
  end

  def entry
    return Booter.enter(@leader) if @leader

    ['unshare', '--mount', '--uts', '--ipc', '--net', '--pid', '--fork', '--kill-child',
     "--mount-proc=#{inside('/proc')}", 'chroot', @root]
  end
end
