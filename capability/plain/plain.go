package plain

func Show(s string) (string, bool, int) { return s, false, 0 }
