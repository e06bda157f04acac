package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Value reads the one value that an input holds, whatever its type, such as a patch:
// in YAML or JSON, as JSON, with the duplicate fields that it has. file is what errors
// call the input. An input with nothing in it, with null, with several documents, or
// of more than limit bytes is an error.
func Value(file string, r io.Reader, limit int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: cannot be read: %w", file, err)
	case len(text) > limit:
		return nil, fmt.Errorf("%s: has more than %d bytes", file, limit)
	}
	pieces := newSplitter(bytes.NewReader(text))
	var found []value
	for {
		p, err := pieces.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
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
