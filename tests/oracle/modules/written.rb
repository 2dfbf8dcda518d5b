# frozen_string_literal: true

# Values of Ruby as text of Puppet. A part of cases.rb; see README.md.

module Written
  # A value that Puppet has not.
  class Impossible < StandardError; end

  module_function

  def value(value)
    case value
    when nil, :undef then 'undef'
    when :default then 'default'
    when true, false, Integer, Float then value.to_s
    when String, Symbol then text(value.to_s)
    when Array then "[#{value.map { |item| value(item) }.join(', ')}]"
    when Hash then "{ #{value.map { |key, item| "#{value(key)} => #{value(item)}" }.join(', ')} }"
    when Specs::Reference then "#{value.type.to_s.split('::').map(&:capitalize).join('::')}[#{text(value.title.to_s)}]"
    when Specs::Secret then "Sensitive(#{value(value.value)})"
    else raise Impossible
    end
  end

  def text(text)
    raise Impossible unless text.valid_encoding?

    "'#{text.gsub(/[\\']/) { |found| "\\#{found}" }}'"
  end

  # A declaration of a class or of an instance of a definition.
  def declaration(subject, params)
    type, title = subject.is_class ? ['class', subject.name] : [subject.name, subject.title]
    return "include #{subject.name}\n" if subject.is_class && params.empty?

    attributes = params.reject { |_, item| item.nil? || item == :undef }.map { |name, item| "  #{name} => #{value(item)},\n" }
    "#{type} { #{text(title)}:\n#{attributes.join}}\n"
  end
end
