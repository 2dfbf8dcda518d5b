# frozen_string_literal: true

# What tests ask a machine of its users and groups, as the harness answers it.
module Accounts
  def user_list(&block) = list('passwd', &block)
  def group_list(&block) = list('group', &block)
  def user_get(name, &block) = entry('passwd', name, &block)
  def group_get(name, &block) = entry('group', name, &block)
  def user_present(name) = @machine.run("getent passwd #{name} || useradd #{name}")
  def user_absent(name) = @machine.run("if getent passwd #{name}; then userdel #{name}; fi")
  def group_present(name) = @machine.run("getent group #{name} || groupadd #{name}")
  def group_absent(name) = @machine.run("if getent group #{name}; then groupdel #{name}; fi")
  def group_gid(name) = @machine.run("getent group #{name}").stdout.split(':')[2]

  private

  def list(database)
    result = @machine.run("getent #{database}")
    yield result if block_given?
    result.stdout.lines.map { |line| line.split(':').first }
  end

  def entry(database, name)
    result = @machine.run("getent #{database} #{name}")
    raise Assertions::Failure, "#{database} has no #{name}" unless result.stdout.start_with?("#{name}:")

    yield result if block_given?
    result
  end
end
