package apiserver

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/apiserver/registry"
	"example.com/gatehouse/internal/apiserver/serviceaccounts"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestReviews creates authentication and authorization reviews.
func TestReviews(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		path, spec string
		code       int
		// want is the status of the answer, or a part of the error.
		want string
	}
	const (
		who, may = "/apis/authentication.k8s.io/v1/", "/apis/authorization.k8s.io/v1/"
		admin    = `{"username":"gatehouse:admin","groups":["system:masters","system:authenticated"]}`
		about    = `{"resourceAttributes":{"namespace":"default","verb":"get","resource":"pods"}`
		yes      = `{"allowed":true}`
		no       = `{"allowed":false,"reason":"gatehouse allows everything to authenticated users only"}`
	)
	rows := []test{
		{row{"myself", "kubectl auth whoami"}, who + "selfsubjectreviews", `{}`, 201, `{"userInfo":` + admin + `}`},
		{row{"token", "of the administrator"}, who + "tokenreviews", `{"token":"` + shared.ClientConfig().BearerToken + `"}`, 201, `{"authenticated":true,"user":` + admin + `,"audiences":["` + serviceaccounts.Issuer + `"]}`},
		{row{"wrong token", "of no user"}, who + "tokenreviews", `{"token":"wrong"}`, 201, `{"user":{},"error":"invalid bearer token"}`},
		{row{"no token", "it is required"}, who + "tokenreviews", `{}`, 400, "token is required for TokenReview in authentication"},
		{row{"my rights", "kubectl auth can-i"}, may + "selfsubjectaccessreviews", about + `}`, 201, yes},
		{row{"another's rights", "those who are impersonated may do everything"}, may + "subjectaccessreviews", about + `,"user":"ann"}`, 201, yes},
		{row{"an unauthenticated user's permissions", "this server rejects requests without credentials, and aggregated servers ask it"}, may + "subjectaccessreviews",
			about + `,"user":"system:anonymous","groups":["system:unauthenticated"]}`, 201, no},
		{row{"an unauthenticated user's permissions in a namespace", "likewise"}, may + "namespaces/default/localsubjectaccessreviews",
			about + `,"groups":["system:unauthenticated"]}`, 201, no},
		{row{"rights in a namespace", "it is the only one in a namespace"}, may + "namespaces/default/localsubjectaccessreviews", about + `,"user":"ann"}`, 201, yes},
		{row{"all rights", "kubectl auth can-i --list"}, may + "selfsubjectrulesreviews", `{"namespace":"default"}`, 201,
			`{"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"]}],"nonResourceRules":[{"verbs":["*"],"nonResourceURLs":["*"]}],"incomplete":false}`},
		{row{"all rights nowhere", "it takes a namespace"}, may + "selfsubjectrulesreviews", `{}`, 400, "no namespace on request"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		code, text := send(t, shared, http.MethodPost, r.path, reviewOf(r.path, r.spec))
		if code != r.code {
			t.Fatalf("got %d %s, want %d", code, text, r.code)
		}
		if code >= http.StatusBadRequest {
			if !strings.Contains(text, r.want) {
				t.Errorf("got %s, want %q in it", text, r.want)
			}
			return
		}
		if diff := cmp.Diff(parsed(t, r.want), parsed(t, text)["status"]); diff != "" {
			t.Errorf("status (-want, +got):\n%s", diff)
		}
	})
}

// reviewOf returns the question of a path.
func reviewOf(path, spec string) string {
	kinds := map[string]string{}
	for _, r := range registry.Reviews() {
		kinds[r.Plural] = `{"apiVersion":"` + r.GroupVersion().String() + `","kind":"` + r.Kind + `","spec":` + spec + `}`
	}
	return kinds[path[strings.LastIndex(path, "/")+1:]]
}

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return fields
}
