package collector_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/collector"
	"example.com/gatehouse/internal/testutil/testtable"
)

// policies runs the policies of a phase in a plugin of their own.
func (s *server) policies(ctx context.Context, phase admission.Phase, a apiadmission.Attributes, evaluations int, err error) {
	p := s.BeginPolicies(ctx, phase, a, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme))
	labels := map[string]string{"a": "1"}
	match := admission.Match{Seen: &admission.Seen{ObjectLabels: labels}}
	p.(dispatcher.PolicyRecorder).RecordPolicy(ctx, &admission.PolicyRecord{
		Phase: phase, Name: "p", Match: match,
		Bindings: []admission.BindingRecord{{Match: match, Evaluations: make([]*admission.PolicyEvaluation, evaluations)}},
	})
	labels["a"] = "2" // as a webhook may do
	p.EndPhase(err)
}

// TestPolicies joins the runs of policies, which have plugins of their own, and
// those of webhooks.
func TestPolicies(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		serve func(s *server)
		want  string
	}
	create := func() apiadmission.Attributes { return attributes(apiadmission.Create, "a") }
	testtable.Run(t, []test{{
		row: row{"creation", "four plugins and two rounds make one response"},
		serve: func(s *server) {
			ctx, a := httpRequest(), create()
			s.policies(ctx, admission.Mutating, a, 1, nil)
			s.mutate(ctx, a)
			a.GetReinvocationContext().SetIsReinvoke()
			s.policies(ctx, admission.Mutating, a, 0, nil)
			s.mutate(ctx, a)
			b := create()
			s.policies(ctx, admission.Validating, b, 1, nil)
			s.validate(ctx, b)
		},
		want: "CREATE a: p:mutating p:mutating p:validating mutating/0 mutating/1 validating/0 allowed",
	}, {
		row:   row{"denied by a mutating policy", "no webhook follows"},
		serve: func(s *server) { s.policies(httpRequest(), admission.Mutating, create(), 1, errors.New("no")) },
		want:  "CREATE a: p:mutating Internal error occurred: no",
	}, {
		row: row{"denied by a validating policy", "no webhook follows"},
		serve: func(s *server) {
			ctx := httpRequest()
			s.mutate(ctx, create())
			s.policies(ctx, admission.Validating, create(), 1, errors.New("no"))
		},
		want: "CREATE a: p:validating mutating/0 Internal error occurred: no",
	}, {
		row: row{"update that begins again", "each attempt has attributes of its own"},
		serve: func(s *server) {
			ctx, cancel := context.WithCancel(httpRequest())
			s.policies(ctx, admission.Mutating, create(), 1, nil)
			a := create()
			s.policies(ctx, admission.Mutating, a, 1, nil)
			s.mutate(ctx, a)
			s.mutate(ctx, a)
			cancel()
			synctest.Wait()
		},
		want: "CREATE a: p:mutating mutating/0 " + between + "\nCREATE a: mutating/0 " + between + "\nCREATE a: p:mutating " + between,
	}, {
		row: row{"not evaluated", "OnlyCalled leaves it out"},
		serve: func(s *server) {
			ctx, a := httpRequest(), create()
			s.policies(ctx, admission.Mutating, a, 0, nil)
			s.policies(ctx, admission.Validating, a, 0, nil)
			s.BeginPhase(ctx, admission.Validating, a, nil).EndPhase(nil)
		},
	}, {
		row: row{"evaluated", "OnlyCalled keeps it, without a webhook"},
		serve: func(s *server) {
			ctx, a := httpRequest(), create()
			s.policies(ctx, admission.Validating, a, 1, nil)
			s.BeginPhase(ctx, admission.Validating, a, apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)).EndPhase(nil)
		},
		want: "CREATE a: p:validating allowed",
	}}, func(t *testing.T, tc test) {
		synctest.Test(t, func(t *testing.T) {
			s := newServer(collector.Config{OnlyCalled: true})
			tc.serve(s)
			synctest.Wait()
			if got := sorted(s.outline()); got != sorted(tc.want) {
				t.Errorf("got\n%s\nwant\n%s", got, sorted(tc.want))
			}
			for _, r := range s.responses {
				for _, p := range r.Policies {
					if got := p.Match.Seen.ObjectLabels["a"] + p.Bindings[0].Match.Seen.ObjectLabels["a"]; got != "11" {
						t.Errorf("the labels of the record are those of later: %s", got)
					}
				}
			}
		})
	})
}
