"abc".match(/b/).begin(0)
"x=1,y=2".scan(/(\w)=(\d)/).to_h
"aXbX".sub(/X/) { $&.downcase }
"path/to/file".gsub("/", "::")
"a1b2".gsub(/\d/) { |d| (d.to_i * 2).to_s }
"CamelCaseWord".gsub(/([A-Z])/) { "_" + $1.downcase }.sub(/^_/, "")
