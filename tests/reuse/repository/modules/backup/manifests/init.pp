# What is kept.
class backup {
  notify { "ask ${contact}": }
}
