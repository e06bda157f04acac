package probe

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
)

// sent is what an engine sends, with a number that a float could not hold.
const sent = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{` +
	`"dryRun":false,"object":{"metadata":{"name":"web"},"spec":{"n":9007199254740993}},"oldObject":null,"operation":"CREATE","uid":"u"}}`

func TestReviewReads(t *testing.T) {
	t.Parallel()
	r := (&Visit{Body: []byte(sent)}).Review()
	got := []string{r.Version(), r.Kind(), r.UID(), r.Operation()}
	if diff := cmp.Diff([]string{V1, "AdmissionReview", "u", "CREATE"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	object := map[string]any{"metadata": map[string]any{"name": "web"}, "spec": map[string]any{"n": int64(9007199254740993)}}
	if diff := cmp.Diff(object, r.Object()); diff != "" {
		t.Errorf("object: -want +got\n%s", diff)
	}
	if old := r.OldObject(); old != nil {
		t.Errorf("oldObject is %v, want none", old)
	}
}

type changeCase struct {
	testtable.Row
	change func(Review) Review
	want   string
}

func TestReviewChanges(t *testing.T) {
	t.Parallel()
	const begin = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{`
	testtable.Run(t, []changeCase{
		{testtable.Row{"nothing", "what is not changed is sent as the engine sends it"}, func(r Review) Review { return r }, sent},
		{testtable.Row{"version", "the other version has the same fields"}, func(r Review) Review { return Review{"request": nil}.As(V1beta1) },
			`{"apiVersion":"admission.k8s.io/v1beta1","request":null}`},
		{testtable.Row{"request", "fields of the request are set"}, func(r Review) Review { return r.Set("object", nil).Set("dryRun", true) },
			begin + `"dryRun":true,"object":null,"oldObject":null,"operation":"CREATE","uid":"u"}}`},
		{testtable.Row{"object", "fields of the object are set, and made where they are missing"}, func(r Review) Review {
			return r.Set("object", map[string]any{}).SetObject("shop", "metadata", "labels", "team")
		}, begin + `"dryRun":false,"object":{"metadata":{"labels":{"team":"shop"}}},"oldObject":null,"operation":"CREATE","uid":"u"}}`},
		{testtable.Row{"no object", "there is nothing to set a field of"}, func(r Review) Review { return r.Set("object", nil).SetObject("x", "kind") },
			begin + `"dryRun":false,"object":null,"oldObject":null,"operation":"CREATE","uid":"u"}}`},
		{testtable.Row{"no request", "nor here"}, func(Review) Review { return Review{}.Set("dryRun", true).SetObject("x", "kind") }, `{}`},
	}, func(t *testing.T, tc changeCase) {
		r := tc.change((&Visit{Body: []byte(sent)}).Review())
		if diff := cmp.Diff(tc.want, string(r.Bytes())); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}

// TestReviewIsFresh protects the checks from each other: each has a review of
// its own.
func TestReviewIsFresh(t *testing.T) {
	t.Parallel()
	v := &Visit{Body: []byte(sent)}
	v.Review().SetObject("changed", "metadata", "name")
	if got := string(v.Review().Bytes()); got != sent {
		t.Errorf("a later review has the change of an earlier one: %s", got)
	}
	r := v.Review()
	r.Object()["metadata"] = "changed"
	if got := string(r.Bytes()); got != sent {
		t.Errorf("a change of Object is in the review: %s", got)
	}
}
