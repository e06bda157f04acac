package dispatcher_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/internal/testutil/testtable"
)

// step is a webhook that needs testKinds in one version and responds with a
// patch; "no" denies and "" admits without a patch.
type step struct{ version, patch string }

// versionsRow is a testKind that webhooks of different versions receive.
type versionsRow struct {
	row
	// exact is Config.Exact.
	exact bool
	start testKind
	steps []step
	// saw is what each of the webhooks was shown.
	saw []string
	// changed are the calls that count as a change.
	changed []bool
	err     string
	end     testKind
}

func TestMutatingVersions(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(conversionRows(), defaultingRows()...), func(t *testing.T, tc versionsRow) {
		var saw []string
		s := tc.testRequest(admission.Mutating, &saw)
		object := tc.start
		s.request = testKindRequest(&object)
		r := s.run(t.Context(), t, admission.Mutating)
		var changed []bool
		for _, c := range r.calls {
			changed = append(changed, c.Changed)
		}
		for _, check := range []struct {
			what      string
			want, got any
		}{
			{"error", tc.err, testtable.Text(r.err)},
			{"the webhooks saw", tc.saw, saw},
			{"changed", tc.changed, changed},
			{"the object", tc.end, object},
		} {
			if diff := cmp.Diff(check.want, check.got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", check.what, diff)
			}
		}
	})
}

// testRequest makes webhooks of the steps. They record the objects that they
// receive.
func (tc *versionsRow) testRequest(phase admission.Phase, saw *[]string) *testRequest {
	s := &testRequest{backends: backends{}, objects: newTestKindInterfaces()}
	s.config = func(c *dispatcher.Config) { c.Exact = tc.exact }
	for i, step := range tc.steps {
		name := fmt.Sprintf("hook%d", i)
		s.webhooks = append(s.webhooks, hook(phase, name, inVersion(step.version)))
		s.backends[name] = func(r *http.Request) (*http.Response, error) {
			review, err := reviewIn(r)
			if err != nil {
				return nil, err
			}
			*saw = append(*saw, string(review.Request.Object.Raw))
			return step.answer(string(review.Request.UID)), nil
		}
	}
	return s
}

func inVersion(version string) func(*admission.Webhook) {
	return func(w *admission.Webhook) {
		w.Rules[0].APIVersions = []string{version}
		w.MatchPolicy = new(registrationv1.Equivalent)
	}
}

