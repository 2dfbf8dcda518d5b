function(1)
