package dispatcher

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/uuid"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/failpoint"
	"example.com/gatehouse/internal/engine/guard"
	"example.com/gatehouse/internal/engine/review"
	"example.com/gatehouse/matching"
)

// call is a call of one webhook and its record.
type call struct {
	run           *phaseRun
	webhook       *matching.Webhook
	versioned     *versionedObjects
	reviewVersion review.Version
	record        admission.Call
	// patched is the object with the webhook's patch; nil without a patch.
	patched *patched
	span    span
	headers headerMeter
	// tracer is nil unless Config.Trace is set.
	tracer *tracer
	body   review.Body
	// finishOrder numbers parallel calls in the order in which they end.
	finishOrder int64
}

// newCall returns a call that sends object to the matched webhook w. For index
// see admission.Call.Index.
func (r *phaseRun) newCall(
	w *matching.Webhook, target *admission.Target, object *versionedObjects, index int,
) *call {
	c := &call{run: r, webhook: w, versioned: object}
	c.record.Webhook, c.record.Operation, c.record.Target = w.Webhook, r.operation, *target
	c.record.Round, c.record.Index = r.round, index
	if r.d.config.Trace {
		c.tracer = &tracer{}
	}
	return c
}

// key identifies the webhook in the detachedLimiter.
func (c *call) key() webhookKey { return webhookKey{phase: c.run.phase, uid: c.webhook.UID} }

func (c *call) limits() *limits.Limits { return &c.run.d.config.Limits }

// do makes the call in kube-apiserver's order of steps (S-169). The step that
// fails sets the outcome and ends the call. The exchange with the webhook is
// the only effect outside of c.
func (c *call) do(ctx context.Context) {
	defer c.finish(time.Now())
	defer guard.Recover(c.panicked)
	if !c.dryRunAllowed() || !c.selectVersion() {
		return
	}
	ctx, cancelWebhook := c.withinTimeout(ctx)
	defer cancelWebhook()
	endpoint := c.endpoint(ctx)
	if endpoint == nil {
		return
	}
	ctx, span := startSpan(ctx, c)
	defer span.end()
	ctx, cancel, timeout := withClientTimeout(ctx, endpoint.HTTP.Timeout)
	defer cancel()
	received, err := c.exchange(ctx, endpoint, timeout)
	if err != nil {
		c.exchangeFailed(err)
		return
	}
	span.event("Request completed")
	c.record.Step = admission.StepVerify
	response, err := review.Verify(c.record.UID, c.run.phase, received)
	if err != nil {
		c.fail(fmt.Errorf("received invalid webhook response: %w", err),
			apierrors.NewServiceUnavailable("error validating webhook response"))
		return
	}
	c.copyRemarks(response)
	switch {
	case !response.Allowed:
		c.deny(response)
	case c.run.phase == admission.Validating || c.apply(ctx, response, span):
		c.allow()
	}
}

// finish completes the record of a call that began at start.
func (c *call) finish(start time.Time) {
	c.record.Duration = time.Since(start)
	c.record.Trace = c.tracer.close(start)
}

// goexited returns a new call that records a panic. It replaces a call whose
// goroutine ended by runtime.Goexit.
func (c *call) goexited() *call {
	r := &c.record
	again := c.run.newCall(c.webhook, &r.Target, c.versioned, r.Index)
	again.record.Step = r.Step
	again.panicked(guard.ErrGoexit)
	return again
}

// dryRunAllowed checks that a dry run does not reach a webhook that may have
// side effects. If it does, dryRunAllowed ends the call and returns false.
func (c *call) dryRunAllowed() bool {
	c.record.Step = admission.StepDryRun
	if !c.run.attributes.IsDryRun() {
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
	default: // S-201
		c.internal(admission.OriginHost, apierrors.NewBadRequest(
			fmt.Sprintf("admission webhook %q does not support dry run", c.webhook.Name)))
		return false
	}
}

// selectVersion selects the version of the review and gives the review a UID.
// If the webhook accepts no version, it ends the call and returns false.
func (c *call) selectVersion() bool {
	c.record.Step = admission.StepReviewVersion
	version, err := review.Select(c.webhook.AdmissionReviewVersions)
	if err != nil {
		c.fail(fmt.Errorf("could not create admission objects: %w", err),
			apierrors.NewBadRequest("error creating admission objects"))
		return false
	}
	c.reviewVersion, c.record.ReviewVersion = version, string(version)
	c.record.UID = uuid.NewUUID()
	return true
}

// endpoint returns where to send the review. If there is no endpoint, it ends
// the call and returns nil. If the Client returns because ctx has ended, the
// endpoint is an empty one, to which nothing will be sent.
func (c *call) endpoint(ctx context.Context) *Endpoint {
	c.record.Step = admission.StepEndpoint
	failpoint.Hit(ctx, failpoint.BeforeEndpoint)
	endpoint, err := c.run.d.config.Client.Endpoint(ctx, c.webhook.Webhook)
	failpoint.Hit(ctx, failpoint.AfterEndpoint)
	switch {
	case err == nil:
		c.record.Step = admission.StepExchange
		return endpoint
	case errors.Is(err, ctx.Err()):
		// The exchange fails with this error, as in kube-apiserver, which does
		// not notice before.
		c.record.Step = admission.StepExchange
		return &Endpoint{HTTP: &http.Client{}}
	default:
		c.fail(fmt.Errorf("could not get REST client: %w", err), apierrors.NewInternalError(err))
	}
	return nil
}
