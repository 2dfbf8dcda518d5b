0.inspect
7.to_i
(-7).to_f
255.round
3.7.round(1)
(-0.5).round(-1)
