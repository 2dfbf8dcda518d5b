# a comment alone
