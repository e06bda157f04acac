package plugin

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/dispatcher/client"
)

// logError returns the error of a failed call for logs. It leaves out any text that the
// webhook sent in place of a response, which may repeat the review, and the value that
// was passed to panic. The client receives the whole error.
func logError(c *admission.Call) error {
	var panicked *admission.PanicError
	if errors.As(c.Err, &panicked) {
		return fmt.Errorf("failed calling webhook %q: %s: %s", c.Webhook.Name, failedStep(c.Err), panicText(panicked))
	}
	if isLocalError(c) {
		return c.Err
	}
	var answered *apierrors.StatusError
	if errors.As(c.Err, &answered) {
		code := int(answered.ErrStatus.Code)
		return fmt.Errorf("failed calling webhook %q: status %d %s", c.Webhook.Name, code, http.StatusText(code))
	}
	return fmt.Errorf("failed calling webhook %q: %s: its answer could not be used", c.Webhook.Name, failedStep(c.Err))
}

// isLocalError reports whether the text of a failed call's error does not come from the
// webhook.
func isLocalError(c *admission.Call) bool {
	var (
		sent     *url.Error
		spoken   *client.ResponseError
		exceeded *limits.Error
	)
	switch {
	case c.URL == "": // the call failed before a request was sent
		return true
	case errors.As(c.Err, &sent): // has the URL of the last redirect
		return sent.URL == c.URL && !errors.As(c.Err, &spoken) && client.IsConnectionError(sent.Err)
	default:
		return errors.As(c.Err, &exceeded) || client.IsConnectionError(c.Err)
	}
}

// failedStep returns the step that failed, which is how the engine's errors begin.
func failedStep(err error) string {
	var failed *admission.CallError
	if !errors.As(err, &failed) || failed.Reason == nil {
		return "failed to call webhook"
	}
	text := failed.Reason.Error()
	if end := strings.IndexAny(text, `:"`); end >= 0 {
		text = text[:end]
	}
	return strings.TrimSpace(text)
}

// panicText describes a panic for logs by the type of its value, because the value may
// hold the object. Errors of the Go runtime hold only types and numbers.
func panicText(panicked *admission.PanicError) string {
	if err, ok := panicked.Value.(runtime.Error); ok {
		return "panic: " + err.Error()
	}
	return fmt.Sprintf("panic with a value of type %T", panicked.Value)
}

// conditionError returns which matchCondition failed, for logs. It leaves out CEL's
// error, which may quote the object.
func conditionError(err error) error {
	if err == nil {
		return nil
	}
	const said = " resulted in error: "
	which, _, found := strings.Cut(err.Error(), said)
	if !found {
		return errors.New("a matchCondition could not be evaluated")
	}
	return errors.New(which + strings.TrimRight(said, ": "))
}
