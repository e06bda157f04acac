package session

import (
	"context"
	"fmt"
	"io"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/cluster"
)

// The values of --authorizer that are not files.
const (
	authorizerAllow = "allow"
	authorizerDeny  = "deny"
)

// authority answers conditions that ask the authorizer, and remembers that they
// asked, because the answer is made up: whoever reads the result should know. It
// is used by one goroutine at a time, like the matching that asks it.
type authority struct {
	next authorizer.UnconditionalAuthorizer
	// policy says where the answers come from, for people.
	policy string

	asked, allowed int
}

var _ authorizer.UnconditionalAuthorizer = (*authority)(nil)

// Authorize passes the question on.
func (a *authority) Authorize(ctx context.Context, attributes authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, err := a.next.Authorize(ctx, attributes)
	a.asked++
	if decision == authorizer.DecisionAllow {
		a.allowed++
	}
	return decision, reason, err
}

// tell says whether conditions asked, and what they were answered.
func (a *authority) tell(stderr io.Writer) {
	if a.asked > 0 {
		message.Notice(stderr, "matchConditions asked the authorizer: %s, %d allowed, answered by %s", times(a.asked), a.allowed, a.policy)
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// newAuthority chooses who answers. Unless --authorizer says something, RBAC
// objects among the inputs do; with none of them nobody may do anything, so that
// conditions that let the privileged around a webhook do not hide it.
func newAuthority(choice string, in *cluster.Set) *authority {
	switch {
	case choice == authorizerAllow:
		return &authority{next: cluster.Allow, policy: "--authorizer allow"}
	case choice == authorizerDeny:
		return &authority{next: cluster.Deny, policy: "--authorizer deny"}
	case choice != "":
		return &authority{next: &in.Policy, policy: "the RBAC objects of --authorizer " + choice}
	case in.HasPolicy:
		return &authority{next: in.Authorizer(), policy: "the RBAC objects among the inputs"}
	default:
		return &authority{next: in.Authorizer(), policy: "--authorizer deny, the default"}
	}
}
