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

// ending is where all webhooks together take an object.
type ending uint8

const (
	// unseen: the request does not get through, or no webhook is left.
	unseen ending = 1 + iota
	// settled: another pass would change nothing.
	settled
	// settledIfNeeded: so it is if all may be called again.
	settledIfNeeded
	// settledLate: so it is after more passes than kube-apiserver makes.
	settledLate
	// unsettled: it goes on and on.
	unsettled
)

// passes is how many more than kube-apiserver's are tried. It makes two, the second only
// for those who have asked for it.
const passes, apiserverPasses = 8, 2

// verdict is what was learned about a sample.
type verdict struct {
	ending ending
	// passes is after how many the object was settled, if it was late.
	passes int
	// webhooks are those that another pass would have change the object; if it is
	// settledIfNeeded those of them that are never called again.
	webhooks []*probe.Webhook
	// changes are what such a pass changes, and evidence is what it consists of.
	changes  []explain.Change
	evidence []*probe.Exchange
}

// trial is a sample and the webhooks that it is tried with.
type trial struct {
	c        *probe.Collection
	request  *admission.Request
	webhooks []*probe.Webhook
}

// judge finds out where the webhooks take a sample.
func (t *trial) judge(ctx context.Context) verdict {
	if len(t.webhooks) == 0 {
		return verdict{ending: unseen}
	}
	own := run(ctx, t.c, t.request, probe.Variant{Webhooks: t.webhooks})
	if own == nil {
		return verdict{ending: unseen}
	}
	response, all, ok := t.sweep(ctx, own.Object)
	switch {
	case !ok:
		return verdict{ending: unseen}
	case len(all) == 0:
		return verdict{ending: settled}
	}
	v := verdict{changes: all, evidence: probe.Exchanges(response)}
	object, more := t.whenNeeded(ctx)
	switch {
	case object == nil:
		v.ending = unseen
	case more == 0:
		v.ending = settledIfNeeded
		v.webhooks = t.changers(ctx, own.Object, func(w *probe.Webhook) bool { return !w.Reinvocable() })
		if len(v.webhooks) == 0 {
			v.ending = unseen // nobody's policy is at fault: it was chance
		}
	case more <= passes:
		v.ending, v.passes = settledLate, apiserverPasses+more
		v.webhooks = t.changers(ctx, own.Object, nil)
	default:
		v.ending = unsettled
		v.webhooks = t.changers(ctx, object, nil)
	}
	return v
}

// whenNeeded has all webhooks called again if needed, and then makes more passes until the
// object is settled. It returns how many that took; more than passes, and an object that the
// next one changes, if it was never settled. The object is nil if the request did not get
// through.
func (t *trial) whenNeeded(ctx context.Context) (runtime.Object, int) {
	response := run(ctx, t.c, t.request, probe.Variant{Webhooks: t.webhooks, Reinvocation: registrationv1.IfNeededReinvocationPolicy})
	if response == nil {
		return nil, 0
	}
	object, last := response.Object, response.Object
	for more := range passes + 1 {
		response, all, ok := t.sweep(ctx, object)
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

// sweep has each webhook called once more, on an object. It says what that changes, and
// whether the object got through.
func (t *trial) sweep(ctx context.Context, object runtime.Object) (*admission.Response, []explain.Change, bool) {
	response := run(ctx, t.c, again(t.request, object), once(t.webhooks...))
	if response == nil {
		return nil, nil, false
	}
	return response, changes(object, response.Object), true
}

// changers returns those of the webhooks that change an object, each alone. which is nil
// for all.
func (t *trial) changers(ctx context.Context, object runtime.Object, which func(*probe.Webhook) bool) []*probe.Webhook {
	return slices.DeleteFunc(slices.Clone(t.webhooks), func(w *probe.Webhook) bool {
		if which != nil && !which(w) {
			return true
		}
		response := run(ctx, t.c, again(t.request, object), once(w))
		return response == nil || len(changes(object, response.Object)) == 0
	})
}
