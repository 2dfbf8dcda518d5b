0 < "1"
7.upcase
(-7).finite?
255.nan?
3.7.class
(-0.5).is_a?(Numeric)
