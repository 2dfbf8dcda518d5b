# frozen_string_literal: true

# The modules of the corpus under the names that Puppet knows them by: a folder of links.
# A part of cases.rb and answers.rb; see README.md.

require 'fileutils'
require 'json'

module Farm
  # A folder with what belongs to it: the module, and the documents of its package.
  Module = Struct.new(:name, :path, :documents)

  module_function

  # The modules of the unpacked packages, in the order of their names.
  def all(corpus)
    folders = Dir[File.join(corpus, '*/usr/share/puppet/modules.available/*')].select { |path| File.directory?(path) }
    found = folders.map { |path| Module.new(name_of(path), path, documents(corpus, path)) }
    # Of two packages with one folder, the one that says what it is counts.
    found.sort_by { |mod| [mod.name, File.exist?(File.join(mod.path, 'metadata.json')) ? 0 : 1, mod.path] }.uniq(&:name)
  end

  def name_of(path)
    file = File.join(path, 'metadata.json')
    full = File.exist?(file) ? JSON.parse(File.read(file))['name'] : File.basename(path)
    full.split(%r{[-/]}, 2).last.tr('-', '_')
  end

  def documents(corpus, path)
    package = path.delete_prefix("#{corpus}/").split('/').first
    Dir[File.join(corpus, package, "usr/share/doc/#{package}/{README,REFERENCE}*"), File.join(path, '{README,REFERENCE}*')].sort
  end

  # Modules of our own in the place of some that Debian has not, and that every agent's package has.
  STAND_INS = File.join(__dir__, 'stand_ins')

  # Lays out the links, once.
  def lay_out(modules, folder)
    FileUtils.mkdir_p(folder)
    stand_ins = Dir[File.join(STAND_INS, '*')].sort.map { |path| Module.new(File.basename(path), path, []) }
    (modules + stand_ins).each do |mod|
      link = File.join(folder, mod.name)
      File.symlink(mod.path, link) unless File.symlink?(link)
    end
  end
end
