package apiserver

import (
	"fmt"

	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/authorization/union"

	"example.com/gatehouse/internal/apiserver/auth"
	"example.com/gatehouse/internal/apiserver/rbac"
)

// authorization decides what users may do.
type authorization struct {
	auth.Authorizer
	// roles are enforced; nil is none.
	roles *rbac.Resolver
}

// newAuthorization returns the authorization that allows everything or, with
// enforced, what roles allow. Like kube-apiserver's it allows everything to the
// group system:masters, even if the roles were deleted.
func newAuthorization(enforced bool) (authorization, error) {
	if !enforced {
		return authorization{auth.AllowAuthenticated(), nil}, nil
	}
	roles := rbac.NewResolver()
	both, err := union.New(
		union.NamedAuthorizer{
			AuthorizerName: "system:masters",
			Authorizer:     authorizerfactory.NewPrivilegedGroups(user.SystemPrivilegedGroup),
		},
		union.NamedAuthorizer{
			// Compat: kube-apiserver has this name before the reasons of a denial.
			AuthorizerName: "rbac", Authorizer: authorizer.AuthorizerFunc(roles.Authorize),
		})
	if err != nil {
		return authorization{}, fmt.Errorf("building the authorizer: %w", err)
	}
	return authorization{struct {
		authorizer.Authorizer
		authorizer.RuleResolver
	}{both, roles}, roles}, nil
}
