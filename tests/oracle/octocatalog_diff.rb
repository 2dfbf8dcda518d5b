# Pairs of octocatalog-diff's own catalogs, by octocatalog-diff and by `pantin diff`: which resources come and go, and which
# parameters of the others differ. FOLDER is a checkout of https://github.com/github/octocatalog-diff with the gems diffy, hashdiff,
# httparty and parallel at hand.
#
#   ruby tests/oracle/octocatalog_diff.rb FOLDER [PANTIN]

require 'json'
require 'logger'
require 'open3'
require 'tmpdir'

# Nothing is read from git.
module Rugged; end
$LOADED_FEATURES << 'rugged.rb'

folder, pantin = ARGV
pantin ||= "#{ENV.fetch('CARGO_TARGET_DIR', 'target')}/debug/pantin"
$LOAD_PATH.unshift(File.join(folder, 'lib'))
require 'octocatalog-diff'

RELATIONSHIPS = %w[require before notify subscribe].freeze

# The object of a catalog, in whatever it is wrapped.
def inside(value)
  %w[data catalog].map { |name| value[name] }.find { |it| it.is_a?(Hash) && it['resources'] } || value
end

# No server says that a resource is exported in other words than yes and no, as four of the catalogs do.
def with_truth(json)
  json.gsub(/"exported": "(old|new)"/, '"exported": false')
end

# As octocatalog-diff makes one of what PuppetDB sends.
def without_lists(json)
  value = JSON.parse(json)
  list = value['resources']
  return json unless list.is_a?(Hash)

  JSON.generate('document_type' => 'Catalog', 'data' => value.merge('resources' => list['data']))
end

# Differences are texts: `+ File[/x]`, `- File[/x]`, `~ File[/x] mode`.
def of_octocatalog_diff(old, new)
  catalogs = [old, new].map { |json| OctocatalogDiff::Catalog.create(json: without_lists(json)) }
  logger = Logger.new(File::NULL)
  differ = OctocatalogDiff::CatalogDiff::Differ.new({ ignore: [], logger: logger }, *catalogs)
  differ.diff.flat_map do |diff|
    type, title, *rest = diff[1].split("\f")
    reference = "#{type}[#{title}]"
    case diff[0]
    when '+', '-' then ["#{diff[0]} #{reference}"]
    else
      # The first parameters of a resource, or the last, are one difference.
      names = rest == ['parameters'] ? diff[2, 2].grep(Hash).flat_map(&:keys) : [rest[0] == 'parameters' ? rest[1] : rest[0]]
      names.map { |name| "~ #{reference} #{name}" }
    end
  end.uniq.grep_v(/ tags\z/)
end

def of_pantin(pantin, old, new)
  Dir.mktmpdir do |scratch|
    files = { 'old' => old, 'new' => new }.map do |name, json|
      value = JSON.parse(json)
      # Whoever compares two nodes means one.
      inside(value)['name'] = 'node'
      value['certname'] = 'node' if value['certname']
      "#{scratch}/#{name}.json".tap { |file| File.write(file, JSON.generate(value)) }
    end
    out, err, ended = Open3.capture3(pantin, 'diff', *files, '--quiet', '--format', 'json')
    return err.lines.first.sub(/.*is no catalog: /, '').strip unless ended.success?

    report = JSON.parse(out)
    report['changes'].flat_map do |change|
      reference = change['resource']
      sign = { 'added' => '+', 'removed' => '-' }[change['action']]
      next ["#{sign} #{reference}"] if sign

      declared = change['relationships'].map { |it| it['kind'] } & RELATIONSHIPS
      (change['parameters'].map { |it| it['name'] } + declared).map { |name| "~ #{reference} #{name}" }
    end.uniq
  end
end

files = Dir[File.join(folder, 'spec/octocatalog-diff/fixtures/catalogs/*.json')].sort
texts = files.to_h { |file| [File.basename(file, '.json'), with_truth(File.read(file))] }
same = unread = 0
texts.keys.combination(2) do |one, other|
  theirs = begin
    of_octocatalog_diff(texts[one], texts[other])
  rescue StandardError => error
    error.message[0, 100]
  end
  ours = of_pantin(pantin, texts[one], texts[other])
  if theirs.is_a?(String) || ours.is_a?(String)
    unread += 1
    puts "#{one} #{other}: theirs #{theirs.is_a?(String) ? theirs : theirs.size}, ours #{ours.is_a?(String) ? ours : ours.size}"
  elsif theirs.sort == ours.sort
    same += 1
  else
    puts "#{one} #{other}: #{(theirs & ours).size} are the same"
    (theirs - ours).each { |it| puts "  theirs #{it}" }
    (ours - theirs).each { |it| puts "  ours   #{it}" }
  end
end
puts "#{texts.size * (texts.size - 1) / 2} pairs: #{same} the same, #{unread} with a catalog that one of them refuses"
