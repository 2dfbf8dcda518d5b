# frozen_string_literal: true

# Look-ups in the data by the real Puppet, as `puppet lookup` makes them: an environment on disk, a node, keys.
# A part of engine.rb; see README.md.

module Oracle
  module_function

  # Looks up keys for a node in an environment whose files are given, which is called /scratch in the answer.
  def lookup(request)
    catalog_support
    name = request['environment'] || 'production'
    files = (request['files'] || {}).transform_keys { |path| "environments/#{name}/#{path}" }
    place('tree' => { "environments/#{name}/.exists" => '' }.merge(files)) do |root|
      above = File.join(root, 'environments')
      name_scratch(File.join(above, name), request['files'] || {})
      hide_all(looked_up(request, name, above), File.join(above, name), [above, '/environments'])
    end
  end

  # Files may name the folder that they are in, as configurations of version 3 do.
  def name_scratch(folder, files)
    files.each do |path, text|
      next unless text.is_a?(String) && text.include?(ROOT)

      File.write(File.join(folder, path), text.gsub(%r{#{ROOT}(?=/|$)}) { folder })
    end
  end

  def looked_up(request, name, above)
    result = { 'accepted' => false, 'value' => nil }
    around = { 'timeout' => request['timeout'], 'settings' => settings_of(request, above, name).merge('code' => 'undef') }
    guarded(around, result) do
      in_directory(above, name) do |env|
        result['value'] = in_top_scope(request, env) { |scope| ask_data(request, scope) }
        result['accepted'] = true
      end
    end
    own_error_once(result)
    result
  end

  # The top scope of a node that nothing was compiled for, as the command has it.
  def in_top_scope(request, env)
    name = request['node'] || 'node.example.org'
    trusted = Puppet::Context::TrustedInformation.new('remote', name, request['trusted'] || {}, {})
    answer = nil
    Puppet.override({ trusted_information: trusted }, 'oracle') do
      node = classified(name, nil, env, Puppet::Node::Facts.new(name, request['facts'] || {}))
      node.trusted_data = trusted.to_h
      compiler = Puppet::Parser::Compiler.new(node)
      compiler.compile do |catalog|
        (request['params'] || {}).each { |key, value| compiler.topscope.setvar(key, value) }
        answer = yield(compiler.topscope)
        catalog
      end
    end
    answer
  end

  # What the command's own `main` does: the value as Puppet text, or the explanation.
  def ask_data(request, scope)
    explain = request['explain']
    explainer = explain && Puppet::Pops::Lookup::Explainer.new(explain == 'options', explain == 'options')
    invocation = Puppet::Pops::Lookup::Invocation.new(scope, request['override'] || {}, request['default_values'] || {}, explainer)
    begin
      type = request['type'] && Puppet::Pops::Types::TypeParser.singleton.parse(request['type'], scope)
      keys = request['keys']
      keys = Puppet::Pops::Lookup::GLOBAL if keys.empty?
      value = Puppet::Pops::Lookup.lookup(keys, type, request['default'], request.key?('default'), request['merge'], invocation)
      return text(Show.value(value)) unless explain
    rescue Puppet::DataBinding::LookupError => e
      invocation.report_text { e.message }
      raise unless explain
    end
    text(explainer.explain)
  end
end
