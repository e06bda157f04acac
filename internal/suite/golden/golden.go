package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/suite/expect"
)

// field is the one of an expectation that names the file.
const field = "golden"

// Check compares the final object of a response with a file. A file that is not there is
// a failure, too, and so is a request that was denied. The error is that of reading the
// file, or of an object that cannot be written down.
func Check(path string, r *admission.Response) ([]expect.Failure, error) {
	got, err := final(r)
	var refused *noObjectError
	switch {
	case errors.As(err, &refused):
		return failed(refused.Error()), nil
	case err != nil:
		return nil, err
	}
	want, err := read(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return failed(fmt.Sprintf("%s is not there: --update writes it", message.Escaped(path))), nil
	case err != nil:
		return nil, err
	}
	changes, err := explain.Diff(want, got)
	if err != nil {
		return nil, fmt.Errorf("comparing the final object with %s: %w", path, err)
	}
	return expect.Differences(field, r, differences(changes)), nil
}

func failed(text string) []expect.Failure {
	return []expect.Failure{{Field: field, Text: field + ": " + text}}
}

// differences are changes of what is wanted to what there is. An item in another place
// than it should be is told by its path.
func differences(changes []explain.Change) []explain.Difference {
	found := make([]explain.Difference, len(changes))
	for i := range changes {
		c := &changes[i]
		d := explain.Difference{Name: c.Path, Want: c.Old, Got: c.New}
		d.Path, _ = explain.ParsePath(c.Path) // it reads all that it writes
		if c.Op == "move" {
			d.Name = "the place of " + c.Path
			d.Want, d.Got = quoted(c.From), quoted(c.Path)
		}
		found[i] = d
	}
	return found
}

func quoted(text string) json.RawMessage {
	raw, err := json.Marshal(text)
	if err != nil {
		return nil // a string always can be
	}
	return raw
}
