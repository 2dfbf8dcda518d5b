case { 1: { 2 } }
