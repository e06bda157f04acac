package tally_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/internal/testutil/audittest"
)

// TestManyNames: a log with more webhooks than are kept does not grow the report.
func TestManyNames(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	for i := range 21 {
		var edits []audittest.Edit
		for j := range 500 {
			edits = append(edits, audittest.Called(j, fmt.Sprintf("hook-%d-%d", i, j), ""))
		}
		log.Add("update", "ann", `{}`, edits...)
	}
	if r := count(t, &log); len(r.Webhooks) != 10000 || r.Uncounted != 500 {
		t.Errorf("%d webhooks, %d not counted", len(r.Webhooks), r.Uncounted)
	}
}

// TestManyWriters: of an object the first eight writers are counted by name.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	for i := range 10 {
		log.Add("update", fmt.Sprint("user-", i), `{}`)
	}
	if r := count(t, &log); len(r.Objects) != 1 || len(r.Objects[0].Writers) != 8 || r.Objects[0].Others != 2 || r.Objects[0].Writes != 10 {
		t.Errorf("got %+v", r.Objects)
	}
}

// TestIdle: whether a validating webhook ever denied something, a log does not say.
func TestIdle(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("update", "ann", `{}`, audittest.Called(0, "idle", ""),
		audittest.Annotated("failed-open.validating.webhook.admission.k8s.io/round_0_index_0", "v"))
	if d := cmp.Diff([]string{"idle/idle"}, count(t, &log).Idle); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

// TestKeysOfSecrets: the key of an annotation may quote the data of a Secret.
func TestKeysOfSecrets(t *testing.T) {
	t.Parallel()
	var log audittest.Log
	log.Add("update", "ann", `{}`, audittest.Of("", "secrets", "shop", "db"), audittest.Annotated("hook/hunter2", "x"))
	log.Add("update", "ann", `{}`, audittest.Of("example.com", "secrets", "shop", "db"), audittest.Annotated("hook/reason", "x"))
	if d := cmp.Diff([]tally.Annotation{{Owner: "hook", Key: "reason", Events: 1}}, count(t, &log).Annotations); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
