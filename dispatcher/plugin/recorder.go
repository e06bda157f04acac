package plugin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/metrics/upstream"
)

// loggingRecorder counts in apiserver's own metrics and logs the lines that
// kube-apiserver logs (S-353). No line holds an object, a patch, the value of
// an annotation, text that a webhook sent in place of a response, or the value
// of a panic.
type loggingRecorder struct{ upstream.Recorder }

// RecordMatch counts a match and logs matchConditions that failed the request
// (S-131). It leaves out CEL's error, which may quote the object.
func (r loggingRecorder) RecordMatch(ctx context.Context, m *admission.Match) {
	r.Recorder.RecordMatch(ctx, m)
	if m.Err != nil && m.Stage == admission.StageConditions {
		klog.FromContext(ctx).Info("Failed evaluating match conditions, failing closed",
			"webhook", m.Webhook.Name, "matchCondition", m.Conditions.Failed)
	}
}

// RecordCall counts a call and logs it unless it was allowed without problems.
func (r loggingRecorder) RecordCall(ctx context.Context, c *admission.Call) {
	r.Recorder.RecordCall(ctx, c)
	if c.Outcome == admission.Allowed && len(c.AuditErrors) == 0 {
		return
	}
	log := klog.FromContext(ctx).WithValues("webhook", c.Webhook.Name, "phase",
		c.Webhook.Phase.String())
	for _, refused := range c.AuditErrors {
		log.Info("Failed to set admission audit annotation", "key", refused.Key)
	}
	switch c.Outcome {
	case admission.FailedClosed:
		log.Info("Failed calling webhook, failing closed", "err", logError(c))
	case admission.FailedOpen:
		log.Info("Failed calling webhook, failing open", "err", logError(c))
		utilruntime.HandleErrorWithContext(ctx, logError(c), "Failed calling webhook")
	case admission.Canceled:
		logCanceled(ctx, log, c)
	case admission.Panicked:
		logPanic(log, c)
	case admission.Rejected:
		log.Info("Rejected by webhook", "code", c.Code)
	case admission.Internal:
		// Only the reason is logged: the text of a patch error quotes the
		// patch.
		log.Info("Webhook's answer could not be used", "reason", apierrors.ReasonForError(c.Err))
	case admission.Allowed:
	}
}

// logCanceled logs a call that ended because the request was canceled (S-255,
// S-256). If the call rejects the request, it logs a call that failed closed.
func logCanceled(ctx context.Context, log klog.Logger, c *admission.Call) {
	if c.Rejects() {
		log.Info("Failed calling webhook, failing closed", "err", logError(c))
		return
	}
	log.Info("Context canceled when calling webhook")
	utilruntime.HandleErrorWithContext(ctx, logError(c), "Failed calling webhook")
}

// logPanic logs a panic with its stack (S-193), but without the value, which
// only the client receives.
func logPanic(log klog.Logger, c *admission.Call) {
	how := "Panic calling webhook, failing open"
	if c.Rejects() {
		how = "Panic calling webhook, failing closed"
	}
	var stack []byte
	var panicked *admission.PanicError
	if errors.As(c.Err, &panicked) {
		stack = panicked.Stack
	}
	log.Info(how, "err", panicText(c.Err), "stack", string(stack))
}

// logError returns the error of a failed call for logs. It leaves out any text
// that the webhook sent in place of a response, which may repeat the review,
// and the value that was passed to panic. The client receives the whole error.
func logError(c *admission.Call) error {
	name := c.Webhook.Name
	var status *apierrors.StatusError
	switch {
	case c.Origin == admission.OriginHost, c.Origin == admission.OriginConnection:
		return c.Err
	case c.Origin == admission.OriginPanic:
		return fmt.Errorf("failed calling webhook %q: %s: %s", name, c.Step, panicText(c.Err))
	case errors.As(c.Err, &status):
		code := int(status.ErrStatus.Code)
		return fmt.Errorf("failed calling webhook %q: status %d %s", name, code, http.StatusText(code))
	default:
		return fmt.Errorf("failed calling webhook %q: %s: the response cannot be used", name, c.Step)
	}
}

// panicText describes a panic for logs by the type of its value, because the
// value may hold the object. Errors of the Go runtime hold only types and
// numbers.
func panicText(err error) string {
	var panicked *admission.PanicError
	if !errors.As(err, &panicked) {
		return "panic"
	}
	if err, ok := panicked.Value.(runtime.Error); ok {
		return "panic: " + err.Error()
	}
	return fmt.Sprintf("panic with a value of type %T", panicked.Value)
}
