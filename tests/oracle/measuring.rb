# frozen_string_literal: true

# What a program costs the real Puppet once it is parsed and warm: CPU seconds of a run in this process, a line of JSON.

require_relative 'engine'
require_relative 'evaluation'

# CPU seconds that a round takes at least, and how many rounds there are.
ROUND = 0.3
ROUNDS = 3

def cpu
  Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
end

# The best of several rounds, after one that warms up.
def seconds
  rounds = Array.new(ROUNDS + 1) do
    before = cpu
    runs = 0
    while cpu - before < ROUND
      yield
      runs += 1
    end
    (cpu - before) / runs
  end
  rounds.drop(1).min
end

# The block is a run, given the scope and the code of the manifest.
def measure(name, path, request, &run)
  row = nil
  answer = Oracle.guarded(request, {}) do |env|
    source = path.end_with?('.pp') ? File.read(path) : ''
    env.define_singleton_method(:perform_initial_import) do
      Oracle.import(self, source, path) do |code, scope|
        once = -> { run.call(code, scope) }
        value = Oracle.text(Oracle::Show.value(once.call))
        row = { 'name' => name, 'seconds' => seconds(&once), 'value' => value }
      end
    end
    Oracle.compile(request, env)
  end
  return warn("#{name}: #{answer['error']['message']}") if answer['error']
  puts JSON.generate(row)
  $stdout.flush
end
