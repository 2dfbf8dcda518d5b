$a = [plan, apply]
