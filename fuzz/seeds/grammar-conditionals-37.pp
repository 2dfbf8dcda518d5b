case $a { 1: { } default: { } }
