# Names that need care in a drawing.
notify { 'say "hi"': before => Notify["two\nlines"] }
notify { "two\nlines": }
notify { 'back\slash [x]': require => Notify['say "hi"'] }
