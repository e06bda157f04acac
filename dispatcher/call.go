package dispatcher

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/uuid"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
	"example.com/gatehouse/matching"
)

// call is one visit to a webhook on its way to becoming a record.
type call struct {
	pass    *pass
	webhook *matching.Webhook
	object  *versioned
	record  admission.Call
	// patched is what the patch made of the object; nil if there was none.
	patched *patched
	// patching says that the answer is in and its patch is being applied: from
	// here on a panic is not the webhook's failure but an internal error.
	patching bool
	span     span
	headers  headerMeter
	// tracer is nil unless the call is traced.
	tracer  *tracer
	address url.URL
	body    review.Body
	// arrival says which of the calls that were made at once was done first.
	arrival int64
}

// newCall prepares a visit to a webhook that matched, to show it an object.
func (p *pass) newCall(w *matching.Webhook, target *admission.Target, object *versioned, index int) *call {
	c := &call{pass: p, webhook: w, object: object}
	c.record.Webhook, c.record.Operation, c.record.Target = w.Webhook, p.operation, *target
	c.record.Round, c.record.Index = p.round, index
	if p.d.config.Trace {
		c.tracer = &tracer{}
	}
	return c
}

// key identifies the webhook whose slots the call takes.
func (c *call) key() webhookKey { return webhookKey{phase: c.pass.phase, uid: c.webhook.UID} }

// visit visits the webhook. It has no effect but the exchange with the webhook; all
// that follows from it is in c.
func (c *call) visit(ctx context.Context) {
	start := time.Now()
	if err := guard.Do(func() { c.run(ctx) }); err != nil {
		c.panicked(err)
	}
	c.record.Duration = time.Since(start)
	c.record.Trace = c.tracer.close(start)
}

// lost returns what there is to say about a call whose goroutine ended before it
// did.
func (c *call) lost() *call {
	before := &c.record
	lost := c.pass.newCall(c.webhook, &before.Target, c.object, before.Index)
	lost.panicked(errors.New("the call ended its goroutine"))
	return lost
}

// run takes the steps of a call in kube-apiserver's order (S-169). Whichever step
// fails sets the outcome and ends it.
func (c *call) run(ctx context.Context) {
	if !c.dryRunAllowed() {
		return
	}
	version, err := review.Select(c.webhook.AdmissionReviewVersions)
	if err != nil {
		c.fail(fmt.Errorf("could not create admission objects: %w", err), apierrors.NewBadRequest("error creating admission objects"))
		return
	}
	c.record.ReviewVersion = string(version)
	c.record.UID = uuid.NewUUID()
	ctx, cancelWebhook := c.withinTimeout(ctx)
	defer cancelWebhook()
	failpoint.Hit(ctx, failpoint.BeforeEndpoint)
	endpoint, err := c.pass.d.config.Client.Endpoint(ctx, c.webhook.Webhook)
	failpoint.Hit(ctx, failpoint.AfterEndpoint)
	if err != nil && errors.Is(err, ctx.Err()) {
		// Whether there was still time to find the way is a matter of luck. The
		// exchange, which is not begun any more, fails in the same way either way.
		endpoint, err = &Endpoint{HTTP: &http.Client{}}, nil
	}
	if err != nil {
		c.fail(fmt.Errorf("could not get REST client: %w", err), apierrors.NewInternalError(err))
		return
	}
	ctx, span := startSpan(ctx, c)
	defer span.end()
	ctx, cancel, timeout := deadline(ctx, endpoint.HTTP.Timeout)
	defer cancel()
	answer, ok := c.ask(ctx, endpoint, timeout, span)
	if !ok {
		return
	}
	c.note(answer)
	switch {
	case !answer.Allowed:
		c.reject(answer)
	case c.pass.phase == admission.Validating || c.apply(ctx, answer, span):
		c.record.Outcome, c.record.Code = admission.Allowed, http.StatusOK
	}
}

// dryRunAllowed checks that a dry run does not reach a webhook that may have side
// effects.
func (c *call) dryRunAllowed() bool {
	if !c.pass.attributes.IsDryRun() {
		return true
	}
	if c.webhook.SideEffects == nil {
		const text = "Webhook SideEffects is nil"
		//lint:ignore ST1005 This is kube-apiserver's text.
		c.fail(errors.New(text), apierrors.NewBadRequest(text)) // S-200
		return false
	}
	switch *c.webhook.SideEffects {
	case registrationv1.SideEffectClassNone, registrationv1.SideEffectClassNoneOnDryRun:
		return true
	default:
		c.internal(apierrors.NewBadRequest(fmt.Sprintf("admission webhook %q does not support dry run", c.webhook.Name))) // S-201
		return false
	}
}

// ask sends the review and verifies the answer.
func (c *call) ask(ctx context.Context, e *Endpoint, timeout time.Duration, span *span) (*review.Answer, bool) {
	received, err := c.exchange(ctx, e, timeout, review.Version(c.record.ReviewVersion))
	if err != nil {
		status := apierrors.NewServiceUnavailable("error calling webhook")
		// Compat: S-240: only an error that is a status, not one that wraps a
		// status, gives its code to the metrics.
		if s, ok := err.(*apierrors.StatusError); ok {
			status = s
		}
		c.fail(fmt.Errorf("failed to call webhook: %w", err), status)
		return nil, false
	}
	span.event("Request completed")
	answer, err := review.Verify(c.record.UID, c.pass.phase, received)
	if err != nil {
		c.fail(fmt.Errorf("received invalid webhook response: %w", err), apierrors.NewServiceUnavailable("error validating webhook response"))
		return nil, false
	}
	return answer, true
}
