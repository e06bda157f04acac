package patch

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"testing"
)

// The alphabets of patches: small, so that operations concern the same paths,
// and with inputs that the library handles badly.
func documents() []string {
	return []string{`{}`, `[]`, `null`, `{"a":null}`, `{"a":[null,1]}`, `{"a":{"b":[]},"b":"x"}`, `[[],{},null]`, `{"a":[{},[],"x"],"":0}`, `{"a":[1],"b":[1]}`,
		`{"a":{"d":1,"b":{"z":[1],"c":2}}}`}
}

func kinds() []string {
	return []string{"add", "remove", "replace", "move", "copy", "test", "", "nope"}
}

func paths() []string {
	return []string{"", "/", "/a", "/b", "/a/b", "/b/c", "/a/0", "/a/-1", "/a/-", "/0", "/a/9", "/a~1", "a", "/a/0/b"}
}

func values() []string {
	return []string{`null`, `1`, `"x"`, `{}`, `[]`, `[null]`, `{"b":null}`, `{"a":[null,1]}`, `[1,[null]]`, `[[],{},null]`, `{ "b" : [ ] , "a" : 1 , "a" : {"b" : 2} }`}
}

// made decodes a patch from bytes: four for each operation, of which any but
// the kind may be missing.
func made(script []byte) (document string, operations Operations) {
	if len(script) == 0 {
		return documents()[0], nil
	}
	document, script = pick(documents(), script[0]), script[1:]
	for ; len(script) >= 4 && len(operations) < 8; script = script[4:] {
		operation := map[string]*json.RawMessage{"op": quoted(pick(kinds(), script[0]))}
		member(operation, "path", paths(), script[1], quoted)
		member(operation, "from", paths(), script[2], quoted)
		member(operation, "value", values(), script[3], raw)
		operations = append(operations, operation)
	}
	return document, operations
}

func pick(from []string, by byte) string { return from[int(by)%len(from)] }

// member sets a member, or leaves it out for one of the values of by.
func member(operation map[string]*json.RawMessage, name string, from []string, by byte, as func(string) *json.RawMessage) {
	if i := int(by) % (len(from) + 1); i < len(from) {
		operation[name] = as(from[i])
	}
}

func raw(s string) *json.RawMessage {
	if s == "null" {
		return nil // as the decoder has it
	}
	m := json.RawMessage(s)
	return &m
}

func quoted(s string) *json.RawMessage {
	m := json.RawMessage(`"` + s + `"`)
	return &m
}

// FuzzApply applies structured patches. None may panic. The result is JSON or
// an error, deterministic, and equal to the library's unless the library
// panics. Neither argument is modified.
func FuzzApply(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 2, 0, 0, 4, 3, 2, 0, 0, 5, 0, 1})                  // add null, copy it, add below
	f.Add([]byte{0, 0, 2, 0, 0, 4, 3, 2, 0, 2, 5, 0, 1})                  // replace below
	f.Add([]byte{3, 5, 0, 0, 10})                                         // test the root against nothing
	f.Add([]byte{3, 2, 0, 0, 10})                                         // replace the root by nothing
	f.Add([]byte{4, 5, 2, 0, 8})                                          // test a list with null
	f.Add([]byte{6, 5, 0, 0, 5})                                          // test a list against null
	f.Add([]byte{7, 3, 6, 2, 0, 1, 9, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0})      // move, remove, unknown kinds
	f.Add(bytes.Repeat([]byte{5, 4, 4, 2, 0, 4, 6, 6, 2, 0, 8, 2, 3}, 3)) // many
	f.Fuzz(func(t *testing.T, script []byte) {
		document, operations := made(script)
		checkApply(t, document, operations)
	})
}

func checkApply(t *testing.T, document string, operations Operations) {
	t.Helper()
	before := asJSON(t, operations)
	input := []byte(document)
	first, firstErr := Apply(operations, input, defaults(t))
	second, secondErr := Apply(operations, input, defaults(t))
	if string(input) != document || asJSON(t, operations) != before {
		t.Fatalf("Apply modified %s or %s", document, before)
	}
	if (first == nil) == (firstErr == nil) || firstErr == nil && !json.Valid(first) {
		t.Errorf("%s on %s gave %q and error %v, want JSON or an error", before, document, first, firstErr)
	}
	// The texts of errors may differ: which of two members is compared first is
	// up to the order of a map.
	if !bytes.Equal(first, second) || (firstErr == nil) != (secondErr == nil) {
		t.Errorf("%s on %s gave %q, %v and then %q, %v", before, document, first, firstErr, second, secondErr)
	}
	likeTheLibrary(t, operations, input, first, firstErr)
}

func asJSON(t *testing.T, operations Operations) string {
	t.Helper()
	encoded, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// TestRandomPatches is the fuzz target with fixed seeds. It also shows that the
// alphabets are rich enough: without the guard they find the lines that panic.
func TestRandomPatches(t *testing.T) {
	t.Parallel()
	const many = 30_000
	random := rand.New(rand.NewSource(1))
	found := map[int]int{}
	for range many {
		script := make([]byte, 1+4*(1+random.Intn(4)))
		random.Read(script)
		document, operations := made(script)
		checkApply(t, document, operations)
		if line := panicLine(operations, document); line != 0 {
			found[line]++
		}
	}
	for _, tc := range panicCases() {
		if found[tc.line] == 0 {
			t.Errorf("line %d was not found, only %v", tc.line, found)
		}
	}
	t.Logf("panics by line: %v", found)
}
