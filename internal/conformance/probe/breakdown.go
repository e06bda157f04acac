package probe

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
)

// Breakdown describes how the webhook broke down instead of answering a
// request. It is empty if the webhook did not break down. A server that
// recovers a panic closes the connection (net/http), resets the stream
// (HTTP/2), sends HTTP 500, or denies with the status code 500
// (controller-runtime). An AdmissionReview with HTTP 500 is an answer.
func (x *Exchange) Breakdown() string {
	const broken = http.StatusInternalServerError
	switch {
	case x.Answer != nil && x.Answer.Denies() && x.Answer.Code == broken && x.Status != broken:
		return fmt.Sprintf("the webhook broke down and denies with status.code 500: %q", x.Answer.Message)
	case x.Answer != nil:
		return ""
	case hungUp(x.Err):
		return fmt.Sprintf("the webhook broke off without an answer, as after a panic: %v", x.Err)
	case x.Status == broken:
		return "the webhook broke down: HTTP 500 without an AdmissionReview that has a response"
	}
	return ""
}

// hungUp reports whether the server ended a connection or a stream.
func hungUp(err error) bool {
	for _, target := range []error{
		io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	// The error of net/http's own HTTP/2 has no exported type.
	return err != nil && strings.Contains(err.Error(), "stream error: ")
}
