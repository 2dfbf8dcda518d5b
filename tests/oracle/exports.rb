# frozen_string_literal: true

require 'puppet/indirector/code'

# Exported resources from a list, in the place of a PuppetDB. A part of catalog.rb; see README.md.
class Puppet::Resource::Exports < Puppet::Indirector::Code
  desc 'Exported resources of other nodes, as a question lists them.'

  class << self
    attr_accessor :list
  end

  def search(request)
    scope = request.options[:scope]
    wanted = self.class.list.select do |resource|
      resource['type'] == request.key && resource['certname'] != request.options[:host] &&
        matches?(request.options[:filter], resource)
    end
    wanted.map { |resource| imported(resource, scope) }
  end

  private

  # The query as the collector hands it over: nested arrays with the operator in their middle.
  def matches?(query, resource)
    return true if query.nil?

    left, operator, right = query
    case operator
    when 'and' then matches?(left, resource) && matches?(right, resource)
    when 'or' then matches?(left, resource) || matches?(right, resource)
    when '==' then is?(resource, left, right)
    when '!=' then !is?(resource, left, right)
    else raise Puppet::Error, "no such operator: #{operator}"
    end
  end

  def is?(resource, name, value)
    case name
    when 'title' then resource['title'] == value
    when 'tag' then (resource['tags'] || []).include?(value.to_s.downcase)
    else (resource['parameters'] || {})[name] == value
    end
  end

  def imported(resource, scope)
    parameters = (resource['parameters'] || {}).map { |name, value| Puppet::Parser::Resource::Param.new(name: name, value: value) }
    made = Puppet::Parser::Resource.new(resource['type'], resource['title'], parameters: parameters, scope: scope)
    made.collector_id = "#{resource['certname']}|#{resource['type']}|#{resource['title']}"
    made
  end
end
