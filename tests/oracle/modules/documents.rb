# frozen_string_literal: true

# The examples in a module's documents, and in the comments of its manifests: blocks of code that may be Puppet's. A part
# of cases.rb; see README.md.

require 'zlib'

module Documents
  FENCE = /^ *(?:```|~~~)/

  module_function

  def blocks(path)
    text = path.end_with?('.gz') ? Zlib::GzipReader.open(path, &:read) : File.read(path)
    text = text.dup.force_encoding(Encoding::UTF_8).scrub
    text = commented(text) if path.end_with?('.pp')
    fenced = text.scan(/#{FENCE}[ \t]*(?:puppet|ruby|pp)?[ \t]*\n(.*?)#{FENCE}/mi).flatten
    indented = text.gsub(/#{FENCE}.*?#{FENCE}/m, '').scan(/(?:^[^\n]*\n)((?:(?: {2}|\t).*\n|[ \t]*\n)+)/).flatten
    (fenced + indented).map(&:strip).reject(&:empty?).uniq
  end

  # The comments alone, as text.
  def commented(text)
    text.lines.map { |line| line[/^#(?: (.*)|$)/] ? "#{Regexp.last_match(1)}\n" : "\n" }.join
  end
end
