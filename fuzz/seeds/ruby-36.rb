{ a: 1 } => { a: }; a
class P; attr_accessor :x; def initialize(x); @x = x; end; def to_s; "P#{@x}"; end; end; p1 = P.new(3); p1.x += 1; "#{p1}"
class A1; def hi; "a"; end; end; class B1 < A1; def hi; super + "b"; end; end; B1.new.hi
module M1; def m; "m"; end; end; class C1; include M1; end; [C1.new.m, C1.ancestors.include?(M1)]
module M2; def self.f; 1; end; X = 2; end; [M2.f, M2::X]
class D1; def method_missing(n, *a); [n, a]; end; def respond_to_missing?(*) true; end; end; [D1.new.zork(1), D1.new.respond_to?(:q)]
