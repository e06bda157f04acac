package policy

import (
	"encoding/json"
	"testing"

	"example.com/gatehouse/admission/registration"
)

// FuzzDecode decodes anything and takes what can be decoded all the way. Nothing
// may panic, and what is encoded is decoded as what it was.
func FuzzDecode(f *testing.F) {
	for _, o := range append(everyField(), validating(), mutating(), validatingBound(), mutatingBound()) {
		for _, version := range append(oldVersions(), "v1") {
			other := asVersion(f, o, version)
			kind, err := kindOf(other)
			if err != nil {
				f.Fatal(err)
			}
			other.GetObjectKind().SetGroupVersionKind(kind)
			text, err := json.Marshal(other)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mode := range []registration.FieldValidation{registration.Warn, registration.Strict} {
			o, warnings, err := Decode(data, mode)
			if (o == nil) != (err != nil) {
				t.Fatalf("%s: %T beside the error %v", mode, o, err)
			}
			if len(warnings) > 0 && mode != registration.Warn {
				t.Errorf("%s: warnings %q", mode, warnings)
			}
		}
		o, _, err := Decode(data, registration.Ignore)
		if err != nil {
			return
		}
		takeAllTheWay(t, o)
		Default(o)
		takeAllTheWay(t, o)
	})
}

// takeAllTheWay calls everything with o, and requires that nothing changes it
// and that v1 is judged as o is.
func takeAllTheWay(t *testing.T, o Object) {
	t.Helper()
	before, err := json.Marshal(o)
	if err != nil {
		t.Fatalf("encoding: %v", err)
	}
	v1 := Convert(o)
	problems := Validate(o).ToAggregate()
	if again := Validate(v1).ToAggregate(); (problems == nil) != (again == nil) {
		t.Errorf("%T: %v\n%T: %v", o, problems, v1, again)
	}
	_ = ValidateStatic(o).ToAggregate()
	_ = ValidateUpdate(o, v1).ToAggregate()
	_ = CheckManifest(o)
	_ = Warnings(o)
	after, err := json.Marshal(o)
	if err != nil {
		t.Fatalf("encoding again: %v", err)
	}
	if string(before) != string(after) {
		t.Errorf("changed from\n%s\nto\n%s", before, after)
	}
	again, _, err := Decode(after, registration.Strict)
	if err != nil {
		t.Fatalf("decoding %s: %v", after, err)
	}
	if text, err := json.Marshal(again); err != nil || string(text) != string(after) {
		t.Errorf("%v: %s is decoded and encoded as %s", err, after, text)
	}
}
