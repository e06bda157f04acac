package harness

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/test/internal/parity/scenario"
	"example.com/gatehouse/test/internal/parity/webhookserver"
)

// Together takes every step of a scenario on upstream and on the given sides,
// as Run does, and then all of them at once, each side's through the same
// plugins: every request has to end as it did alone, which upstream agrees to.
// What requests share is not compared then: the metrics, and look-ups of
// namespaces. No step may change the configurations.
//
// Every request's user gets an extra that tells its reviews from the others'.
func (h *Harness) Together(
	ctx context.Context, s *scenario.Scenario, sides ...Side,
) ([]Difference, error) {
	crowd := *s
	crowd.Steps = marked(s.Steps)
	hosts, done := h.hostsFor(&crowd)
	defer done()
	r := &runner{Harness: h, hosts: chosen(hosts, sides), spec: crowd.Environment}
	defer r.leave()
	alone := make([][]Observation, len(crowd.Steps))
	all, err := r.run(ctx, &crowd, func(step int, observed []Observation) { alone[step] = observed })
	if err != nil {
		return all, err
	}
	for i, one := range r.hosts[1:] {
		together, err := r.together(ctx, one, crowd.Steps)
		if err != nil {
			return all, fmt.Errorf("%s: together: %w", s.Name, err)
		}
		for step := range together {
			mark := strconv.Itoa(step)
			for _, d := range Compare(own(alone[step][i+1], mark), own(together[step], mark)) {
				d.Step, d.Side, d.Field = step, one.side, d.Field+" (upstream: alone, gatehouse: together)"
				all = append(all, d)
			}
		}
	}
	return all, nil
}

// together takes all steps through one side at once.
func (r *runner) together(
	ctx context.Context, one *host, steps []scenario.Step,
) ([]Observation, error) {
	if err := r.enter(ctx, &steps[0]); err != nil {
		return nil, err
	}
	if err := r.server.Script(r.spec.Answers); err != nil {
		return nil, err
	}
	runs := map[string]*run{}
	crowd := make([]*run, len(steps))
	for i := range steps {
		made, err := r.kinds.Request(&steps[i].Request, &r.spec)
		if err != nil {
			return nil, fmt.Errorf("request %d: %w", i, err)
		}
		crowd[i] = r.environment.newRun(one, r.server, made)
		runs[crowd[i].mark] = crowd[i]
	}
	of := func(f func(*run)) func(webhookserver.Request) {
		return func(q webhookserver.Request) {
			if x := runs[markOf(q)]; x != nil {
				f(x)
			}
		}
	}
	r.server.Watch(of(func(x *run) { x.clock.advance() }))
	r.server.WatchLate(of(func(x *run) { x.deadline.pass() }))
	one.spans.Reset()
	r.environment.callLog.take()
	observed := make([]Observation, len(steps))
	var all sync.WaitGroup
	for i, x := range crowd {
		all.Go(func() { observed[i] = x.take(ctx) })
	}
	all.Wait()
	asked := r.environment.callLog.take()
	for i, x := range crowd {
		observed[i].HostCalls = asked.with(x.request.callLog.take())
	}
	return observed, nil
}

// own leaves out what requests share, checks for another user than the
// request's among it.
func own(o Observation, mark string) Observation {
	o.Metrics, o.HostCalls.CachedNamespaces, o.HostCalls.LiveNamespaces = nil, nil, nil
	o.HostCalls.Authorizations = slices.DeleteFunc(slices.Clone(o.HostCalls.Authorizations),
		func(check string) bool {
			return !strings.HasPrefix(check, markPrefix(mark))
		})
	return o
}

// markKey is the extra of a user that marks a request.
const markKey = "parity.example.com/request"

var markText = regexp.MustCompile(`"` + regexp.QuoteMeta(markKey) + `":\["(\d+)"\]`)

// marked returns the steps with a different mark in the user of each.
func marked(steps []scenario.Step) []scenario.Step {
	marked := make([]scenario.Step, len(steps))
	for i, s := range steps {
		u := authenticationv1.UserInfo{Username: "alice",
			Groups: []string{"users", "system:authenticated"}}
		if s.Request.User != nil {
			u = *s.Request.User.DeepCopy()
		}
		if u.Extra == nil {
			u.Extra = map[string]authenticationv1.ExtraValue{}
		}
		u.Extra[markKey] = authenticationv1.ExtraValue{strconv.Itoa(i)}
		s.Request.User = &u
		marked[i] = s
	}
	return marked
}

// markOf is the mark of a request that a webhook got.
func markOf(r webhookserver.Request) string {
	if found := markText.FindSubmatch(r.Body); found != nil {
		return string(found[1])
	}
	return ""
}

// markOfUser returns the mark of the requesting user.
func markOfUser(u user.Info) string {
	if mark := u.GetExtra()[markKey]; len(mark) == 1 {
		return mark[0]
	}
	return ""
}