func (s *step) answer(uid string) *http.Response {
	members := `"allowed":true`
	switch s.patch {
	case "":
	case "no":
		members = `"allowed":false`
	default:
		members += "," + patchMembers(s.patch)
	}
	return response(http.StatusOK, "", fmt.Sprintf(
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":%q,%s}}`, uid, members))
}

func set(field, value string) string {
	return fmt.Sprintf(`[{"op":"replace","path":"/%s","value":%q}]`, field, value)
}

// seen is a testKind as a webhook sees it.
func seen(version, members string) string {
	return fmt.Sprintf(`{"kind":"Gadget","apiVersion":"toys.example.com/%s","metadata":{},%s}`, version, members)
}

func conversionRows() []versionsRow {
	red := testKind{Color: "red", Size: 2}
	return []versionsRow{{
		row:   row{"patch in v1 seen in v2", "S-170: what one webhook changed, the next one sees in its own version"},
		start: red, steps: []step{{"v1", set("color", "blue")}, {"v2", set("paint", "green")}},
		saw:     []string{seen("v1", `"color":"red","size":2`), seen("v2", `"paint":"blue","size":2`)},
		changed: []bool{true, true}, end: testKind{Color: "green", Size: 2},
	}, {
		row:   row{"there and back", "S-170: every change of version goes through the internal one"},
		start: red, steps: []step{{"v2", set("paint", "blue")}, {"v1", ""}, {"v2", ""}},
		saw:     []string{seen("v2", `"paint":"red","size":2`), seen("v1", `"color":"blue","size":2`), seen("v2", `"paint":"blue","size":2`)},
		changed: []bool{true, false, false}, end: testKind{Color: "blue", Size: 2},
	}, {
		row:   row{"denial in the same version", "S-173: what was not written back yet is lost"},
		start: red, steps: []step{{"v1", set("color", "blue")}, {"v1", "no"}},
		saw:     []string{seen("v1", `"color":"red","size":2`), seen("v1", `"color":"blue","size":2`)},
		changed: []bool{true, false}, end: red,
		err: `admission webhook "hook1" denied the request without explanation`,
	}, {
		row:   row{"denial in the other version", "S-173: the conversion has written the first patch to the object, which is undone"},
		start: red, steps: []step{{"v1", set("color", "blue")}, {"v2", set("paint", "green")}, {"v2", "no"}},
		saw:     []string{seen("v1", `"color":"red","size":2`), seen("v2", `"paint":"blue","size":2`), seen("v2", `"paint":"green","size":2`)},
		changed: []bool{true, true, false}, end: red,
		err: `admission webhook "hook2" denied the request without explanation`,
	}, {
		row:   row{"denial in the other version, exactly", "S-170, S-173: the conversion has written the first patch to the object"},
		exact: true,
		start: red, steps: []step{{"v1", set("color", "blue")}, {"v2", set("paint", "green")}, {"v2", "no"}},
		saw:     []string{seen("v1", `"color":"red","size":2`), seen("v2", `"paint":"blue","size":2`), seen("v2", `"paint":"green","size":2`)},
		changed: []bool{true, true, false}, end: testKind{Color: "blue", Size: 2},
		err: `admission webhook "hook2" denied the request without explanation`,
	}, {
		row:   row{"impossible in v2", "S-181: the error of a conversion is wrapped twice"},
		start: red, steps: []step{{"v1", set("color", "plaid")}, {"v2", ""}},
		saw: []string{seen("v1", `"color":"red","size":2`)}, changed: []bool{true}, end: red,
		err: "Internal error occurred: Internal error occurred: v2 has no plaid",
	}, {
		row:   row{"impossible in v2, exactly", "S-181: the error of a conversion is wrapped twice"},
		exact: true,
		start: red, steps: []step{{"v1", set("color", "plaid")}, {"v2", ""}},
		saw: []string{seen("v1", `"color":"red","size":2`)}, changed: []bool{true}, end: testKind{Color: "plaid", Size: 2},
		err: "Internal error occurred: Internal error occurred: v2 has no plaid",
	}, {
		row:   row{"impossible inside", "S-172: a conversion back that fails ends the request"},
		start: red, steps: []step{{"v1", set("color", "invisible")}},
		saw: []string{seen("v1", `"color":"red","size":2`)}, changed: []bool{true}, end: red,
		err: "Internal error occurred: unknown color",
	}, {
		row:   row{"impossible inside, exactly", "S-172: a conversion back that fails ends the request"},
		exact: true,
		start: red, steps: []step{{"v1", set("color", "invisible")}},
		saw: []string{seen("v1", `"color":"red","size":2`)}, changed: []bool{true}, end: testKind{Color: "invisible", Size: 2},
		err: "Internal error occurred: unknown color",
	}, {
		row:   row{"unknown kind", "S-121: the mapper knows the resource but not its kind"},
		start: red, steps: []step{{"v3", ""}}, end: red,
		err: "Internal error occurred: unable to convert to toys.example.com/v3, Resource=gadgets: unknown kind",
	}}
}

func defaultingRows() []versionsRow {
	return []versionsRow{{
		row:   row{"default after a patch without effect", "S-180: defaulting changes the object and counts as no change"},
		start: testKind{Color: "red"}, steps: []step{{"v1", set("color", "red")}, {"v1", ""}},
		saw:     []string{seen("v1", `"color":"red"`), seen("v1", `"color":"red","size":1`)},
		changed: []bool{false, false}, end: testKind{Color: "red", Size: 1},
	}, {
		row:   row{"default put back", "S-179: the comparison comes before defaulting, so this counts as a change"},
		start: testKind{Color: "red", Size: 1}, steps: []step{{"v1", `[{"op":"remove","path":"/size"}]`}},
		saw: []string{seen("v1", `"color":"red","size":1`)}, changed: []bool{true}, end: testKind{Color: "red", Size: 1},
	}, {
		row:   row{"no default without a patch", "S-180: only patched objects are defaulted"},
		start: testKind{Color: "red"}, steps: []step{{"v1", ""}},
		saw: []string{seen("v1", `"color":"red"`)}, changed: []bool{false}, end: testKind{Color: "red"},
	}}
}

// TestConversionToItself: a host's scheme may change an object when it converts
// it to its own version, and webhooks receive the result.
func TestConversionToItself(t *testing.T) {
	t.Parallel()
	scheme := podScheme()
	err := scheme.AddConversionFunc((*corev1.Pod)(nil), (*corev1.Pod)(nil), func(from, to any, _ conversion.Scope) error {
		from.(*corev1.Pod).DeepCopyInto(to.(*corev1.Pod))
		to.(*corev1.Pod).Annotations = map[string]string{"converted": "yes"}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		var saw []byte
		s := one(phase, func(r *http.Request) (*http.Response, error) {
			review, err := reviewIn(r)
			if err != nil {
				return nil, err
			}
			saw = review.Request.Object.Raw
			return (&step{}).answer(string(review.Request.UID)), nil
		})
		s.request.object = pod("app", "web")
		s.objects = apiadmission.NewObjectInterfacesFromScheme(scheme)
		if r := s.run(t.Context(), t, phase); r.err != nil || !bytes.Contains(saw, []byte(`"annotations":{"converted":"yes"}`)) {
			t.Errorf("%v: the webhook saw %s, error %v", phase, saw, r.err)
		}
	}
}

// TestConversionForConditions: the object cannot be converted to the version
// that the webhook needs.
func TestConversionForConditions(t *testing.T) {
	t.Parallel()
	type conversionCase struct {
		row
		edit  func(*admission.Webhook)
		stage admission.Stage
		err   string
	}
	conditions := func(w *admission.Webhook) {
		w.MatchConditions = []registrationv1.MatchCondition{{Name: "true", Expression: "true"}}
	}
	testtable.Run(t, []conversionCase{
		{row{"conditions", "S-130: conditions need the object; no failurePolicy helps"}, conditions, admission.StageConditions, "it does not convert"},
		{row{"no conditions", "S-130: only the call needs the object"}, func(*admission.Webhook) {}, admission.StagePassed, "it does not convert"},
		{row{"no rule", "S-080: a webhook that does not match needs no object"},
			func(w *admission.Webhook) { conditions(w); w.Rules = nil }, admission.StageRules, ""},
	}, func(t *testing.T, tc conversionCase) {
		for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
			s := one(phase, allow())
			s.objects = &faulty{ObjectInterfaces: s.interfaces(), convertor: unconvertible{}}
			s.webhooks[0].FailurePolicy = new(registrationv1.Ignore)
			tc.edit(s.webhooks[0])
			observer := &recorder{}
			s.config = func(c *dispatcher.Config) { c.Observer = observer }
			r := s.run(t.Context(), t, phase)
			if len(observer.matches) != 1 || observer.matches[0].Stage != tc.stage || len(r.calls) > 0 {
				t.Errorf("%v: matches %v, calls %v, want one at stage %v", phase, observer.matches, r.calls, tc.stage)
			}
			if !strings.Contains(testtable.Text(r.err), tc.err) || (r.err == nil) != (tc.err == "") {
				t.Errorf("%v: error %v, want %q", phase, r.err, tc.err)
			}
		}
	})
}

// unconvertible is a converter that fails.
type unconvertible struct{ runtime.ObjectConvertor }

func (unconvertible) Convert(_, _, _ any) error { return errors.New("it does not convert") }

func (unconvertible) ConvertToVersion(runtime.Object, runtime.GroupVersioner) (runtime.Object, error) {
	return nil, errors.New("it does not convert")
}
