package patch

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"example.com/gatehouse/admission/limits"
)

// maxMeasured is how much JSON is gone through in order to measure. A patch that
// takes more copies in large objects than any webhook has a reason to.
const maxMeasured = 8 << 20

// measure returns how much the "copy" operations of a patch copy, or a number
// beyond the limit as soon as it is reached. It applies the operations between
// two copies, asks the library how large the source of the next one is, and goes
// on; no more is ever copied than the limit allows. The error is that of the
// operation that does not apply.
//
// Tests are left out: they change nothing, and a text may look different after
// it has been written and read again.
func measure(operations Operations, document []byte, limit int) (copied int, err error) {
	start, measured := 0, 0
	for i, operation := range operations {
		if operation.Kind() != "copy" {
			continue
		}
		document, err = untested(operations[start:i]).Apply(document)
		if err != nil {
			return 0, err
		}
		start = i
		if measured += len(document); measured > maxMeasured {
			return 0, fmt.Errorf("copies of the patch cannot be measured: %w", limits.Bytes("PatchCopies", limit))
		}
		size, err := sourceSize(operation, document)
		if err != nil {
			return 0, err
		}
		if copied += size; copied > limit {
			return copied, nil
		}
	}
	return copied, nil
}

func untested(operations Operations) Operations {
	kept := make(Operations, 0, len(operations))
	for _, operation := range operations {
		if operation.Kind() != "test" {
			kept = append(kept, operation)
		}
	}
	return kept
}

// sourceSize returns the size of what an operation would copy: what the document
// grows by when it is copied to a place where nothing is.
func sourceSize(operation jsonpatch.Operation, document []byte) (int, error) {
	if len(document) == 0 {
		return 0, errors.New("there is no document")
	}
	// A list has room at its end, an object under a name that nobody has guessed.
	path, frame := "/-", 0
	if document[0] != '[' {
		key := rand.Text()
		path, frame = "/"+key, len(`"":`)+len(key)
	}
	probe := Operations{{"op": rawText(`"copy"`), "from": operation["from"], "path": rawText(`"` + path + `"`)}}
	grown, err := probe.Apply(document)
	if err != nil {
		return 0, err
	}
	if len(document) > len("{}") {
		frame += len(",")
	}
	return len(grown) - len(document) - frame, nil
}

func rawText(text string) *json.RawMessage {
	raw := json.RawMessage(text)
	return &raw
}
