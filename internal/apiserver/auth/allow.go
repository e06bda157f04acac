package auth

import (
	"context"
	"slices"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
)

// Authorizer decides what users may do.
type Authorizer interface {
	authorizer.Authorizer
	authorizer.RuleResolver
}

// AllowAuthenticated returns an Authorizer that allows everything to
// authenticated users. The server rejects unauthenticated requests itself.
// Aggregated servers use the Authorizer for the users of their own requests.
func AllowAuthenticated() Authorizer {
	return struct {
		authorizer.Authorizer
		authorizer.RuleResolver
	}{authorizer.AuthorizerFunc(allowAuthenticated), authorizerfactory.NewAlwaysAllowAuthorizer()}
}

func allowAuthenticated(
	_ context.Context, a authorizer.Attributes,
) (authorizer.Decision, string, error) {
	u := a.GetUser()
	if u.GetName() == user.Anonymous || slices.Contains(u.GetGroups(), user.AllUnauthenticated) {
		return authorizer.DecisionNoOpinion,
			"gatehouse allows everything to authenticated users only", nil
	}
	return authorizer.DecisionAllow, "", nil
}
