package whatif_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/replay"
	"example.com/gatehouse/internal/whatif"
)

// repeated returns a corpus of n requests.
func repeated(entries []*corpus.Entry, n int) iter.Seq2[*corpus.Entry, error] {
	return func(yield func(*corpus.Entry, error) bool) {
		for i := range n {
			e := *entries[i%len(entries)]
			e.ID = fmt.Sprintf("r%06d", i)
			if !yield(&e, nil) {
				return
			}
		}
	}
}

// run compares two texts, with webhooks that answer.
func run(
	t testing.TB, with answer, before, after string, entries iter.Seq2[*corpus.Entry, error],
) *whatif.Report {
	t.Helper()
	r, err := whatif.Run(t.Context(), &whatif.Options{
		Before: setOf(t, before), After: setOf(t, after), Build: builder(with), Entries: entries,
		Parallel: 4, Repeat: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSelf: a set has no difference from itself.
func TestSelf(t *testing.T) {
	t.Parallel()
	text := beforeText(t)
	r := run(t, shop, text, text, repeated(requests(t), 2000))
	if r.Requests != 2000 || r.Different != 0 || len(r.Causes)+len(r.Unstable)+len(r.Changes) != 0 {
		t.Errorf("got %+v", r)
	}
}

// TestUnstable: differences between two runs of one set have no cause, and the
// differences that a change causes stay.
func TestUnstable(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	unstable := func(path string, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		if path == "/second" {
			return &admissionv1.AdmissionResponse{
				Allowed: true, AuditAnnotations: map[string]string{"count": fmt.Sprint(calls.Add(1))},
			}
		}
		return shop(path, r)
	}
	text := beforeText(t)
	after := edited(t, text, []string{"path: /latest}", "path: /latest2}"})
	for _, tc := range []struct {
		after string
		want  []string
	}{
		{text, nil},
		{after, []string{latest + ": clientConfig.service.path: /latest2 instead of /latest"}},
	} {
		r := run(t, unstable, text, tc.after, all(requests(t)))
		if stable := compare(t, text, tc.after, requests(t)); r.Different != stable.Different {
			t.Errorf("%d requests differ, and %d without what varies", r.Different, stable.Different)
		}
		if got := causes(r); !slices.Equal(got, tc.want) {
			t.Errorf("the causes are %q, want %q", got, tc.want)
		}
		if len(r.Unstable) != 1 || r.Unstable[0].Requests != 12 {
			t.Errorf("unstable are %+v", r.Unstable)
		}
	}
}

// TestEffects: a request that is now allowed or denied counts as that, and not as one
// with another message.
func TestEffects(t *testing.T) {
	t.Parallel()
	text := beforeText(t)
	gone := edited(t, text, []string{"path: /latest}", "path: /latest2}"})
	for _, tc := range []struct{ before, after, want string }{
		{text, gone, "now allowed"},
		{gone, text, "now denied"},
	} {
		r := run(t, shop, tc.before, tc.after, all(requests(t)))
		first := r.Causes[0].Effects[0]
		if first.Text != tc.want || first.Kind != tc.want || first.Requests != r.Levels[whatif.LevelVerdict] {
			t.Errorf("the first effect is %+v, want %s", first, tc.want)
		}
		for _, e := range r.Causes[0].Effects {
			if e.Kind == "another message" {
				t.Errorf("%s: also %+v", tc.want, e)
			}
		}
	}
}

// TestRecorded: answers are those of the corpus, also after a rename, and a verdict
// that depends on a missing answer is not known, and so a difference.
func TestRecorded(t *testing.T) {
	t.Parallel()
	text, e := beforeText(t), *requests(t)[0]
	e.Answers = []corpus.Answer{
		{Phase: "mutating", Configuration: "a-team", Webhook: "team.example.com", Outcome: "allowed",
			Response: []byte(`{"allowed": true}`)},
		{Phase: "validating", Configuration: "latest", Webhook: "latest.example.com", Outcome: "rejected",
			Response: []byte(`{"allowed": false, "status": {"code": 403, "message": "no"}}`)},
	}
	build := whatif.Replaying(&replay.Options{Session: session.NewOptions(), RecordedAnswers: true})
	compare := func(edits ...string) *whatif.Report {
		r, err := whatif.Run(t.Context(), &whatif.Options{
			Before: setOf(t, text), After: setOf(t, edited(t, text, edits)), Build: build,
			Entries: all([]*corpus.Entry{&e}), Parallel: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, edits := range [][]string{
		{"metadata: {name: latest}", "metadata: {name: l}"}, {"- name: latest.example.com", "- name: l.example.com"},
	} {
		if r := compare(edits...); r.Levels[whatif.LevelVerdict] != 0 || r.Undecided != 0 {
			t.Errorf("after a rename: %+v", r)
		}
	}
	// The request does not reach seen.example.com without the label inject, and no answer
	// of it is recorded.
	r := compare("  objectSelector: {matchLabels: {inject: \"true\"}}\n", "",
		"namespaceSelector: {matchLabels: {environment: prod}}", "namespaceSelector: {matchLabels: {a: b}}")
	if r.Undecided != 1 || !r.Fails(whatif.LevelVerdict) || r.Causes[0].Undecided != 1 ||
		r.Causes[0].Effects[0].Text != "the verdict is now unknown" {
		t.Errorf("without an answer: %+v", r)
	}
}

// TestGroupsAreVerified: requests with the same differences, for the same reason, have
// the causes that are theirs.
func TestGroupsAreVerified(t *testing.T) {
	t.Parallel()
	text := beforeText(t)
	r := compare(t, text, edited(t, text, []string{
		"{name: blue, labels: {environment: prod}}", "{name: blue, labels: {environment: dev}}",
		"environment: staging, sizes", "environment: dev, sizes",
	}), requests(t))
	want := []string{
		"namespace blue: metadata.labels.environment: dev instead of prod",
		"namespace green: metadata.labels.environment: dev instead of staging",
	}
	if got := causes(r); !slices.Equal(got, want) || r.Causes[0].Requests+r.Causes[1].Requests != r.Different {
		t.Errorf("the causes are %q, want %q", got, want)
	}
}

// TestInterrupted: what was compared before the interruption is in the report.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	text := beforeText(t)
	done := 0
	r, err := whatif.Run(ctx, &whatif.Options{
		Before: setOf(t, text), After: setOf(t, edited(t, text, []string{"path: /latest}", "path: /latest2}"})),
		Build: builder(shop), Entries: repeated(requests(t), 1_000_000), Parallel: 2,
		Progress: func() {
			if done++; done == 100 {
				cancel()
			}
		},
	})
	if err != nil || !r.Incomplete || r.Requests != 100 || r.Different == 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestErrors: an invalid set and a broken corpus end the comparison.
func TestErrors(t *testing.T) {
	t.Parallel()
	text := beforeText(t)
	invalid := edited(t, text, []string{"path: /latest}", "path: latest}"})
	for _, sets := range [][2]string{{text, invalid}, {invalid, text}} {
		_, err := whatif.Run(t.Context(), &whatif.Options{
			Before: setOf(t, sets[0]), After: setOf(t, sets[1]), Build: builder(shop),
			Entries: all(requests(t)), Parallel: 1,
		})
		if err == nil || !strings.Contains(err.Error(), "webhooks[0].clientConfig.service.path") {
			t.Errorf("got %v, want the field", err)
		}
	}
	broken := errors.New("broken")
	_, err := whatif.Run(t.Context(), &whatif.Options{
		Before: setOf(t, text), After: setOf(t, text), Build: builder(shop), Parallel: 3,
		Entries: func(yield func(*corpus.Entry, error) bool) { yield(nil, broken) },
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want that of the corpus", err)
	}
}

// TestSecrets: a difference of a Secret names the field and not the value.
func TestSecrets(t *testing.T) {
	t.Parallel()
	leak := func(path string, r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		switch path {
		case "/second2":
			kind := admissionv1.PatchTypeJSONPatch
			return &admissionv1.AdmissionResponse{Allowed: true, PatchType: &kind,
				Patch: []byte(`[{"op": "add", "path": "/stringData/more", "value": "lion"}]`)}
		case "/second3":
			return deny("not " + strings.ToUpper(string(r.Object.Raw))) // it is not recognized as the value
		}
		return shop(path, r)
	}
	text := beforeText(t)
	for path, want := range map[string]string{
		"/second2": "another object: stringData", "/second3": "now denied",
	} {
		after := edited(t, text, []string{"path: /second}", "path: " + path + "}"})
		r := run(t, leak, text, after, all(requests(t)))
		if r.Different != 12 || !strings.Contains(fmt.Sprint(r.Causes[0].Effects), want) {
			t.Fatalf("%d differ: %+v, want %s", r.Different, r.Causes[0], want)
		}
		shown := fmt.Sprintf("%+v", r.Causes[0])
		if strings.Contains(shown, "lion") || strings.Contains(strings.ToLower(shown), "tiger") {
			t.Errorf("the value of a Secret is shown: %s", shown)
		}
	}
}

// BenchmarkSelf compares a set with itself. One operation is one request.
func BenchmarkSelf(b *testing.B) {
	text := beforeText(b)
	r := run(b, shop, text, text, repeated(requests(b), b.N))
	if r.Different != 0 || len(r.Unstable) != 0 {
		b.Errorf("%d requests differ", r.Different+len(r.Unstable))
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
