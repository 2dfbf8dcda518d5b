# A template of 500 lines: found, read, parsed and rendered.
epp('bench/vhosts.epp', { 'domain' => 'example.org', 'workers' => 4 })
