package registration

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzDecode reads anything in every mode, and takes what could be read all the
// way. Nothing may panic, and what was encoded reads as what it was.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{` + mutatingV1 + `,"metadata":{"name":"a"},"webhooks":[{"name":"w.example.com","x":1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mode := range []FieldValidation{Ignore, Warn, Strict} {
			c, warnings, err := Decode(data, mode)
			if (c == nil) != (err != nil) {
				t.Fatalf("%s: %T beside the error %v", mode, c, err)
			}
			if len(warnings) > 0 && mode != Warn {
				t.Errorf("%s: warnings %q", mode, warnings)
			}
		}
		c, _, err := Decode(data, Ignore)
		if err != nil {
			return
		}
		sameAgain(t, c)
		Default(c)
		sameAgain(t, c)
		// The verdict on v1beta1 may be milder than that on what it becomes, so
		// there is nothing to compare; errors and warnings are to have a text.
		converted := Convert(c.DeepCopyObject().(Configuration))
		for _, c := range []Configuration{c, converted} {
			_ = Validate(c).ToAggregate()
			_ = ValidateUpdate(c, converted).ToAggregate()
			_ = Warnings(c)
		}
		sameAgain(t, converted)
	})
}

// sameAgain encodes and decodes. It compares texts, because an empty list that
// is left out comes back as an absent one.
func sameAgain(t *testing.T, c Configuration) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatalf("encoding: %v", err)
	}
	again, _, err := Decode(text, Strict)
	if err != nil {
		t.Fatalf("decoding %s: %v", text, err)
	}
	back, err := json.Marshal(again)
	if err != nil {
		t.Fatalf("encoding again: %v", err)
	}
	if diff := cmp.Diff(string(text), string(back)); diff != "" {
		t.Errorf("decoded and encoded again (-want +got):\n%s", diff)
	}
}
