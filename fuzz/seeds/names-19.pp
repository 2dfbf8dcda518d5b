notice("${class} ${node} ${default}")
