package harness

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// unmet returns what a scenario expects and a side does not fulfil.
func unmet(want *scenario.Want, o *Observation) []Difference {
	if want == nil {
		return nil
	}
	var found []Difference
	expect := func(field string, met bool, want, got any) {
		if !met {
			found = append(
				found, Difference{Field: "want." + field, Upstream: show(want), Gatehouse: show(got)})
		}
	}
	expect("denied", want.Denied == o.denied(), want.Denied, o.Error)
	if want.Code != 0 {
		expect("code", want.Code == o.Error.code(), want.Code, o.Error)
	}
	for _, part := range want.Message {
		expect("message", strings.Contains(o.Error.Text, part), part, o.Error.Text)
	}
	if want.Calls != nil {
		expect("calls", slices.Equal(*want.Calls, o.paths()), *want.Calls, o.paths())
	}
	if want.Annotations != nil {
		expect("annotations", maps.Equal(*want.Annotations, o.Metadata), *want.Annotations, o.Metadata)
	}
	if want.Warnings != nil {
		given := slices.Sorted(slices.Values(slices.Concat(o.MutatingWarnings, o.ValidatingWarnings)))
		expect("warnings", slices.Equal(slices.Sorted(slices.Values(*want.Warnings)), given),
			*want.Warnings, given)
	}
	if want.Object != nil {
		missing, object := lacking(want.Object.Raw, o)
		expect("object", missing == "", string(want.Object.Raw), missing+" of "+object)
	}
	return found
}

// code is the status code of an error, zero if it has none.
func (f Failure) code() int32 {
	var status metav1.Status
	if json.Unmarshal([]byte(f.Status), &status) != nil {
		return 0
	}
	return status.Code
}

// paths are those of all calls; those of the validating phase are sorted.
func (o *Observation) paths() []string {
	paths := []string{}
	for _, c := range o.MutatingCalls {
		paths = append(paths, c.Path)
	}
	validating := []string{}
	for _, c := range o.ValidatingCalls {
		validating = append(validating, c.Path)
	}
	slices.Sort(validating)
	return append(paths, validating...)
}

// lacking returns where the object differs from the expectation, and the
// object.
func lacking(raw []byte, o *Observation) (where, object string) {
	content, err := o.versioned()
	if err != nil {
		return err.Error(), "?"
	}
	var want, got any
	if err := json.Unmarshal(raw, &want); err != nil {
		return err.Error(), "?"
	}
	if err := json.Unmarshal(content, &got); err != nil {
		return err.Error(), "?"
	}
	return Contained(want, got, "object"), string(content)
}

// Contained returns the path of something that is wanted and is not there.
func Contained(want, got any, path string) string {
	switch want := want.(type) {
	case map[string]any:
		in, ok := got.(map[string]any)
		if !ok {
			return path
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			value, there := in[key]
			if want[key] == nil {
				if there {
					return path + "." + key
				}
				continue
			}
			if missing := Contained(want[key], value, path+"."+key); missing != "" {
				return missing
			}
		}
		return ""
	case []any:
		in, ok := got.([]any)
		if !ok || len(in) != len(want) {
			return path
		}
		for i := range want {
			if missing := Contained(want[i], in[i], fmt.Sprintf("%s[%d]", path, i)); missing != "" {
				return missing
			}
		}
		return ""
	}
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return path
}
