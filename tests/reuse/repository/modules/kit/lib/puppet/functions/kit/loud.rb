# Louder.
Puppet::Functions.create_function(:'kit::loud') do
  dispatch :loud do
    param 'String', :text
  end

  def loud(text)
    text.upcase + '!'
  end
end
