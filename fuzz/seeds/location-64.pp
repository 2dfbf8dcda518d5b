case $a { 1: { notice(2) } }
