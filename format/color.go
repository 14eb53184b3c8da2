package format

// A palette paints text, or leaves it as it is.
type palette struct{ on bool }

// The colours, as SGR parameters. They keep to the sixteen that every theme sets.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "32"
	yellow = "1;33"
	cyan   = "36"
)

func (p palette) paint(sgr, s string) string {
	if !p.on || s == "" || sgr == "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}
