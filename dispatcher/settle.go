package dispatcher

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/review"
)

// The outcome table. How a call ends is decided once, by the four functions
// below; metrics and audit read it from the record, settle makes it an error.
//
//	outcome       because                                  then
//	Allowed       allowed, patch applied or none           next webhook
//	Rejected      allowed is false                         the webhook's status
//	FailedClosed  the call failed, policy Fail             500
//	FailedOpen    the call failed, policy Ignore           next webhook ¹
//	Canceled      the call failed, the caller went away    as the policy says ¹
//	Internal      dry run refused, patch does not apply ²  the error itself
//	Panicked      a panic while validating                 500, or next webhook
//
// ¹ When the request's own context is over, a call that failed ends it with 504,
// whatever the policy. With Config.Exact that is so for mutating webhooks whose
// failures are ignored, and for no others (S-182).
//
// ² Or goes beyond a limit. A patch for which there is no time left is a failed
// call; with Config.PatchFailurePolicy every patch that cannot be applied is one.

// fail ends a call that could not be made or understood: the failurePolicy decides. A
// reason that wraps a panic counts as that panic.
func (c *call) fail(reason error, status *apierrors.StatusError) {
	var panicked *admission.PanicError
	if errors.As(reason, &panicked) {
		c.panicked(panicked)
		return
	}
	c.failAs(reason, status)
}

// failAs ends a call that failed.
func (c *call) failAs(reason error, status *apierrors.StatusError) {
	r := &c.record
	reason = c.brief(reason)
	r.Err = &admission.CallError{Webhook: c.webhook.Name, Reason: reason, Status: status}
	r.Code = int(status.ErrStatus.Code)
	switch {
	case errors.Is(reason, context.Canceled):
		r.Outcome = admission.Canceled
	case c.webhook.IgnoresFailures():
		r.Outcome = admission.FailedOpen
	default:
		r.Outcome = admission.FailedClosed
	}
}

// reject ends a call in which the webhook said no.
func (c *call) reject(answer *review.Answer) {
	status := rejection(c.webhook.Name, answer.Result, c.limits())
	c.record.Outcome, c.record.Err, c.record.Code = admission.Rejected, status, int(status.ErrStatus.Code)
}

// unusable ends a call whose patch cannot be applied. The failurePolicy has a say
// only if the configuration gives it one.
func (c *call) unusable(err error) {
	err = c.brief(err)
	status := apierrors.NewInternalError(err)
	if !c.pass.d.config.PatchFailurePolicy {
		c.internal(status)
		return
	}
	c.failAs(fmt.Errorf("failed to apply the patch: %w", err), status)
}

// internal ends a call whose answer cannot be put to use. No failurePolicy helps
// (S-249, S-250).
func (c *call) internal(err *apierrors.StatusError) {
	c.record.Outcome, c.record.Err, c.record.Code = admission.Internal, err, 0
}

// panicked ends a call in which something panicked.
func (c *call) panicked(err error) {
	err = c.brief(err)
	switch {
	case c.pass.phase == admission.Validating:
		err = fmt.Errorf("ValidatingAdmissionWebhook/%v has panicked: %w", c.webhook.Name, err)
		c.record.Outcome, c.record.Err, c.record.Code = admission.Panicked, err, http.StatusInternalServerError
	case c.patching:
		c.unusable(err)
	default:
		c.failAs(fmt.Errorf("failed to call webhook: panic: %w", err), apierrors.NewInternalError(err))
	}
}

// settle returns the error with which a call ends the request, if it does.
func (p *pass) settle(ctx context.Context, c *admission.Call) error {
	switch c.Outcome {
	case admission.Allowed:
		return nil
	case admission.Rejected, admission.Internal:
		return c.Err
	case admission.FailedClosed, admission.FailedOpen, admission.Canceled, admission.Panicked:
		return p.settleFailure(ctx, c)
	}
	return apierrors.NewInternalError(fmt.Errorf("webhook %q: unknown outcome %v", c.Webhook.Name, c.Outcome))
}

func (p *pass) settleFailure(ctx context.Context, c *admission.Call) error {
	over, exact := ctx.Err() != nil, p.d.config.Exact
	switch {
	case over && !exact:
		return errTimeout()
	case c.Rejects():
		return apierrors.NewInternalError(c.Err)
	case over && p.phase == admission.Mutating:
		return errTimeout()
	default:
		return nil
	}
}

func errTimeout() error {
	return apierrors.NewTimeoutError("request did not complete within requested timeout", 0)
}
