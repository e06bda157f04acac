package dispatcher

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/engine/neterror"
	"example.com/gatehouse/internal/engine/review"
)

// The outcome table. The functions below decide once how a call ends. Metrics,
// audit, logs and explain read the record; outcomeError makes an error of it.
//
//	outcome       because                                  then
//	Allowed       allowed, patch applied or none           next webhook
//	Rejected      allowed is false                         the webhook's status
//	FailedClosed  the call failed, policy Fail             500 ¹
//	FailedOpen    the call failed, policy Ignore           next webhook ¹
//	Canceled      the call failed, the caller went away    as the policy says ¹
//	Internal      dry run refused, patch does not apply ²  the error itself
//	Panicked      a panic while validating                 as the policy says ¹
//
// ¹ If the request's context has ended, the request ends with 504, whatever the
// failurePolicy. With Config.Exact, that holds only for mutating webhooks with
// failurePolicy Ignore (S-182).
//
// ² Or exceeds a limit. If the deadline passes before the patch is applied, the
// call fails. With Config.PatchFailurePolicy, the call fails for every patch
// that cannot be applied.

// allow ends a call whose webhook allowed the request.
func (c *call) allow() {
	c.record.Outcome, c.record.Code = admission.Allowed, http.StatusOK
}

// fail ends a call that could not be made or whose response is not valid. The
// failurePolicy decides. A reason that wraps a panic counts as that panic.
func (c *call) fail(reason error, status *apierrors.StatusError) {
	var panicked *admission.PanicError
	if errors.As(reason, &panicked) {
		c.panicked(panicked)
		return
	}
	c.failFrom(c.originOf(reason), reason, status)
}

// exchangeFailed ends a call whose exchange failed.
func (c *call) exchangeFailed(err error) {
	status := apierrors.NewServiceUnavailable("error calling webhook")
	// Compat: S-240: metrics report the code of a status error, but not of an
	// error that wraps one.
	if s, ok := err.(*apierrors.StatusError); ok {
		status = s
	}
	c.fail(fmt.Errorf("failed to call webhook: %w", err), status)
}

// failFrom ends a call that failed for a reason of a known origin.
func (c *call) failFrom(origin admission.Origin, reason error, status *apierrors.StatusError) {
	r := &c.record
	reason = c.truncateError(reason)
	r.Err = &admission.CallError{Webhook: c.webhook.Name, Reason: reason, Status: status}
	r.Origin, r.Code = origin, int(status.ErrStatus.Code)
	switch {
	case errors.Is(reason, context.Canceled):
		r.Outcome = admission.Canceled
	case c.webhook.IgnoresFailures():
		r.Outcome = admission.FailedOpen
	default:
		r.Outcome = admission.FailedClosed
	}
}

// originOf returns what wrote the text of the error of a failed call.
func (c *call) originOf(reason error) admission.Origin {
	var (
		exchange *url.Error
		exceeded *limits.Error
	)
	switch {
	case c.record.URL == "": // nothing was sent
		return admission.OriginHost
	case errors.As(reason, &exchange) && exchange.URL != c.record.URL: // a redirect
		return admission.OriginResponse
	case errors.As(reason, &exceeded):
		return admission.OriginHost
	case neterror.IsConnection(reason):
		return admission.OriginConnection
	default:
		return admission.OriginResponse
	}
}

// deny ends a call whose webhook denied the request.
func (c *call) deny(response *review.Response) {
	status := rejection(c.webhook.Name, response.Result, c.limits())
	r := &c.record
	r.Outcome, r.Origin, r.Err = admission.Rejected, admission.OriginResponse, status
	r.Code = int(status.ErrStatus.Code)
}

// rejectPatch ends a call whose patch cannot be applied. The failurePolicy
// applies only with Config.PatchFailurePolicy.
func (c *call) rejectPatch(origin admission.Origin, err error) {
	err = c.truncateError(err)
	status := apierrors.NewInternalError(err)
	if !c.run.d.config.PatchFailurePolicy {
		c.internal(origin, status)
		return
	}
	c.failFrom(origin, fmt.Errorf("failed to apply the patch: %w", err), status)
}

// internal ends a call with an internal error, whatever the failurePolicy
// (S-249, S-250).
func (c *call) internal(origin admission.Origin, err *apierrors.StatusError) {
	r := &c.record
	r.Outcome, r.Origin, r.Err, r.Code = admission.Internal, origin, err, 0
}

// panicked ends a call in which code panicked. In the mutating phase, a panic
// while the patch is decoded or applied counts as a patch that cannot be
// applied, and an earlier one as a failed call.
func (c *call) panicked(err error) {
	const origin = admission.OriginPanic
	err = c.truncateError(err)
	r := &c.record
	switch {
	case c.run.phase == admission.Validating:
		err = fmt.Errorf("ValidatingAdmissionWebhook/%v has panicked: %w", c.webhook.Name, err)
		r.Outcome, r.Origin, r.Err = admission.Panicked, origin, err
		r.Code = http.StatusInternalServerError
	case r.Step >= admission.StepDecodePatch:
		c.rejectPatch(origin, err)
	default:
		c.failFrom(origin, fmt.Errorf("failed to call webhook: panic: %w", err),
			apierrors.NewInternalError(err))
	}
}

// outcomeError returns the error with which a call ends the request, or nil.
func (r *phaseRun) outcomeError(ctx context.Context, c *admission.Call) error {
	switch c.Outcome {
	case admission.Allowed:
		return nil
	case admission.Rejected, admission.Internal:
		return c.Err
	case admission.FailedClosed, admission.FailedOpen, admission.Canceled, admission.Panicked:
		return r.failureError(ctx, c)
	}
	return apierrors.NewInternalError(
		fmt.Errorf("webhook %q: unknown outcome %v", c.Webhook.Name, c.Outcome))
}

func (r *phaseRun) failureError(ctx context.Context, c *admission.Call) error {
	over, exact := ctx.Err() != nil, r.d.config.Exact
	switch {
	case over && !exact:
		return errTimeout()
	case c.Rejects():
		return apierrors.NewInternalError(c.Err)
	case over && r.phase == admission.Mutating:
		return errTimeout()
	default:
		return nil
	}
}

func errTimeout() error {
	return apierrors.NewTimeoutError("request did not complete within requested timeout", 0)
}
