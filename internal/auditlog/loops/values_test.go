package loops_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"

	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestValues has how values are compared, and what makes two turns one loop.
func TestValues(t *testing.T) {
	t.Parallel()
	const both = "label.example.com/label.example.com"
	addLabels := audittest.Called(0, hook, `[{"op":"add","path":"/metadata/labels","value":{"team":"a"}}]`)
	testtable.Run(t, []guilty{{
		row: row{"map removed by a JSON patch", "what is in a map goes with it"},
		events: func(l *audittest.Log) {
			times(4, func(int) {
				l.Add("patch", "cleaner", `[{"op":"remove","path":"/metadata/labels"}]`, audittest.Answer(labels(team)), addLabels)
			})
		},
		want: "undone " + both + " deployments.apps 3 metadata.labels.team by cleaner/manager",
	}, {
		row: row{"map removed by null", "what is in a map goes with it"},
		events: func(l *audittest.Log) {
			times(4, func(int) {
				l.Add("patch", "cleaner", `{"metadata":{"labels":null}}`, audittest.Answer(labels(team)), addLabels)
			})
		},
		want: "undone " + both + " deployments.apps 3 metadata.labels.team by cleaner/manager",
	}, {
		row: row{"order of keys", "the user sends the webhook's value in another order of keys"},
		events: func(l *audittest.Log) {
			times(6, func(i int) {
				l.Add("update", "ann", `{"spec":{"tolerations":[{"key":"b","effect":"a"}]}}`, audittest.Called(0, hook, fmt.Sprintf(
					`[{"op":"add","path":"/spec/tolerations","value":[{"effect":"a","key":"b"}]},{"op":"add","path":"/metadata/labels/at","value":"%d"}]`, i)))
			})
		},
	}, {
		row: row{"same patch, hours apart", "a nightly job is no loop"},
		events: func(l *audittest.Log) {
			l.Step = 2 * time.Hour
			times(9, func(int) {
				l.Add("patch", "kubelet", `{"status":{"replicas":1}}`, audittest.Subresource("status"), audittest.Answer(labels(``)), audittest.Called(0, hook, addTeam))
			})
		},
	}, {
		row: row{"overwritten in between", "the second patch is needed, once for each object"},
		events: func(l *audittest.Log) {
			times(4, func(i int) {
				l.Add("create", "ann", labels(``), audittest.Of("apps", "deployments", "shop", fmt.Sprint("web", i)), audittest.Called(0, hook, addTeam),
					audittest.Called(1, "z", `[{"op":"add","path":"/metadata/labels/team","value":"b"}]`), audittest.CalledIn(1, 0, hook, addTeam))
			})
		},
	}}, func(t *testing.T, tc guilty) {
		var log audittest.Log
		tc.events(&log)
		if got := find(t, &log); got != tc.want {
			t.Errorf("got\n%s\nwant\n%s", got, tc.want)
		}
	})
}

// TestTokens: a webhook that changes a token review twice is a loop, without the token.
func TestTokens(t *testing.T) {
	t.Parallel()
	const token = "Zq7hunter2Wx"
	var log audittest.Log
	patch := `[{"op":"add","path":"/metadata/labels","value":{"a":"b"}}]`
	times(5, func(int) {
		log.Add("create", "kubelet", `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","metadata":{},"spec":{"token":"`+token+`"}}`,
			audittest.Of("authentication.k8s.io", "tokenreviews", "", ""),
			audittest.Called(0, hook, patch), audittest.CalledIn(1, 0, hook, patch))
	})
	all := found(t, log.Text())
	text, err := json.Marshal(all)
	if err != nil || len(all) != 1 || strings.Contains(string(text), token) {
		t.Errorf("%v: %s", err, text)
	}
}

// TestSecrets: a loop about a Secret has neither its request nor keys that a webhook made of
// its data.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const data = "Zq7hunter2Wx"
	var log audittest.Log
	times(5, func(int) {
		log.Add("update", "operator", `{"apiVersion":"v1","kind":"Secret","metadata":{"annotations":{}},"stringData":{"p":"`+data+`"}}`,
			audittest.Of("", "secrets", "shop", "db"), audittest.Called(0, hook, `[{"op":"add","path":"/metadata/annotations/`+data+`","value":"x"}]`))
	})
	times(5, func(int) {
		log.Add("patch", "operator", `{"metadata":{"labels":{"a":"b"}}}`, audittest.Of("", "secrets", "shop", "unseen"),
			func(e *auditv1.Event) { e.Level, e.ResponseObject = auditv1.LevelRequest, nil },
			audittest.Called(0, hook, `[{"op":"add","path":"/metadata/annotations/`+data+`","value":"x"}]`))
	})
	all := found(t, log.Text())
	text, err := json.Marshal(all)
	if err != nil || len(all) != 2 || all[0].Request != nil || !strings.Contains(string(text), `"metadata.annotations"`) || strings.Contains(string(text), data) {
		t.Errorf("%v: %s", err, text)
	}
}
