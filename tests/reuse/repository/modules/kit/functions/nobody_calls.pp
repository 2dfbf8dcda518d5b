function kit::nobody_calls() { 1 }
