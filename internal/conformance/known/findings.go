package known

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// finding is a known finding.
type finding struct {
	check string
	of    *library
	// where is the place in the source of the library.
	where string
	// isIt recognizes the finding by its first exchange.
	isIt func(message string, x *report.Exchange) bool
	// what describes what the library does, and what is left to do.
	what string
}

const nothingToFix = "; nothing for you to fix"

func findings() []finding {
	return []finding{
		{"C-CONTENT-TYPE", controllerRuntime, "pkg/webhook/admission/http.go, writeAdmissionResponse",
			func(_ string, x *report.Exchange) bool { return x.ContentType == "text/plain; charset=utf-8" },
			"it sets no content type" + nothingToFix},
		{"C-UNLISTED-VERSION", controllerRuntime, "pkg/webhook/admission/http.go, ServeHTTP",
			func(_ string, x *report.Exchange) bool {
				return bytes.Contains(x.Response, []byte(`"apiVersion":"admission.k8s.io/v9"`))
			},
			"it accepts every apiVersion and answers in it" + nothingToFix},
		{"C-STATUS", kubewebhook, "pkg/http/handler.go, ServeHTTP",
			func(_ string, x *report.Exchange) bool {
				return x.Status == 500 && bytes.Contains(x.Response, []byte(`"message":"could not `))
			},
			"it sends errors with HTTP 500: deny with a validator instead of an error"},
		{"C-UNKNOWN-FIELDS", kubewebhook, "pkg/webhook/mutating/webhook.go, mutatingAdmissionReview",
			func(message string, _ *report.Exchange) bool {
				return strings.HasSuffix(message, "the patch removes it")
			},
			"it removes what the Go type does not have: build with a new k8s.io/api, or use unstructured.Unstructured"},
		{"C-GARBAGE", kubewebhook, "pkg/model/review.go, NewAdmissionReviewV1",
			func(message string, x *report.Exchange) bool {
				return x.Status == 0 && strings.HasPrefix(message, "the answer to a review without a request is ")
			},
			"it panics if there is no request" + nothingToFix},
		{"C-REQUEST-TYPE", kubewebhook, "pkg/http/handler.go, ServeHTTP",
			func(message string, _ *report.Exchange) bool {
				return message == "the answer to a review as text/plain is a yes"
			},
			"it does not look at the content type: wrap its handler in one that does"},
	}
}

// Describe sets Known in the findings that the webhook's library causes. It may
// call the webhook.
func Describe(ctx context.Context, w *probe.Webhook, result *report.Result) {
	for _, one := range findings() {
		for i := range result.Findings {
			f := &result.Findings[i]
			if one.check != result.Check || len(f.Evidence) == 0 ||
				!one.isIt(f.Message, &f.Evidence[0]) || !one.of.wrote(ctx, w) {
				continue
			}
			f.Known = fmt.Sprintf("known of %s %s (%s): %s",
				one.of.name, one.of.version, one.where, one.what)
		}
	}
}
