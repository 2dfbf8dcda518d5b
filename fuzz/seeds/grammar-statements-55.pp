$a = $b
  ? { default => 1 }
