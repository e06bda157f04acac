package behaviour

import (
	"context"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/conformance/probe"
)

// convergence is how repeated calls of all webhooks end.
type convergence uint8

const (
	// unobserved: the request was rejected, or no webhook takes part.
	unobserved convergence = 1 + iota
	// converged: another pass changes nothing.
	converged
	// convergedIfReinvoked: converged with reinvocationPolicy IfNeeded.
	convergedIfReinvoked
	// convergedLate: converged after more passes than kube-apiserver makes.
	convergedLate
	// diverged: each pass changes the object.
	diverged
)

// passes is the number of extra passes. kube-apiserver makes apiserverPasses,
// the second only for webhooks with reinvocationPolicy IfNeeded.
const passes, apiserverPasses = 8, 2

// verdict is the result for one sample.
type verdict struct {
	// convergence is how the passes ended.
	convergence convergence
	// passes is the number needed, if the object converged late.
	passes int
	// webhooks are those that would change the object in another pass; of
	// convergedIfReinvoked only those with reinvocationPolicy Never.
	webhooks []*probe.Webhook
	// changes are those of such a pass, with the exchanges as evidence.
	changes  []explain.Change
	evidence []*probe.Exchange
}

// convergenceTest is a sample and the webhooks that take part.
type convergenceTest struct {
	c        *probe.Collection
	request  *admission.Request
	webhooks []*probe.Webhook
}

// evaluate determines how the webhooks converge for a sample.
func (t *convergenceTest) evaluate(ctx context.Context) verdict {
	if len(t.webhooks) == 0 {
		return verdict{convergence: unobserved}
	}
	own := run(ctx, t.c, t.request, probe.Variant{Webhooks: t.webhooks})
	if own == nil {
		return verdict{convergence: unobserved}
	}
	response, all, ok := t.extraPass(ctx, own.Object)
	switch {
	case !ok:
		return verdict{convergence: unobserved}
	case len(all) == 0:
		return verdict{convergence: converged}
	}
	v := verdict{changes: all, evidence: probe.Exchanges(response)}
	object, more := t.reinvokeAll(ctx)
	switch {
	case object == nil:
		v.convergence = unobserved
	case more == 0:
		v.convergence = convergedIfReinvoked
		v.webhooks = t.changers(ctx, own.Object, func(w *probe.Webhook) bool { return !w.Reinvocable() })
		if len(v.webhooks) == 0 {
			v.convergence = unobserved // no policy is at fault: the difference was random
		}
	case more <= passes:
		v.convergence, v.passes = convergedLate, apiserverPasses+more
		v.webhooks = t.changers(ctx, own.Object, nil)
	default:
		v.convergence = diverged
		v.webhooks = t.changers(ctx, object, nil)
	}
	return v
}

// reinvokeAll admits the request with reinvocationPolicy IfNeeded for all
// webhooks, and then makes extra passes until the object stays the same. It
// returns the object and the number of extra passes. A number above passes
// means that the next pass changes the object again; a nil object means that
// the request was rejected.
func (t *convergenceTest) reinvokeAll(ctx context.Context) (runtime.Object, int) {
	response := run(ctx, t.c, t.request,
		probe.Variant{Webhooks: t.webhooks, Reinvocation: registrationv1.IfNeededReinvocationPolicy})
	if response == nil {
		return nil, 0
	}
	object, last := response.Object, response.Object
	for more := range passes + 1 {
		response, all, ok := t.extraPass(ctx, object)
		switch {
		case !ok:
			return nil, 0
		case len(all) == 0:
			return object, more
		}
		last, object = object, response.Object
	}
	return last, passes + 1
}

// extraPass calls each webhook once more on an object. It returns the changes,
// and whether the request was admitted.
func (t *convergenceTest) extraPass(
	ctx context.Context, object runtime.Object,
) (*admission.Response, []explain.Change, bool) {
	response := run(ctx, t.c, resubmitted(t.request, object), calledOnce(t.webhooks...))
	if response == nil {
		return nil, nil, false
	}
	return response, changes(object, response.Object), true
}

// changers returns the webhooks that change the object when called alone. A nil
// which accepts all.
func (t *convergenceTest) changers(
	ctx context.Context, object runtime.Object, which func(*probe.Webhook) bool,
) []*probe.Webhook {
	return slices.DeleteFunc(slices.Clone(t.webhooks), func(w *probe.Webhook) bool {
		if which != nil && !which(w) {
			return true
		}
		response := run(ctx, t.c, resubmitted(t.request, object), calledOnce(w))
		return response == nil || len(changes(object, response.Object)) == 0
	})
}
