package matching_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiserver/pkg/authorization/authorizer"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// allowing allows every check and counts the checks.
func allowing(checks *int) func(*input) {
	return func(in *input) {
		in.Authorizer = authorize(func(authorizer.Attributes) (authorizer.Decision, string, error) {
			*checks++
			return authorizer.DecisionAllow, "", nil
		})
	}
}

// check is a call of an authorizer.
type check struct{ User, Verb, Group, Version, Resource, Subresource, Namespace, Name string }

type checkCase struct {
	row
	expression string
	decision   authorizer.Decision
	err        error
	ask        testRequest
	want       check
	matches    bool
}

func TestAuthorizerVariable(t *testing.T) {
	t.Parallel()
	yes, no := authorizer.DecisionAllow, authorizer.DecisionDeny
	own := check{"alice", "get", "apps", "*", "deployments", "scale", "ns", "n"}
	const requestResource = "authorizer.requestResource.check('get').allowed()"
	testtable.Run(t, []checkCase{{
		row:        row{"request's resource", "S-143: the check is about what the request is about, in any version"},
		expression: requestResource, decision: yes, ask: deploying("scale"), want: own, matches: true,
	}, {
		row:        row{"denied", "S-143: the answer is the condition's"},
		expression: requestResource, decision: no, ask: deploying("scale"), want: own,
	}, {
		row:        row{"an error is no permission", "S-143: allowed() is false when the authorizer fails"},
		expression: requestResource, decision: no, err: errors.New("down"), ask: deploying("scale"), want: own,
	}, {
		row:        row{"an error can be asked for", "S-143: errored() distinguishes a failure from a denial"},
		expression: "authorizer.requestResource.check('get').errored()", decision: no, err: errors.New("down"), ask: deploying("scale"), want: own, matches: true,
	}, {
		row:        row{"another resource", "S-143: any resource can be asked about"},
		expression: "authorizer.group('').resource('pods').namespace('x').name('y').check('bind').allowed()", decision: yes, ask: deploying(""),
		want: check{User: "alice", Verb: "bind", Version: "*", Resource: "pods", Namespace: "x", Name: "y"}, matches: true,
	}}, func(t *testing.T, tc checkCase) {
		var got check
		m := match(t.Context(), compile(asking(when(tc.expression))), request(tc.ask, func(in *input) {
			in.Authorizer = authorize(func(a authorizer.Attributes) (authorizer.Decision, string, error) {
				got = check{a.GetUser().GetName(), a.GetVerb(), a.GetAPIGroup(), a.GetAPIVersion(), a.GetResource(), a.GetSubresource(), a.GetNamespace(), a.GetName()}
				return tc.decision, "", tc.err
			})
		}))
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("check (-want +got):\n%s", diff)
		}
		if m.Matched() != tc.matches || m.Err != nil {
			t.Errorf("Matched() = %v, Err = %v, want %v without an error", m.Matched(), m.Err, tc.matches)
		}
	})
}

// The check has the request's own resource, not the equivalent one that the
// webhook matches (S-143).
func TestAuthorizerUnderEquivalence(t *testing.T) {
	t.Parallel()
	var group string
	m := match(t.Context(), compile(asking(equivalent, rules(rule("extensions", "*", "*")), when("authorizer.requestResource.check('get').allowed()"))),
		request(deploying(""), asked(&mapper{}), func(in *input) {
			in.Authorizer = authorize(func(a authorizer.Attributes) (authorizer.Decision, string, error) {
				group = a.GetAPIGroup()
				return authorizer.DecisionAllow, "", nil
			})
		}))
	if group != "apps" || m.Stage != admission.StagePassed {
		t.Errorf("asked about group %q, stage %v, want %q and a match", group, m.Stage, "apps")
	}
}
