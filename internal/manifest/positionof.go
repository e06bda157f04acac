package manifest

import "errors"

// PositionOf returns the position that an error of this package tells: that of the first
// one if it is made of several. It reports whether there is one, which an error about a
// whole file does not have.
func PositionOf(err error) (Position, bool) {
	var p *positioned
	if !errors.As(err, &p) {
		return Position{}, false
	}
	return p.where, true
}
