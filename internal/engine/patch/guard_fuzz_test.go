package patch

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

// narrow are limits that short patches exceed.
func narrow(t testing.TB) *limits.Limits {
	return limited(t, limits.Limits{PatchSize: 256, PatchOperations: 4, PatchCopies: 32, PatchedObject: 96})
}

// FuzzGuard applies any patch to any document. Nothing panics; the result is
// the library's unless the library panics or a limit applies; and no limit is
// exceeded or applied too early.
func FuzzGuard(f *testing.F) {
	for _, document := range documents() {
		f.Add([]byte(document), []byte(`[{"op":"add","path":"/a","value":{"b":[1,null]}},{"op":"copy","from":"/a","path":"/c"},{"op":"test","path":"/c/b/0","value":1}]`))
	}
	for _, patch := range []string{
		`null`, `[]`, `[null]`, `{}`, `[{"op":"remove","path":"/a/-1"}]`, `[{"op":"move","from":"/a","path":"/a/0"}]`, `[{"op":"replace","path":"","value":[1]}]`,
		`[{"op":"copy","from":"","path":"/a"},{"op":"copy","from":"","path":"/b"},{"op":"copy","from":"","path":"/c"}]`, `[{"op":"test","path":"/a~1b/01","value":"\u003c"}]`,
		`[{"op":"add","path":"/a/+1","value":1e400}]`, `[{"op":7},{"op":"add","path":7},{"op":"copy","path":"/a"}]`,
	} {
		f.Add([]byte(`{"a":{"b":[]},"c":"`+strings.Repeat("x", 40)+`"}`), []byte(patch))
	}
	wide, short := defaults(f), narrow(f)
	f.Fuzz(func(t *testing.T, document, patch []byte) {
		if len(document) == 0 {
			t.Skip("no object is written so; the library gives it back as it is")
		}
		operations, err := Decode(patch, wide)
		if err != nil {
			return
		}
		before := asJSON(t, operations)
		got, err := Apply(operations, bytes.Clone(document), wide)
		if (got == nil) == (err == nil) || err == nil && !json.Valid(got) {
			t.Fatalf("%s on %q gave %q and error %v, want JSON or an error", before, document, got, err)
		}
		if !errors.As(err, new(*limits.Error)) {
			likeTheLibrary(t, operations, document, got, err)
		}
		withinLimits(t, operations, document, patch, short, got)
		if written := settled(document); written != nil {
			checkSplice(t, operations, written)
		}
		if after := asJSON(t, operations); after != before {
			t.Errorf("%s has become %s", before, after)
		}
	})
}

// settled is a document as encoding/json writes it, of which Splice makes a
// condition; nil if it is no JSON.
func settled(document []byte) []byte {
	if !json.Valid(document) {
		return nil
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return text
}

// likeTheLibrary compares a result with what the library does without the
// guard. Which of two members is compared first is up to the order of a map; so
// a failed test may be a panic the next time, but never a success.
func likeTheLibrary(t *testing.T, operations Operations, document, got []byte, gotErr error) {
	t.Helper()
	want, wantErr, panicked := unguarded(operations, document)
	switch {
	case panicked:
		if gotErr == nil {
			t.Errorf("%s on %q gave %s, but the library panics", asJSON(t, operations), document, got)
		}
	case !bytes.Equal(got, want) || (gotErr == nil) != (wantErr == nil):
		t.Errorf("%s on %q gave %q, %v, the library %q, %v", asJSON(t, operations), document, got, gotErr, want, wantErr)
	case gotErr != nil && gotErr.Error() != wantErr.Error() && !strings.HasSuffix(wantErr.Error(), "test failed"):
		t.Errorf("%s on %q is refused with %v, by the library with %v", asJSON(t, operations), document, gotErr, wantErr)
	}
}

func unguarded(operations Operations, document []byte) (patched []byte, err error, panicked bool) {
	defer func() { panicked = recover() != nil }()
	patched, err = operations.Apply(document)
	return patched, err, false
}

// withinLimits applies a patch under limits. free is the result without limits.
func withinLimits(t *testing.T, operations Operations, document, patch []byte, l *limits.Limits, free []byte) {
	t.Helper()
	if _, err := Decode(patch, l); (err == nil) != (len(patch) <= l.PatchSize) {
		t.Errorf("%d bytes of a patch: %v", len(patch), err)
	}
	got, err := Apply(operations, document, l)
	if err == nil && !bytes.Equal(got, free) {
		t.Errorf("%s on %q gave %q, without limits %q", asJSON(t, operations), document, got, free)
	}
	if err == nil && (len(got) > l.PatchedObject || len(operations) > l.PatchOperations) {
		t.Errorf("%s on %q gave %d bytes", asJSON(t, operations), document, len(got))
	}
	var exceeded *limits.Error
	if !errors.As(err, &exceeded) {
		return
	}
	justified := map[string]bool{
		"PatchOperations": len(operations) > l.PatchOperations,
		"PatchCopies":     bytes.Contains([]byte(asJSON(t, operations)), []byte(`"op":"copy"`)),
		"PatchedObject":   len(free) > l.PatchedObject,
	}
	if !justified[exceeded.Field] {
		t.Errorf("%s on %q is refused with %v, but gives %d bytes", asJSON(t, operations), document, err, len(free))
	}
}

// seedCase is a seed of FuzzGuard that makes the library panic, and the line
// where.
type seedCase struct {
	row
	line int
}

// TestSeedsPanic keeps the seeds what they are there for: without the guard
// each of them is a panic, and together they are all that are known.
func TestSeedsPanic(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []seedCase{
		{row{"panic_null_in_document", "null has no value to compare"}, 183},
		{row{"panic_null_against_number", "nor has it one to be compared with"}, 185},
		{row{"panic_null_against_object", "nor has it members"}, 194},
		{row{"panic_null_against_list", "nor elements"}, 231},
		{row{"panic_replace_below_copied_null", "a copied null is taken for an object"}, 384},
		{row{"panic_add_below_copied_null", "and is given members"}, 389},
		{row{"panic_replace_root_by_nothing", "a value that is absent is looked into"}, 573},
	}, func(t *testing.T, tc seedCase) {
		document, patch := readSeed(t, tc.Name())
		operations, err := Decode(patch, defaults(t))
		if err != nil {
			t.Fatal(err)
		}
		if line := panicLine(operations, string(document)); line != tc.line {
			t.Errorf("the library panics in line %d, want %d", line, tc.line)
		}
	})
}

// readSeed reads a file as go test -fuzz does.
func readSeed(t *testing.T, name string) (document, patch []byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "fuzz", "FuzzGuard", name))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3", len(lines))
	}
	var values [2][]byte
	for i, line := range lines[1:] {
		value, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(line, "[]byte("), ")"))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		values[i] = []byte(value)
	}
	return values[0], values[1]
}
