function a() { function b() { 1 } notice(1) }
