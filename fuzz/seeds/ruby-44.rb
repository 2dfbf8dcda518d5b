require 'yaml'; { "a" => [1, nil, "x: y"], "b" => {} }.to_yaml
require 'yaml'; YAML.dump(["yes", "1", ""])
require 'yaml'; YAML.load("a: 1\nb: [x, 'y', ~, 1.5]\nc: {d: true}\n")
require 'yaml'; [YAML.safe_load(""), YAML.load("--- text\n"), YAML.safe_load("a: {b: 1}", symbolize_names: true)]
require 'uri'; URI(URI("http://a.example/b")).host
1 < :a
