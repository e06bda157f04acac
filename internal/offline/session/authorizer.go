package session

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/cluster"
)

// The values of --authorizer that are not files.
const (
	authorizerAllow = "allow"
	authorizerDeny  = "deny"
)

// countingAuthorizer is the authorizer of matchConditions. It counts the
// decisions for a notice, because they are not those of a cluster.
type countingAuthorizer struct {
	next authorizer.UnconditionalAuthorizer
	// policy is the source of the decisions, for messages.
	policy string

	calls, allowed atomic.Int64
}

var _ authorizer.UnconditionalAuthorizer = (*countingAuthorizer)(nil)

// Authorize calls the next authorizer and counts.
func (a *countingAuthorizer) Authorize(
	ctx context.Context, attributes authorizer.Attributes,
) (authorizer.Decision, string, error) {
	decision, reason, err := a.next.Authorize(ctx, attributes)
	a.calls.Add(1)
	if decision == authorizer.DecisionAllow {
		a.allowed.Add(1)
	}
	return decision, reason, err
}

// printRemarks prints how often conditions called the authorizer, if they did.
func (a *countingAuthorizer) printRemarks(stderr io.Writer) {
	if calls := a.calls.Load(); calls > 0 {
		message.Notice(stderr, "matchConditions called the authorizer: %s, %d allowed, decided by %s",
			times(calls), a.allowed.Load(), a.policy)
	}
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// newAuthorizer returns the authorizer of --authorizer, or one of the RBAC
// objects among the inputs. Without either it denies every request, so that
// conditions that let privileged users bypass a webhook do not hide it.
func newAuthorizer(choice string, in *cluster.Set) *countingAuthorizer {
	switch {
	case choice == authorizerAllow:
		return &countingAuthorizer{next: cluster.Allow, policy: "--authorizer allow"}
	case choice == authorizerDeny:
		return &countingAuthorizer{next: cluster.Deny, policy: "--authorizer deny"}
	case choice != "":
		return &countingAuthorizer{next: &in.Policy, policy: "the RBAC objects of --authorizer " + choice}
	case in.HasPolicy:
		return &countingAuthorizer{next: in.Authorizer(), policy: "the RBAC objects among the inputs"}
	default:
		return &countingAuthorizer{next: in.Authorizer(), policy: "--authorizer deny, the default"}
	}
}
