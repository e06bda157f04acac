package known

import (
	"context"
	"net/http"
	"time"

	"example.com/gatehouse/internal/conformance/probe"
)

// library is a library for webhooks, in the version in which its findings were
// seen.
type library struct {
	name, version string
	// request makes a request that the library rejects from a good review, and
	// isAnswer recognizes the library's response.
	request  func(review probe.Review) probe.RawRequest
	isAnswer func(*probe.Exchange) bool
}

var (
	// controllerRuntime rejects other content types in ServeHTTP of
	// pkg/webhook/admission/http.go.
	controllerRuntime = &library{
		name: "controller-runtime", version: "v0.25.2",
		request: func(review probe.Review) probe.RawRequest {
			return probe.RawRequest{Review: review, ContentType: "text/plain"}
		},
		isAnswer: func(x *probe.Exchange) bool {
			return x.Answer != nil && x.Answer.Denies() &&
				x.Answer.Message == "contentType=text/plain, expected application/json"
		},
	}
	// kubewebhook rejects an empty body in ServeHTTP of pkg/http/handler.go.
	kubewebhook = &library{
		name: "kubewebhook", version: "v2.7.0",
		request: func(probe.Review) probe.RawRequest { return probe.RawRequest{} },
		isAnswer: func(x *probe.Exchange) bool {
			return x.Status == http.StatusBadRequest && string(x.Body) == "no body found\n"
		},
	}
)

// maxWait limits the time for the response to a rejected request.
const maxWait = 3 * time.Second

// wrote reports whether a webhook answers as the library does.
func (l *library) wrote(ctx context.Context, w *probe.Webhook) bool {
	good := w.AllowedFirst()
	if len(good) == 0 {
		return false
	}
	ask := l.request(good[0].ReviewCopy())
	ask.Wait = maxWait
	return l.isAnswer(w.Do(ctx, ask))
}
