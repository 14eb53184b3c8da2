package compile

// maxDepth is how many operators, colons and dots one expression may chain, and
// how deep brackets may nest. CUE recurses along both, and a stack overflow
// cannot be recovered from. Nobody writes a tenth of it.
const maxDepth = 4000

// tooDeep is the offset at which CUE source chains or nests too much, -1 if it
// does not. It needs no valid source.
func tooDeep(data []byte) int {
	open := []int{0} // operators since the last separator, per open bracket
	last := byte(0)
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch c {
		case ' ', '\t', '\r':
			continue
		case '/':
			if i+1 < len(data) && data[i+1] == '/' {
				for i+1 < len(data) && data[i+1] != '\n' {
					i++
				}
				continue
			}
		case '"', '\'':
			if end := stringEnd(data, i); end > i {
				i = end
				last = c
				continue
			}
		}
		top := &open[len(open)-1]
		switch c {
		case '{', '[', '(':
			if open = append(open, 0); len(open) > maxDepth {
				return i
			}
		case '}', ']', ')':
			if len(open) > 1 {
				open = open[:len(open)-1]
			}
		case ',':
			*top = 0
		case '\n':
			// CUE ends a field at a line break unless an operator stands before it.
			if !operator(last) && last != 0 {
				*top = 0
			}
			continue
		default:
			if operator(c) {
				if *top++; *top > maxDepth {
					return i
				}
			}
		}
		last = c
	}
	return -1
}

func operator(c byte) bool {
	switch c {
	case ':', '+', '-', '*', '/', '&', '|', '.', '!', '=', '<', '>', '~', '?':
		return true
	}
	return false
}

// stringEnd is the offset of the quote that ends a string on its own line, else
// 0. What is interpolated in it is passed over with it.
func stringEnd(data []byte, i int) int {
	for j := i + 1; j < len(data) && data[j] != '\n'; j++ {
		switch data[j] {
		case '\\':
			j++
		case data[i]:
			return j
		}
	}
	return 0
}
