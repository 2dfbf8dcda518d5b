true.foo rescue $!.message
String.foo rescue $!.message
catch(:done) { 10.times { |i| throw :done, i if i == 3 }; :never }
throw :nope
x = 10; [1, 2].each { |i; x| x = i }; x
case 5 when 1..3 then :low when 4..6 then :mid else :high end
