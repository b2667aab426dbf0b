package markdown

func (d *Doc) repair(src []byte) []byte { return src }
