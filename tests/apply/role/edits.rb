# frozen_string_literal: true

# Twenty edits of the catalog of a role, as edits of its manifests and data would change it: each with what it is, and what it does.
class Edits
  CONTAINER = 'Class[Profile::Security]'
  SHELL = { 'path' => ['/usr/bin', '/bin'], 'logoutput' => 'on_failure' }.freeze

  def initialize(catalog)
    @catalog = catalog
  end

  # Yields what each edit is and the catalog behind it.
  def each
    LIST.each do |about, edit|
      instance_exec(&edit)
      yield about, @catalog
    end
  end

  def size = LIST.size

  private

  def resource(type, title)
    @catalog['resources'].find { |known| known['type'] == type && known['title'] == title } || abort("no #{type}[#{title}]")
  end

  def set(type, title, parameters)
    resource(type, title)['parameters'].merge!(parameters).compact!
  end

  def add(type, title, parameters)
    @catalog['resources'] << { 'type' => type, 'title' => title, 'tags' => [type.downcase, 'class'], 'exported' => false,
                               'kind' => 'compilable_type', 'parameters' => parameters }
    @catalog['edges'] << { 'source' => CONTAINER, 'target' => "#{type}[#{title}]" }
  end

  def remove(type, title)
    name = "#{type}[#{title}]"
    @catalog['resources'].delete(resource(type, title))
    @catalog['edges'].reject! { |edge| edge.value?(name) }
  end

  LIST = {
    'a content' => -> { set('File', '/etc/issue.net', 'content' => "Everything is written down.\n") },
    'a mode' => -> { set('File', '/etc/rsyslog.conf', 'mode' => '0640') },
    'a file of a user' => -> { add('File', '/etc/edited', 'content' => "one\n", 'owner' => 'astrid', 'require' => 'User[astrid]') },
    'a content that restarts a service' => lambda {
      content = resource('File', '/etc/rsyslog.d/50-file-cron.conf')['parameters']['content']
      set('File', '/etc/rsyslog.d/50-file-cron.conf', 'content' => "#{content}# edited\n")
    },
    'a content that runs a command' => lambda {
      set('File', '/etc/postfix/aliases', 'content' => "root: astrid\npostmaster: root\n")
    },
    'a comment of a user' => -> { set('User', 'bram', 'comment' => 'Bram de Wit-Visser') },
    'a group, and a user in it' => lambda {
      add('Group', 'edited', 'ensure' => 'present', 'gid' => 3900)
      set('User', 'elin', 'groups' => %w[operations database edited], 'require' => 'Group[edited]')
    },
    'a file that is no longer said' => -> { remove('File', '/etc/logrotate.d/messages') },
    'a file that is to be absent' => -> { set('File', '/etc/logrotate.d/puppet', 'ensure' => 'absent', 'content' => nil) },
    'a command that makes a file' => lambda {
      add('Exec', 'make', SHELL.merge('command' => 'touch /etc/made', 'creates' => '/etc/made', 'require' => 'File[/etc/edited]'))
    },
    'a command with a check behind an edited file' => lambda {
      set('File', '/etc/edited', 'content' => "two\n")
      add('Exec', 'copy', SHELL.merge('command' => 'cp /etc/edited /etc/copied', 'unless' => 'cmp /etc/edited /etc/copied',
                                      'require' => 'File[/etc/edited]'))
    },
    'a service that stops' => -> { set('Service', 'prometheus-node-exporter', 'ensure' => 'stopped', 'enable' => false) },
    'a file in a purged folder' => lambda {
      add('File', '/etc/rsyslog.d/60-edited.conf', 'content' => "# edited\n", 'notify' => 'Service[rsyslog]')
    },
    'that file is no longer said' => -> { remove('File', '/etc/rsyslog.d/60-edited.conf') },
    'a link, and a file behind it' => lambda {
      add('File', '/etc/one', 'ensure' => 'directory')
      add('File', '/etc/two', 'ensure' => 'directory')
      add('File', '/etc/current', 'ensure' => 'link', 'target' => '/etc/one')
      add('File', '/etc/current/inside', 'content' => "inside\n", 'require' => ['File[/etc/one]', 'File[/etc/two]'])
    },
    'the link is turned' => -> { set('File', '/etc/current', 'target' => '/etc/two') },
    'noop, with another content' => -> { set('File', '/etc/edited', 'content' => "three\n", 'noop' => true) },
    'no longer noop' => -> { set('File', '/etc/edited', 'noop' => nil) },
    'a package that goes' => -> { set('Package', 'lsof', 'ensure' => 'absent') },
    'a user who goes' => lambda {
      ['/home/wanda', '/home/wanda/.ssh', '/home/wanda/.ssh/authorized_keys'].each { |path| remove('File', path) }
      set('User', 'wanda', 'ensure' => 'absent')
    }
  }.freeze
end
