package patch

import (
	"path"
	"runtime"
	"strings"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

const (
	nilPointer = "patch cannot be applied: runtime error: invalid memory address or nil pointer dereference"
	nilMap     = "patch cannot be applied: assignment to entry in nil map"
)

// panicCase is a well-formed patch that makes the library panic, and the line
// where it does. Webhooks send such patches; a process must survive them.
type panicCase struct {
	row
	line            int
	document, patch string
	err             string
}

// panicCases reach every line of json-patch v4.13.0 that is known to panic.
func panicCases() []panicCase {
	return []panicCase{
		{row{"null in the document's list", "G26: null has no value to compare"}, 183, `{"a":[null]}`, `[{"op":"test","path":"/a","value":[1]}]`, nilPointer},
		{row{"null in both lists", "G26: not even null with null"}, 183, `{"a":[null]}`, `[{"op":"test","path":"/a","value":[null]}]`, nilPointer},
		{row{"null in the patch's list against a number", "G26: nor a number with null"}, 185, `{"a":[1]}`, `[{"op":"test","path":"/a","value":[null]}]`, nilPointer},
		{row{"null in the patch's list against an object", "G26: nor an object with null"}, 194, `{"a":[{}]}`, `[{"op":"test","path":"/a","value":[null]}]`, nilPointer},
		{row{"null in the patch's list against a list", "G26: nor a list with null"}, 231, `{"a":[[]]}`, `[{"op":"test","path":"/a","value":[null]}]`, nilPointer},
		{row{"test of the root without a value", "G24: a patch of 25 bytes"}, 194, `{"a":1}`, `[{"op":"test","path":""}]`, nilPointer},
		{row{"test of a root that is a list", "G24: and of another kind"}, 231, `[]`, `[{"op":"test","path":""}]`, nilPointer},
		{row{"replace of the root without a value", "G25: there is nothing to replace it with"}, 573, `{"a":1}`, `[{"op":"replace","path":""}]`, nilPointer},
		{row{"add below a copied null", "G27: a copied null is taken for an object"}, 389, `{}`,
			`[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/c","value":1}]`, nilMap},
		{row{"replace below a copied null", "G27: a copied null is taken for an object"}, 384, `{}`,
			`[{"op":"add","path":"/a","value":null},{"op":"copy","from":"/a","path":"/b"},{"op":"replace","path":"/b/c","value":1}]`, nilMap},
		{row{"add to null", "a document of null is taken for an object"}, 389, `null`, `[{"op":"add","path":"/a","value":1}]`, nilMap},
	}
}

func TestPanicsAreErrors(t *testing.T) {
	t.Parallel()
	testtable.Run(t, panicCases(), func(t *testing.T, tc panicCase) {
		operations, err := Decode([]byte(tc.patch), defaults(t))
		if err != nil {
			t.Fatal(err)
		}
		patched, err := Apply(operations, []byte(tc.document), defaults(t))
		if patched != nil || testtable.Text(err) != tc.err {
			t.Errorf("got %q and error %q, want %q", patched, testtable.Text(err), tc.err)
		}
		// Without the guard the library does panic: the row proves something.
		if line := panicLine(operations, tc.document); line != tc.line {
			t.Errorf("the library panics in line %d, want %d", line, tc.line)
		}
	})
}

// Every site has a row, so that the guard is tested against all of them.
func TestPanicSitesAreComplete(t *testing.T) {
	t.Parallel()
	missing := map[int]bool{183: true, 185: true, 194: true, 231: true, 384: true, 389: true, 573: true}
	for _, tc := range panicCases() {
		delete(missing, tc.line)
	}
	if len(missing) > 0 {
		t.Errorf("no row for the lines %v", missing)
	}
}

// panicLine applies operations without the guard and returns the line of the
// library that panics, or 0.
func panicLine(operations Operations, document string) (line int) {
	defer func() {
		if recover() != nil {
			line = libraryLine()
		}
	}()
	_, _ = operations.Apply([]byte(document))
	return 0
}

// libraryLine returns the innermost line of the library on the stack, or -1.
func libraryLine() int {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for {
		frame, more := frames.Next()
		if path.Base(frame.File) == "patch.go" && strings.Contains(frame.Function, "evanphx/json-patch") {
			return frame.Line
		}
		if !more {
			return -1
		}
	}
}
