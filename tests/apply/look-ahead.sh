#!/bin/sh
# Called with `before` and the paths of files that are about to be read ahead, and with `after`. Waits until what they say is remembered.
[ "$1" = after ] || sleep 3.1
