package manifest

import (
	"bytes"
	"fmt"
	"io"
)

// Value reads one value of any type, such as a patch, from YAML or JSON and
// returns it as JSON with its duplicate fields. file is the name of the input
// in errors. An input that is empty, null, has several documents, or more than
// limit bytes is an error.
func Value(file string, r io.Reader, limit int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: cannot be read: %w", file, err)
	case len(text) > limit:
		return nil, fmt.Errorf("%s: has more than %d bytes", file, limit)
	}
	var found []value
	for in := newInput(bytes.NewReader(text)); ; {
		p, err := in.piece(len(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if p.start == 0 {
			break
		}
		values, line, err := parse(file, p)
		if err != nil {
			return nil, blame(Position{File: file, Number: len(found) + 1, Line: max(line, p.start)}, err)
		}
		found = append(found, values...)
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%s: holds nothing", file)
	case 1:
		return found[0].json, nil
	default:
		return nil, fmt.Errorf("%s: holds %d documents, but one is wanted", file, len(found))
	}
}
