package requests

import (
	"slices"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// DefaultUser is the user of requests without one. The name is easy to find in
// the logs of webhooks, and no cluster grants it any permission.
const DefaultUser = "gatehouse"

// UserFor returns the user of a request. As with kubectl --as, a service
// account without groups gets those that it has in a cluster, and every user
// but the anonymous one is in system:authenticated.
func UserFor(name, uid string, groups []string) *authenticationv1.UserInfo {
	groups = slices.Clone(groups)
	if namespace, _, err := serviceaccount.SplitUsername(name); err == nil && len(groups) == 0 {
		groups = serviceaccount.MakeGroupNames(namespace)
	}
	group := user.AllAuthenticated
	if name == user.Anonymous {
		group = user.AllUnauthenticated
	}
	if !slices.Contains(groups, group) {
		groups = append(groups, group)
	}
	return &authenticationv1.UserInfo{Username: name, UID: uid, Groups: groups}
}
