package dispatcher

import (
	"context"
	"errors"
	"fmt"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/review"
	"example.com/gatehouse/matching"
)

// pass is one request's way through one phase.
type pass struct {
	d          *Dispatcher
	phase      admission.Phase
	operation  admissionv1.Operation
	round      int
	attributes apiadmission.Attributes
	objects    apiadmission.ObjectInterfaces
	reviews    review.Builder
	// observer is nil when nobody asked for records.
	observer Recorder
	// told is what recorders are being told about a webhook.
	told admission.Match
	// room is for the candidates, which are few.
	room [24]int32
}

func newPass(d *Dispatcher, phase admission.Phase, a apiadmission.Attributes, o apiadmission.ObjectInterfaces, observer Recorder) *pass {
	p := &pass{
		d:          d,
		phase:      phase,
		operation:  admissionv1.Operation(a.GetOperation()),
		attributes: a,
		objects:    o,
		reviews:    review.Builder{Attributes: a},
		observer:   observer,
	}
	if phase == admission.Mutating && a.GetReinvocationContext().IsReinvoke() {
		p.round = 1
	}
	return p
}

// viewFor returns the request as matching sees it.
func (p *pass) viewFor(v versions) *matching.Request {
	return matching.NewRequest(matching.Input{
		Attributes: p.attributes,
		Objects:    p.objects,
		Versioned:  v.attributes,
		Namespaces: p.d.config.Namespaces,
		Authorizer: p.d.config.Authorizer,
		Record:     p.observer != nil,
		Now:        time.Now,
	})
}

// candidates returns the positions of the webhooks that have to be matched: those
// that the index finds, or all of them if somebody wants to know about each.
func (p *pass) candidates(s *matching.Snapshot, view *matching.Request) (positions []int32) {
	defer func() {
		// The host's mapper has panicked. It will again, and match says so about
		// the first webhook that needs it.
		if r := recover(); r != nil {
			positions = everyPosition(s.Webhooks(p.phase))
		}
	}()
	if p.observer != nil {
		return everyPosition(s.Webhooks(p.phase))
	}
	return s.Candidates(p.phase, view, p.room[:0])
}

func everyPosition(webhooks []*matching.Webhook) []int32 {
	all := make([]int32, len(webhooks))
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// match asks whether w, the webhook at index, visits the request. Nobody is told
// yet: the mutating phase may still have a say.
func (p *pass) match(ctx context.Context, view *matching.Request, w *matching.Webhook, index int) (m admission.Match) {
	defer func() {
		if r := recover(); r != nil {
			m = admission.Match{Webhook: w.Webhook, Operation: p.operation, Rule: -1}
			m.Err = apierrors.NewInternalError(fmt.Errorf("matching webhook %q panicked: %w", w.Name, admission.Contained(r)))
		}
		m.Round, m.Index = p.round, index
	}()
	m = w.Match(ctx, view)
	if m.Matched() && p.attributes.GetUserInfo() == nil {
		m.Err = apierrors.NewInternalError(errNoUser)
	}
	return m
}

// errNoUser is the answer to attributes without user info, which the review
// could not be filled from (S-214).
var errNoUser = errors.New("the request has no user info, which webhooks have to be told")

// guard runs f and returns its error, or its panic as one.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = admission.Contained(r)
		}
	}()
	return f()
}
