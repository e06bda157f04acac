package parity

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/parity/harness"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// ofCosts is the source of scenarios about conditions that cost too much.
const ofCosts = "costs"

// costRow is a request with a long text.
type costRow struct {
	row
	expression string // of the text
	change     func(q *scenario.Request, text string)
}

func costRows() []costRow {
	user := func(u authenticationv1.UserInfo) func(*scenario.Request, string) {
		return func(q *scenario.Request, _ string) { q.User = &u }
	}
	text := longText()
	return []costRow{
		{row{"bytes", "an expression sees them in base64, which is longer"}, "object.data.key", func(q *scenario.Request, text string) {
			q.Object = objectOf(q.Kind, fmt.Sprintf(`"data":{"key":%q}`, base64.StdEncoding.EncodeToString([]byte(text[:len(text)*3/4]))))
		}},
		{row{"object", "a label is as long as the client wants"}, "object.metadata.labels.a", func(q *scenario.Request, text string) {
			q.Object = objectOf(q.Kind, fmt.Sprintf(`"metadata":{"labels":{"a":%q}}`, text))
		}},
		{row{"oldObject", "it may be longer than the object"}, "oldObject.metadata.labels.a", func(q *scenario.Request, text string) {
			q.Operation, q.OldObject = "UPDATE", objectOf(q.Kind, fmt.Sprintf(`"metadata":{"labels":{"a":%q}}`, text))
		}},
		{row{"name", "it is not valid, but admission comes before validation"}, "request.name",
			func(q *scenario.Request, text string) { q.Name = text }},
		{row{"user", "an authenticator decides"}, "request.userInfo.username", user(authenticationv1.UserInfo{Username: text})},
		{row{"group", "an authenticator decides"}, "request.userInfo.groups[0]",
			user(authenticationv1.UserInfo{Username: "u", Groups: []string{text}})},
		{row{"extra", "an authenticator decides"}, "request.userInfo.extra.a[0]",
			user(authenticationv1.UserInfo{Username: "u", Extra: map[string]authenticationv1.ExtraValue{"a": {text}}})},
	}
}

// longText costs 1.1 million if it is compared with the pattern of TestCostsOfConditions. The
// engine estimates costs for variables of 64 KiB, which are below the limit: the text is
// longer than that, and the bytes of which it is the base64 are not.
func longText() string { return strings.Repeat("a", 80_000) }

// TestCostsOfConditions: kube-apiserver stops conditions that cost more than a million, by the
// length of the texts in them. The engine must not take a variable for shorter than it is.
func TestCostsOfConditions(t *testing.T) {
	h := newHarness(t)
	pattern := "^(a*|" + strings.Repeat("x", 553) + ")$"
	for _, tc := range testtable.Checked(t, costRows()) {
		t.Run(tc.Name(), func(t *testing.T) {
			q := requestFor(kindOf("", "v1", "Secret"))
			q.Object = objectOf(q.Kind, `"metadata":{"name":"x","namespace":"shop"}`)
			tc.change(&q, longText())
			w := anyone("hook", "/allow")
			w.MatchConditions = []registrationv1.MatchCondition{
				{Name: "costly", Expression: fmt.Sprintf("%s.matches('%s')", tc.expression, pattern)}}
			s := scenario.Scenario{Name: tc.Name(), Why: tc.Why(), Environment: scenario.Environment{
				Answers: map[string][]scenario.Answer{"/allow": allowing()}, Validating: validatingWith(w),
			}}
			want := &scenario.Want{Denied: true, Code: 403, Message: []string{"actual cost limit exceeded"}}
			s.Steps = []scenario.Step{{Request: q, Want: want}}
			found, err := h.Run(t.Context(), &s, harness.Gatehouse, harness.Exact, harness.Explained)
			if err != nil {
				t.Fatal(err)
			}
			compared.add(ofCosts, 1, len(found))
			for _, d := range found {
				t.Errorf("%s\n%.2000s", tc.Why(), d)
			}
		})
	}
}
