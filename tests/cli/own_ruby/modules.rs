//! Modules whose functions need more Ruby than is built in: `matrix` and `ripper` are libraries of Ruby itself.

pub(super) const KIND: &str =
    "require_relative 'deep/er'\n\nmodule Helper\n  def self.kind(value)\n    Deep.name(value)\n  end\nend\n";

pub(super) const MODULES: &[(&str, &str)] = &[
    (
        "modules/m/lib/puppet/functions/m/det.rb",
        "\
require 'matrix'

Puppet::Functions.create_function(:'m::det') do
  local_types do
    type 'Rows = Array[Array[Numeric], 1]'
  end

  dispatch :det do
    param 'Rows', :rows
    optional_param 'Enum[exact, near]', :how
    return_type 'Integer'
  end

  argument_mismatch :wrong do
    param 'String', :rows
  end

  def det(rows, how = 'exact')
    found = Matrix[*rows].determinant
    how == 'near' ? found.to_f : found
  end

  def wrong(rows)
    \"wants rows, not the text '#{rows}'\"
  end
end
",
    ),
    (
        "modules/m/lib/puppet/functions/m/same.rb",
        "\
require 'ripper'
require 'helper/kind'

Puppet::Functions.create_function(:'m::same') do
  def same(value, *rest)
    Helper.kind(value)
    rest.empty? ? value : [value, rest]
  end
end
",
    ),
    (
        "modules/m/lib/puppet/functions/m/kind.rb",
        "\
require 'ripper'
require 'helper/kind'

Puppet::Functions.create_function(:'m::kind') do
  dispatch(:kind) { param 'Any', :value }

  def kind(value)
    Helper.kind(value)
  end
end
",
    ),
    ("modules/m/lib/helper/kind.rb", KIND),
    (
        "modules/m/lib/helper/deep/er.rb",
        "module Helper\n  module Deep\n    def self.name(value)\n      value.class.to_s\n    end\n  end\nend\n",
    ),
    (
        "modules/m/lib/puppet/functions/m/calls.rb",
        "\
require 'ripper'

Puppet::Functions.create_function(:'m::calls') do
  dispatch :calls do
    param 'Array', :list
    block_param 'Callable[1, 1]', :each
  end

  def calls(list)
    scope = closure_scope
    made = list.map { |item| yield item }
    doubled = call_function('map', made) { |item| item * 2 }
    indexed = call_function('map', { 'a' => 1 }) { |key, value| [key, value] }
    call_function('notice', \"made #{made}\")
    Puppet.warning(\"of #{scope['facts']['kernel']}\")
    [doubled, indexed, scope.lookupvar('::top'), call_function('m::puppet', 3)]
  end
end
",
    ),
    ("modules/m/functions/puppet.pp", "function m::puppet(Integer $x) { $x + 1 }\n"),
    (
        "modules/m/lib/puppet/parser/functions/older.rb",
        "\
require 'ripper'

module Puppet::Parser::Functions
  newfunction(:older, :type => :rvalue, :arity => -2) do |args|
    args << 'more'
    function_notice([\"older says #{args.inspect}\"])
    return 'early' if args[0] == 'early'
    raise Puppet::ParseError, 'older does not like this' if args[0] == 'bad'

    \"#{Ripper.sexp(args[0]).first} on #{lookupvar('facts')['kernel']} #{self['::top']}\"
  end
end
",
    ),
    (
        "modules/m/lib/puppet/functions/m/fails.rb",
        "\
require 'ripper'

Puppet::Functions.create_function(:'m::fails') do
  dispatch(:fails) { param 'String', :how }

  def fails(how)
    case how
    when 'parse' then raise Puppet::ParseError, 'it is so'
    when 'argument' then raise ArgumentError, 'not this'
    when 'ruby' then Integer('x')
    when 'own' then raise Class.new(StandardError) { def to_s; 'my own'; end }
    when 'inner' then call_function('fail', 'from within')
    when 'unknown' then call_function('no_such_function', 1)
    when 'types' then call_function('m::puppet', 'x')
    when 'rescued'
      begin
        call_function('fail', 'from within')
      rescue Puppet::Error => e
        \"rescued #{e.message}\"
      end
    end
  end
end
",
    ),
    // The small Ruby runs these until it meets what it lacks.
    (
        "modules/m/lib/puppet/functions/m/bound.rb",
        "\
Puppet::Functions.create_function(:'m::bound') do
  dispatch(:bound) { param 'String', :text }

  def bound(text)
    here = binding
    \"#{here.eval('text')} of the scope\"
  end
end
",
    ),
    (
        "modules/m/lib/puppet/functions/m/gem.rb",
        "\
begin
  require 'matrix'
rescue LoadError
  nil
end

Puppet::Functions.create_function(:'m::gem') do
  def gem
    raise Puppet::ParseError, 'm::gem needs the gem matrix' unless defined?(Matrix)

    Matrix[[2, 0], [0, 3]].determinant
  end
end
",
    ),
    (
        "modules/m/lib/puppet/functions/m/does.rb",
        "\
Puppet::Functions.create_function(:'m::does') do
  def does
    Puppet.warning('begins')
    call_function('notice', 'goes on')
    call_function('create_resources', 'notify', { 'made' => { 'message' => 'x' } })
    begin
      call_function('fail', 'no')
    rescue Puppet::Error => e
      call_function('notice', \"rescued: #{e.message}\")
    end
    binding.eval('nil')
    call_function('notice', 'ends')
    [call_function('m::type_of', 'made')]
  end
end
",
    ),
    ("modules/m/functions/type_of.pp", "function m::type_of($title) { Notify[$title] }\n"),
    (
        "modules/m/lib/puppet/functions/m/loaded.rb",
        "\
require 'ripper'
require 'puppet'
require 'puppet/util'

Puppet::Functions.create_function(:'m::loaded') do
  def loaded
    $LOADED_FEATURES.grep(%r{/puppet(\\.rb|/)|/facter})
  end
end
",
    ),
    (
        "modules/m/lib/puppet/functions/m/backend.rb",
        "\
require 'matrix'

Puppet::Functions.create_function(:'m::backend') do
  dispatch :backend do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def backend(key, options, context)
    context.not_found unless key.start_with?('some')
    context.cache('one', Matrix[[1]].determinant)
    context.explain { 'nobody listens' }
    \"#{key} of #{context.interpolate(options['a'])}, kept #{context.cached_value('one')}\"
  end
end
",
    ),
    (
        "modules/m/lib/puppet/functions/m/facter.rb",
        "Puppet::Functions.create_function(:'m::facter') do\n  def facter\n    Facter.value(:kernel)\n  end\nend\n",
    ),
    (
        "modules/m/lib/puppet/functions/m/plain.rb",
        "Puppet::Functions.create_function(:'m::plain') do\n  def plain\n    1\n  end\nend\n",
    ),
];
