package requests

import (
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// DefaultUser is who asks unless somebody else is named. It stands out in what
// webhooks log, and no cluster grants it anything.
const DefaultUser = "gatehouse"

// UserFor returns the user that webhooks are told of. As with kubectl --as, a
// service account without groups gets those that it would have, and everybody
// but the anonymous user is authenticated.
func UserFor(name, uid string, groups []string) *authenticationv1.UserInfo {
	groups = slices.Clone(groups)
	if namespace, _, err := serviceaccount.SplitUsername(name); err == nil && len(groups) == 0 {
		groups = serviceaccount.MakeGroupNames(namespace)
	}
	everybody := user.AllAuthenticated
	if name == user.Anonymous {
		everybody = user.AllUnauthenticated
	}
	if !slices.Contains(groups, everybody) {
		groups = append(groups, everybody)
	}
	return &authenticationv1.UserInfo{Username: name, UID: uid, Groups: groups}
}
