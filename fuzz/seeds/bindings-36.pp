bindings x::default {
when rack [r1, r2] { when rack [r2, r3] { bind "c" to 1 } }
}
