package patch

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"example.com/gatehouse/admission/limits"
)

// maxMeasured is the number of bytes of JSON that measureInSteps reads at most. A
// patch that needs more copies more in large objects than any webhook has a
// reason to.
const maxMeasured = 8 << 20

// measure returns the number of bytes that the "copy" operations of a patch
// copy. It stops at the first number beyond the limit, and never copies more
// than the limit allows. The error is that of the operation that does not apply.
//
// measure leaves out "test" operations: they change nothing, and encoding a
// text again may change how it is written.
//
// A patch that doubles a small object until it exceeds the limit takes 500 ms
// with measureInSteps alone, and 20 ms with splice.
func measure(operations Operations, document []byte, limit int) (copied int, err error) {
	operations = withoutTests(operations)
	if document, err = (Operations{}).Apply(document); err != nil { // as splice reads it
		return 0, err
	}
	if _, copied, ok := splice(operations, document, limit); ok {
		return copied, nil
	}
	return measureInSteps(operations, document, limit)
}

// measureInSteps is measure for all patches: it applies the operations before
// each copy, and has the library measure the source of the copy.
func measureInSteps(operations Operations, document []byte, limit int) (copied int, err error) {
	start, measured := 0, 0
	for i, operation := range operations {
		if operation.Kind() != "copy" {
			continue
		}
		document, err = operations[start:i].Apply(document)
		if err != nil {
			return 0, err
		}
		start = i
		if measured += len(document); measured > maxMeasured {
			return 0, fmt.Errorf("copies of the patch cannot be measured: %w",
				limits.Bytes("PatchCopies", limit))
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

func withoutTests(operations Operations) Operations {
	kept := make(Operations, 0, len(operations))
	for _, operation := range operations {
		if operation.Kind() != "test" {
			kept = append(kept, operation)
		}
	}
	return kept
}

// sourceSize returns the size of the value that an operation would copy: it
// copies the value to a new path and returns by how much the document has
// grown.
func sourceSize(operation jsonpatch.Operation, document []byte) (int, error) {
	if len(document) == 0 {
		return 0, errors.New("there is no document")
	}
	// The new path is the end of a list, or a random name, which the object
	// lacks.
	path, frame := "/-", 0
	if document[0] != '[' {
		key := rand.Text()
		path, frame = "/"+key, len(`"":`)+len(key)
	}
	probe := Operations{{
		"op": rawText(`"copy"`), "from": operation["from"], "path": rawText(`"` + path + `"`),
	}}
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
