# frozen_string_literal: true

# Whole catalogs by the real Puppet: an environment on disk, a node, and the way that a server takes.
# A part of engine.rb; see README.md.

module Oracle
  module_function

  # Compiles the catalog of one node in an environment whose files are given. Its folder is called
  # /scratch in the answer, and may be called so in the settings and in each hiera.yaml.
  def catalog(request)
    catalog_support
    node = read_node(request)
    name = node.dig('enc', 'environment') || request['environment'] || 'production'
    raise BadRequest, 'the name of an environment has letters, digits and _' unless name.match?(/\A\w+\z/)

    files = (request['files'] || {}).transform_keys { |path| "environments/#{name}/#{path}" }
    folder = "environments/#{name}"
    place('tree' => { "#{folder}/.exists" => '' }.merge(files), 'stdlib' => request['stdlib'], 'environment_folder' => folder) do |root|
      above = File.join(root, 'environments')
      name_scratch(File.join(above, name), (request['files'] || {}).select { |path, _| path.end_with?('hiera.yaml') })
      hide_all(compiled(request, node, name, above), File.join(above, name), [above, '/environments'])
    end
  end

  # What the request says of the node; the ENC's answer as the hash that its text stands for.
  def read_node(request)
    enc = request['enc']
    enc = YAML.safe_load(enc, permitted_classes: [Symbol]) if enc.is_a?(String)
    { 'name' => request['node'] || 'node.example.org', 'enc' => enc.is_a?(Hash) ? enc.transform_keys(&:to_s) : {}, 'text' => request['enc'] }
  rescue Psych::Exception
    { 'name' => request['node'] || 'node.example.org', 'enc' => {}, 'text' => request['enc'] }
  end

  def compiled(request, node, name, above)
    result = { 'accepted' => false, 'catalog' => nil, 'json' => nil }
    around = { 'timeout' => request['timeout'], 'settings' => settings_of(request, above, name) }
    guarded(around, result) do
      at_level(request['level'] || 'notice') do
        with_exports(request['exported']) do
          in_directory(above, name) do |env|
            found = pinned(compile_as_server(request, node, env))
            result['accepted'] = true
            result['catalog'] = found
            result['json'] = JSON.generate(found, max_nesting: 0)
            result['seconds'] = seconds_of_one(request, node, env) if request['seconds']
          end
        end
      end
    end
    result['log'].reject! { |entry| entry['message'].match?(/\ACompiled (static )?catalog for .* seconds\z/) }
    own_error_once(result)
    result
  end

  # CPU seconds of one catalog and its JSON, once all is loaded: again and again for as long as is wanted.
  def seconds_of_one(request, node, env)
    now = -> { Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) }
    count = 0
    start = now.call
    while count.zero? || now.call - start < request['seconds']
      JSON.generate(compile_as_server(request, node, env).to_data_hash, max_nesting: 0)
      SINK.entries.clear
      count += 1
    end
    (now.call - start) / count
  end

  def settings_of(request, above, name)
    given = (request['settings'] || {}).transform_values do |value|
      value.is_a?(String) ? value.gsub(%r{#{ROOT}(?=/|\z)}) { File.join(above, name) } : value
    end
    given.merge('environmentpath' => above)
  end

  # The environment as its folder and `environment.conf` say.
  def in_directory(above, name)
    loader = Puppet::Environments::Directories.new(above, Puppet[:basemodulepath].split(File::PATH_SEPARATOR))
    Puppet.override({ environments: loader }, 'oracle') do
      env = loader.get!(name)
      Puppet.override({ current_environment: env, loaders: proc { Puppet::Pops::Loaders.new(env) } }, 'oracle') { yield env }
    end
  ensure
    Puppet.settings.clear_environment_settings(name.to_sym)
  end

  # By the terminus that answers an agent: it filters virtual resources out.
  def compile_as_server(request, node, env)
    name = node['name']
    trusted = Puppet::Context::TrustedInformation.new('remote', name, request['trusted'] || {}, {})
    Puppet.override({ trusted_information: trusted }, 'oracle') do
      found = classified(name, node['text'], env, Puppet::Node::Facts.new(name, request['facts'] || {}))
      Puppet::Resource::Catalog.indirection.find(name, environment: env, use_node: found)
    end
  end

  # The node with what the ENC says of it, as the terminus `exec` takes an answer; without one, as `plain` does.
  def classified(name, enc, env, facts)
    node = if enc.nil?
             Puppet::Node.new(name, environment: env, facts: facts).tap { |plain| plain.fact_merge(facts) }
           else
             terminus = Puppet::Node.indirection.terminus(:exec)
             answer = terminus.send(:translate, name, enc.is_a?(String) ? enc : YAML.dump(enc))
             answer[:environment] ||= env
             terminus.send(:create_node, name, answer, facts)
           end
    node.add_server_facts(SERVER_FACTS.call)
    node
  end

  def at_level(level)
    raise BadRequest, 'level is debug, info or notice' unless %w[debug info notice].include?(level)

    Puppet::Util::Log.level = level.to_sym
    yield
  ensure
    Puppet::Util::Log.level = :notice
  end

  # Resources that other nodes are said to have exported, as a PuppetDB would answer: hashes with
  # `certname`, `type`, `title`, `tags`, `parameters`. Without a list there is no such store.
  def with_exports(list)
    return yield if list.nil?

    require_relative 'exports'
    Puppet::Resource::Exports.list = list
    store(true)
    yield
  ensure
    store(false) unless list.nil?
  end

  # The setting has a hook that would also have catalogs and facts stored.
  def store(wanted)
    Puppet.settings.override_default(:storeconfigs, wanted)
    Puppet::Resource::Catalog.indirection.set_global_setting(:cache_class, nil)
    Puppet::Node::Facts.indirection.set_global_setting(:cache_class, nil)
    Puppet::Resource.indirection.set_global_setting(:terminus_class, wanted ? :exports : :ral)
  end
end
