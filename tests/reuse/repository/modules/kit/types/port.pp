type Kit::Port = Integer[1, 65535]
