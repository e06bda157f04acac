package policies_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/policies"
)

// TestWritten compares the scenarios that are written by hand. What they expect
// is expected of kube-apiserver's plugins as well.
func TestWritten(t *testing.T) {
	all, err := policies.LoadWritten("testdata")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there are no scenarios")
	}
	names := map[string]bool{}
	draw := func(n int) (*world, error) {
		drawn, err := all[n].World()
		return &world{World: drawn}, err
	}
	n := 0
	for w := range started(t, share(t), len(all), draw) {
		s := &all[n]
		n++
		if names[s.Name] {
			t.Errorf("%q is there twice", s.Name)
		}
		names[s.Name] = true
		if !t.Run(s.Name, func(t *testing.T) { w.written(t, s) }) {
			return // the others take time
		}
	}
}

// written runs the requests of a scenario.
func (w *world) written(t *testing.T, s *policies.Written) {
	defer w.stop()
	if w.err != nil {
		t.Fatal(w.err)
	}
	for i := range s.Requests {
		r, err := s.Requests[i].Request()
		if err != nil {
			t.Fatal(err)
		}
		different, got, err := w.sides.Compare(t.Context(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		byName, err := w.sides.RunByName(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		want, wantByName := &s.Requests[i].Want, s.Requests[i].ByName
		if wantByName == nil {
			wantByName = want
		}
		for side, problem := range map[string]string{
			"gatehouse, exact": different, "kube-apiserver": unmet(want, &got),
			"gatehouse": unmet(wantByName, &byName),
		} {
			if problem != "" {
				t.Errorf("request %d: %s: %s\nwhy: %s", i, side, problem, s.Why)
			}
		}
	}
}

// unmet says what a result lacks; "" if nothing.
func unmet(want *policies.Want, got *policies.Result) string {
	var all []string
	expect := func(what string, met bool, want, got any) {
		if !met {
			all = append(all, fmt.Sprintf("%s: got %v, want %v", what, got, want))
		}
	}
	var status metav1.Status
	expect("denied", want.Denied == (got.Err != ""), want.Denied, got.Err)
	if got.Err != "" {
		_ = json.Unmarshal([]byte(strings.TrimSuffix(got.Err, " <nil>")), &status)
	}
	expect("code", want.Code == 0 || want.Code == status.Code, want.Code, got.Err)
	expect("reason", want.Reason == "" || want.Reason == status.Reason, want.Reason, got.Err)
	for _, part := range want.Message {
		expect("message", strings.Contains(status.Message, part), part, status.Message)
	}
	if want.Annotations != nil {
		expect("annotations", maps.Equal(*want.Annotations, got.Annotations), *want.Annotations, got.Annotations)
	}
	if want.Warnings != nil {
		expect("warnings", slices.Equal(*want.Warnings, got.Warnings), *want.Warnings, got.Warnings)
	}
	if want.Calls != nil {
		var paths []string
		for _, review := range got.Reviews {
			path, _, _ := strings.Cut(review, " ")
			paths = append(paths, path)
		}
		expect("calls", slices.Equal(*want.Calls, paths), *want.Calls, paths)
	}
	expect("rounds", want.Rounds == 0 || want.Rounds == got.Rounds, want.Rounds, got.Rounds)
	expect("object", contains(want.Objects, got.Object), want.Objects, got.Object)
	return strings.Join(all, "\n")
}

// contains reports whether an object contains one of several parts, or whether
// there are none.
func contains(parts []runtime.RawExtension, object runtime.Object) bool {
	text, err := json.Marshal(object)
	var got any
	if err != nil || json.Unmarshal(text, &got) != nil {
		return false
	}
	return len(parts) == 0 || slices.ContainsFunc(parts, func(part runtime.RawExtension) bool {
		var want any
		return json.Unmarshal(part.Raw, &want) == nil && harness.Contained(want, got, "object") == ""
	})
}
