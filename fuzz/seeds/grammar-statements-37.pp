upcase
('a')
