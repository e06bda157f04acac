package harness

import (
	"context"
	"errors"
	"slices"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// newAuthorizer returns nil for a host that has none.
func newAuthorizer(a *scenario.Authorizer, j *callLog) authorizer.Authorizer {
	if a == nil {
		return nil
	}
	return authorizer.AuthorizerFunc(
		func(_ context.Context, asked authorizer.Attributes) (authorizer.Decision, string, error) {
			j.authorization(asked)
			what := describe(asked)
			switch {
			case listed(a.Failing, what):
				return authorizer.DecisionNoOpinion, "", errors.New("the authorizer fails for " + what)
			case listed(a.Allowed, what):
				return authorizer.DecisionAllow, "listed", nil
			}
			return authorizer.DecisionDeny, "not listed", nil
		})
}

func listed(list []string, what string) bool {
	return slices.Contains(list, what) || slices.Contains(list, "*")
}

// describe is the form that scenarios use: "get pods", "create
// deployments.apps/scale", "get /healthz".
func describe(a authorizer.Attributes) string {
	if !a.IsResourceRequest() {
		return a.GetVerb() + " " + a.GetPath()
	}
	text := a.GetVerb() + " " + a.GetResource()
	if a.GetAPIGroup() != "" {
		text += "." + a.GetAPIGroup()
	}
	if a.GetSubresource() != "" {
		text += "/" + a.GetSubresource()
	}
	return text
}
