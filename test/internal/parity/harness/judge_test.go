package harness

import (
	"encoding/json"
	"slices"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/scenario"
	"example.com/gatehouse/test/internal/parity/webhookserver"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

func TestContained(t *testing.T) {
	t.Parallel()
	for _, tc := range testtable.Checked(t, []struct {
		row
		want, got, missing string
	}{
		{row{"equal", "a value is contained in itself"}, `{"a":[1,{"b":"c"}]}`, `{"a":[1,{"b":"c"}]}`, ""},
		{row{"more", "maps may have more keys"}, `{"a":{}}`, `{"a":{"b":1},"c":2}`, ""},
		{row{"another value", "the path is named"}, `{"a":{"b":1}}`, `{"a":{"b":2}}`, "object.a.b"},
		{row{"absent", "a key that is wanted must be there"}, `{"a":1}`, `{}`, "object.a"},
		{row{"null and absent", "null stands for absence"}, `{"a":null}`, `{}`, ""},
		{row{"null and there", "null stands for absence"}, `{"a":null}`, `{"a":1}`, "object.a"},
		{row{"longer list", "lists are complete"}, `{"a":[1]}`, `{"a":[1,2]}`, "object.a"},
		{row{"inside a list", "what is in lists may have more keys"}, `[{"a":1}]`, `[{"a":1,"b":2}]`, ""},
		{row{"another type", "a map is no list"}, `{"a":{}}`, `{"a":[]}`, "object.a"},
	}) {
		var want, got any
		if json.Unmarshal([]byte(tc.want), &want) != nil || json.Unmarshal([]byte(tc.got), &got) != nil {
			t.Fatalf("%s: no JSON", tc.Name())
		}
		if missing := Contained(want, got, "object"); missing != tc.missing {
			t.Errorf("%s: want %q, got %q", tc.Name(), tc.missing, missing)
		}
	}
}

// TestUnmet breaks one expectation after the other.
func TestUnmet(t *testing.T) {
	t.Parallel()
	o := Observation{
		Error:              Failure{Type: "T", Status: `{"code":403}`, Text: "it is forbidden"},
		Metadata:           map[string]string{"a": "b"},
		MutatingWarnings:   []string{"z"},
		ValidatingWarnings: []string{"a"},
		MutatingCalls:      []Call{{Path: "/z"}, {Path: "/b"}},
		ValidatingCalls:    []Call{{Path: "/y", Query: "1"}, {Path: "/x", Query: "2"}},
		versioned:          func() ([]byte, error) { return []byte(`{"a":1}`), nil },
	}
	met := func() scenario.Want {
		return scenario.Want{
			Denied: true, Code: 403, Message: []string{"forbidden"},
			Calls:       &[]string{"/z", "/b", "/x", "/y"},
			Annotations: &map[string]string{"a": "b"},
			Warnings:    &[]string{"a", "z"},
			Object:      &runtime.RawExtension{Raw: []byte(`{"a":1}`)},
		}
	}
	all := met()
	if found := unmet(&all, &o); len(found) > 0 {
		t.Fatalf("unmet although all is as wanted: %v", found)
	}
	for field, spoil := range map[string]func(*scenario.Want){
		"want.denied":      func(w *scenario.Want) { w.Denied = false },
		"want.code":        func(w *scenario.Want) { w.Code = 404 },
		"want.message":     func(w *scenario.Want) { w.Message = []string{"allowed"} },
		"want.calls":       func(w *scenario.Want) { w.Calls = &[]string{"/b", "/z", "/x", "/y"} },
		"want.annotations": func(w *scenario.Want) { w.Annotations = &map[string]string{} },
		"want.warnings":    func(w *scenario.Want) { w.Warnings = &[]string{"a"} },
		"want.object":      func(w *scenario.Want) { w.Object.Raw = []byte(`{"a":2}`) },
	} {
		w := met()
		spoil(&w)
		if found := unmet(&w, &o); len(found) != 1 || found[0].Field != field {
			t.Errorf("%s: want one difference of this name, got %v", field, found)
		}
	}
}

func TestDeviationOver(t *testing.T) {
	t.Parallel()
	over := Failure{Type: "*errors.StatusError", Status: `{"code":504}`, Text: "Timeout: request did not complete within requested timeout"}
	for _, tc := range testtable.Checked(t, []struct {
		row
		side            Side
		ended, endedToo bool // whether the context had: upstream's, gatehouse's
		got             Failure
		want            bool
	}{
		{row{"by default", "the intended difference"}, Gatehouse, true, true, over, true},
		{row{"exact", "exact mode does as upstream"}, Exact, true, true, over, false},
		{row{"in time", "a 504 of a request whose context has not ended is a difference"}, Gatehouse, false, false, over, false},
		{row{"upstream in time", "upstream's request must have ended as well"}, Gatehouse, false, true, over, false},
		{row{"gatehouse in time", "so must gatehouse's"}, Gatehouse, true, false, over, false},
		{row{"another error", "only 504 is excused"}, Gatehouse, true, true, Failure{Type: "T", Text: "no"}, false},
		{row{"allowed", "the request must not get through"}, Gatehouse, true, true, Failure{}, false},
	}) {
		c := &comparison{side: tc.side, step: &scenario.Step{}}
		c.want.over, c.got.over = tc.ended, tc.endedToo
		c.want.Error, c.got.Error = Failure{Type: "U"}, tc.got
		if got := isOver(c); got != tc.want {
			t.Errorf("%s: want %t, got %t", tc.Name(), tc.want, got)
		}
	}
}

func TestThrifty(t *testing.T) {
	t.Parallel()
	for _, tc := range testtable.Checked(t, []struct {
		row
		want, got []string
		thrifty   bool
	}{
		{row{"equal", "nothing is saved"}, []string{"a", "b", "a"}, []string{"a", "b", "a"}, true},
		{row{"once", "what is known is not asked again"}, []string{"a", "b", "a"}, []string{"a", "b"}, true},
		{row{"less", "an answer may not be needed"}, []string{"a", "b"}, []string{"b"}, true},
		{row{"twice", "nothing is asked more often"}, []string{"a"}, []string{"a", "a"}, false},
		{row{"another", "nothing else is asked"}, []string{"a"}, []string{"b"}, false},
		{row{"another order", "the order of the calls decides which error is returned"}, []string{"a", "b", "a"}, []string{"b", "a"}, false},
	}) {
		if got := thrifty(tc.want, tc.got); got != tc.thrifty {
			t.Errorf("%s: want %t, got %t", tc.Name(), tc.thrifty, got)
		}
	}
}

// TestSpansTellOfTheirReviews exchanges the uids of two spans.
func TestSpansTellOfTheirReviews(t *testing.T) {
	t.Parallel()
	uids := []string{"00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"}
	var requests []webhookserver.Request
	for i, uid := range uids {
		requests = append(requests, webhookserver.Request{Path: []string{"/a", "/b"}[i], Body: []byte(`{"request":{"uid":"` + uid + `"}}`)})
	}
	observed := func(first, second string) Observation {
		var stubs tracetest.SpanStubs
		for i, uid := range []string{first, second} {
			stubs = append(stubs, tracetest.SpanStub{
				Name: []string{"first", "second"}[i], Attributes: []attribute.KeyValue{attribute.String("UID", uid)},
				Parent: trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}}),
			})
		}
		var o Observation
		o.gather(requests, stubs, 1)
		return o
	}
	right, wrong := observed(uids[0], uids[1]), observed(uids[1], uids[0])
	if len(right.UIDs) > 0 || right.Spans[0].Review != "mutating 0" || right.Spans[1].Review != "validating 0" {
		t.Fatalf("the spans tell of other reviews: %+v, %v", right.Spans, right.UIDs)
	}
	if found := Compare(right, wrong); len(found) != 2 {
		t.Errorf("want two differences, got %v", found)
	}
	if twice := observed(uids[0], uids[0]); len(twice.UIDs) != 2 {
		t.Errorf("want complaints about the uid that is told twice and the one that is not, got %v", twice.UIDs)
	}
}

