# frozen_string_literal: true

# Evaluation by the real Puppet: a source as the site manifest of one node, or as a template.
# A part of engine.rb; see README.md.

require_relative 'memory'

module Oracle
  module_function

  # Compiles a source as the site manifest of one node, or renders it as a template there.
  # `files` are laid out in an empty folder called /scratch, whose `modules` is the module path.
  def eval(request)
    files = request['files'] || {}
    return evaluate(request, nil) if files.empty? && request['stdlib'].nil?

    place('tree' => files, 'stdlib' => request['stdlib']) { |root| evaluate(request, root) }
  end

  def evaluate(request, root)
    source = source_of(request)
    epp = kind_of(request) == 'epp'
    catalog_support
    seen = []
    result = { 'accepted' => false, 'value' => nil }
    around = request.merge('modulepath' => modulepath_of(request, root), 'manifest' => absolute(request['manifest'], root))
    guarded(around, result) do |env|
      path = absolute_if_scratch(request['path'] || '', root)
      main = epp ? template(request, source, path, root) : ->(code, scope) { code.call(scope) }
      import = epp ? ['', ''] : [source, path]
      env.define_singleton_method(:perform_initial_import) { Oracle.import(self, *import) { |code, scope| seen[0] = main[code, scope] } }
      catalog = compile(request, env)
      result['accepted'] = true
      result['value'] = text(epp && seen[0].is_a?(String) ? seen[0] : Show.value(seen[0]))
      result['catalog'] = pinned(catalog) if (request['want'] || []).include?('catalog')
    end
    result['value'] = nil if result['error']
    own_error_once(result)
    hide_all(result, root)
  end

  def kind_of(request)
    kind = request['kind'] || 'pp'
    raise BadRequest, 'kind is pp or epp' unless %w[pp epp].include?(kind)

    kind
  end

  def modulepath_of(request, root)
    return absolute(request['modulepath'], root) if request['modulepath']

    root ? [File.join(root, 'modules')] : []
  end

  # The site manifest as the environment would import it; the block is what evaluating it means.
  def import(env, source, path)
    adapter = Puppet::Parser::E4ParserAdapter.new
    adapter.file = path
    adapter.string = source.dup
    adapter.parse.tap do |main|
      itself = main.code.method(:evaluate)
      main.code.define_singleton_method(:evaluate) { |scope| yield itself, scope }
    end
  rescue Puppet::ParseErrorWithIssue => e
    env.known_resource_types.parse_failed = true
    e.environment = env.name
    raise
  rescue StandardError => e
    env.known_resource_types.parse_failed = true
    raise Puppet::Error, "Could not parse for environment #{env}: #{e}"
  end

  # A template is rendered by the functions that a manifest would call: `epp` when it has a place
  # among the module's templates, `inline_epp` else.
  def template(request, source, path, root)
    more = request.key?('params') ? [request['params']] : []
    place = root && path.match(%r{\A#{Regexp.escape(root)}/modules/([^/]+)/templates/(.+)\z})
    call = place ? ['epp', ["#{place[1]}/#{place[2]}", *more]] : ['inline_epp', [source, *more]]
    ->(_, scope) { scope.call_function(*call) }
  end

  # As Puppet::Node::ServerFacts has them, in its order, but of no real server.
  SERVER_FACTS = lambda {
    implementation = Puppet.respond_to?(:implementation) ? { 'serverimplementation' => Puppet.implementation } : {}
    implementation.merge('serverversion' => Puppet.version.to_s, 'servername' => 'puppet.example.org', 'serverip' => '192.0.2.1')
  }

  def compile(request, env)
    name = request['node'] || 'node.example.org'
    facts = Puppet::Node::Facts.new(name, request['facts'] || {})
    node = Puppet::Node.new(name, environment: env, facts: facts)
    node.fact_merge(facts)
    node.add_server_facts(SERVER_FACTS.call)
    trusted = Puppet::Context::TrustedInformation.new('remote', name, request['trusted'] || {}, {})
    node.trusted_data = trusted.to_h
    Puppet.override({ trusted_information: trusted }, 'oracle') { Puppet::Parser::Compiler.compile(node) }
  ensure
    # as the terminus does that answers an agent
    Puppet::Type.clear_misses
  end

  def pinned(catalog)
    data = Puppet.override(rich_data: true) { catalog.to_data_hash }
    data.merge('version' => 1, 'catalog_uuid' => '00000000-0000-0000-0000-000000000000')
  end

  # The compiler logs the error that it raises, and that is what a user sees of it: the node is not
  # told in every case. It becomes the answer's `error` and leaves the log.
  def own_error_once(result)
    return if result['error'].nil? || result['crash']

    own = result['log'].last
    return unless own && own['level'] == 'err' && result['error']['message'].include?(own['message'])

    result['error']['message'] = own['text'].delete_prefix('Error: ')
    result['log'].pop
  end

  # The sources of versions that are unpacked, as a package would have them.
  def hide_sources(text)
    text.gsub("#{DIR}/puppet8/", '/').gsub("#{DIR}/openvox8/", '/openvox8/')
  end

  # Neither the scratch folder nor this process's own, which `$settings::confdir` would tell.
  def hide_all(value, root, more = [@work, '/puppet'])
    case value
    when String then hide_sources(hide(value, root).gsub(*more).gsub(@work, '/puppet'))
    when Array then value.map { |inner| hide_all(inner, root, more) }
    when Hash then value.to_h { |key, inner| [hide_all(key, root, more), hide_all(inner, root, more)] }
    else value
    end
  end

  # Values as Puppet text: what `String.new($value, '%p')` gives, but readable also where Puppet 7
  # falls back on the `inspect` of Ruby.
  module Show
    module_function

    def value(val)
      case val
      when nil, :undef then 'undef'
      when :default then 'default'
      when Array then "[#{val.map { |inner| value(inner) }.join(', ')}]"
      when Hash then "{#{val.map { |key, inner| "#{value(key)} => #{value(inner)}" }.join(', ')}}"
      when String then Puppet::Pops::Types::StringConverter.singleton.puppet_quote(val)
      when Integer, true, false then val.to_s
      when Float, Regexp then Puppet::Pops::Types::StringConverter.singleton.convert(val, '%p')
      when Puppet::Pops::Types::PAnyType, Puppet::Pops::Types::PSensitiveType::Sensitive then val.to_s
      when Puppet::Pops::Types::Iterable then value(val.to_a)
      else object(val)
      end
    end

    def object(val)
      name = Puppet::Pops::Types::TypeCalculator.infer(val).name
      shown = val.to_s
      shown.start_with?("#{name}(") ? shown : "#{name}(#{value(shown)})"
    end
  end

  def catalog_support
    return if @catalog_support

    require 'puppet/node/facts'
    require 'puppet/indirector/catalog/compiler'
    Puppet[:node_terminus] = 'plain'
    Puppet::Node::Facts.indirection.terminus_class = :memory
    Puppet::Node.indirection.terminus_class = :plain
    Puppet::Resource::Catalog.indirection.terminus_class = :compiler
    Puppet::Resource::Catalog.indirection.cache_class = nil
    @catalog_support = true
  end
end
