#!/usr/bin/env ruby
# frozen_string_literal: true

# Answers questions about the Puppet language, as the real Puppet does: one JSON object a line on
# standard input, one JSON object a line on standard output, with the same `id`. See README.md.
#
#   ruby tests/oracle/oracle.rb [--puppet8|--openvox]

require_relative 'engine'

# nothing that Puppet prints by itself may come between the answers
answers = $stdout.dup
answers.sync = true
questions = $stdin.dup
$stdout.reopen(File::NULL, 'w')
questions.binmode

Oracle.boot(Oracle.version_of(ARGV))

questions.each_line do |line|
  next if line.strip.empty?

  id = nil
  reply = begin
    request = JSON.parse(line.force_encoding(Encoding::UTF_8), max_nesting: 0)
    raise Oracle::BadRequest, 'a request is a JSON object' unless request.is_a?(Hash)

    id = request['id']
    Oracle.answer(request)
  rescue JSON::ParserError, EncodingError
    { 'bad_request' => 'not a line of JSON' }
  rescue Oracle::BadRequest => e
    { 'bad_request' => Oracle.text(e.message) }
  rescue Interrupt, SignalException
    break
  rescue Exception => e # rubocop:disable Lint/RescueException -- whatever one question does, the next is answered
    { 'bad_request' => Oracle.text("#{e.class}: #{e.message}") }
  end
  begin
    text = JSON.generate({ 'id' => id }.merge(reply), max_nesting: 0)
  rescue StandardError, SystemStackError => e
    text = JSON.generate('id' => id, 'bad_request' => Oracle.text("the answer cannot be written: #{e.class}"))
  end
  begin
    answers.puts(text)
  rescue Errno::EPIPE
    break
  end
end
