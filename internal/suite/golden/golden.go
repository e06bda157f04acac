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

// field is the field of an expectation that names the file.
const field = "golden"

// Check compares the final object of a response with a file. A missing file and
// a denied request are failures. The error is that of reading the file or of
// encoding the object.
func Check(path string, r *admission.Response) ([]expect.Failure, error) {
	got, err := finalObject(r)
	switch {
	case err == errDenied, err == errDeleted:
		return failed(err.Error()), nil
	case err != nil:
		return nil, err
	}
	want, err := read(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return failed(fmt.Sprintf("%s does not exist: create it with --update", message.Escaped(path))), nil
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

// differences converts changes to differences. A moved item is identified by
// its path.
func differences(changes []explain.Change) []explain.Difference {
	found := make([]explain.Difference, len(changes))
	for i := range changes {
		c := &changes[i]
		d := explain.Difference{Name: c.Path, Want: c.Old, Got: c.New}
		d.Path, _ = explain.ParsePath(c.Path) // Path was formatted by this package
		if c.Op == "move" {
			d.Name = "the position of " + c.Path
			d.Want, d.Got = quoted(c.From), quoted(c.Path)
		}
		found[i] = d
	}
	return found
}

func quoted(text string) json.RawMessage {
	raw, err := json.Marshal(text)
	if err != nil {
		return nil // unreachable
	}
	return raw
}
