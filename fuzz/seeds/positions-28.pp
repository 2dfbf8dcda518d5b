$a = [@("ONE"), @("TWO")]
  $Three
  | ONE
  four $Five
  | TWO
