StringIO.new(5)
StringIO.new("a").pos = -1
SecureRandom.hex.size
SecureRandom.hex(4).size
SecureRandom.uuid.gsub(/[0-9a-f]/, "x").sub(/x(?=xxx-[x]{12})/, "x")
SecureRandom.uuid[14]