// TestMapper has a resource that moved between groups, as deployments did.
func TestMapper(t *testing.T) {
	t.Parallel()
	at := func(group, version, resource string) scenario.EquivalentResource {
		return scenario.EquivalentResource{
			Resource: metav1.GroupVersionResource{Group: group, Version: version, Resource: resource},
			Kind:     metav1.GroupVersionKind{Group: group, Version: version, Kind: "K"},
		}
	}
	mapper := newMapper([]scenario.Equivalent{
		{Resources: []scenario.EquivalentResource{at("old", "v1", "a"), at("new", "v1", "a")}},
		{Resources: []scenario.EquivalentResource{at("new", "v1", "a")}, Subresource: "scale"},
		{Resources: []scenario.EquivalentResource{at("new", "v1", "b")}},
	})
	moved := schema.GroupVersionResource{Group: "new", Version: "v1", Resource: "a"}
	if got := mapper.EquivalentResourcesFor(moved, ""); len(got) != 2 || got[0].Group != "old" {
		t.Errorf("the resource itself: %v", got)
	}
	if got := mapper.EquivalentResourcesFor(moved, "scale"); len(got) != 1 || got[0] != moved {
		t.Errorf("its subresource: %v", got)
	}
	if got := mapper.EquivalentResourcesFor(schema.GroupVersionResource{Group: "new", Version: "v1", Resource: "b"}, ""); len(got) != 1 {
		t.Errorf("another resource: %v", got)
	}
}

func TestSingly(t *testing.T) {
	t.Parallel()
	configuration := func(name string, hooks ...string) registrationv1.ValidatingWebhookConfiguration {
		c := registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: name}}
		for _, h := range hooks {
			c.Webhooks = append(c.Webhooks, registrationv1.ValidatingWebhook{Name: h})
		}
		return c
	}
	var got []string
	for _, c := range singly([]registrationv1.ValidatingWebhookConfiguration{configuration("b", "x"), configuration("a", "z", "y")}) {
		if len(c.Webhooks) != 1 {
			t.Fatalf("%s has %d webhooks", c.Name, len(c.Webhooks))
		}
		got = append(got, c.Name+"/"+c.Webhooks[0].Name)
	}
	if want := []string{"a/z", "a/y", "b/x"}; !slices.Equal(got, want) {
		t.Errorf("want %q, got %q", want, got)
	}
}

func TestUIDs(t *testing.T) {
	t.Parallel()
	const uid = "0a0b0c0d-1111-4222-8333-444455556666"
	requests := []webhookserver.Request{{Path: "/a", Body: []byte(`{"uid":"` + uid + `"}`)}, {Path: "/b", Body: []byte(`{"uid":"` + uid + `"}`)}, {Path: "/c", Body: []byte(`{"uid":"1"}`)}}
	u := newUIDs(requests, nil)
	want := []string{`/b: the uid is not new`, `/c: "1" is no uid`, "no span tells of a review's uid", "no span tells of a review's uid"}
	if !slices.Equal(u.complaints, want) {
		t.Errorf("want %q, got %q", want, u.complaints)
	}
	text := u.normalize("want " + uid + ", read tcp 127.0.0.1:1->127.0.0.1:2: stream ID 3; reset")
	if text != "want UID, read tcp 127.0.0.1:PORT->127.0.0.1:2: stream ID N; reset" {
		t.Errorf("normalized: %s", text)
	}
}
