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

// failure is why a call failed, for logs: without anything that the webhook wrote in place
// of an answer, because that may be what it was sent, and without what was passed to panic.
// The client reads the whole.
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

// isOurs reports whether the error of a failed call is in the words of this side.
func isLocalError(c *admission.Call) bool {
	var (
		sent     *url.Error
		spoken   *client.ResponseError
		exceeded *limits.Error
	)
	switch {
	case c.URL == "": // nobody was asked
		return true
	case errors.As(c.Err, &sent): // with the address of a redirect, if there was one
		return sent.URL == c.URL && !errors.As(c.Err, &spoken) && client.IsConnectionError(sent.Err)
	default:
		return errors.As(c.Err, &exceeded) || client.IsConnectionError(c.Err)
	}
}

// step is what was tried: how the engine's errors begin.
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

// panicText says of a panic what kind of value was passed, for logs: whoever panics may put
// the object into it. The runtime's own words are about types and numbers.
func panicText(panicked *admission.PanicError) string {
	if err, ok := panicked.Value.(runtime.Error); ok {
		return "panic: " + err.Error()
	}
	return fmt.Sprintf("panic with a value of type %T", panicked.Value)
}

// condition says which matchCondition failed, for logs: CEL's own words may quote the
// object.
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
