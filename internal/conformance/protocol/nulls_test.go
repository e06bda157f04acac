package protocol

import (
	"net/http"
	"sync/atomic"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/report"
)

// wants is a webhook that cannot stand a null.
func wants(field string) http.Handler {
	return silentAt(func(r probe.Review) bool {
		request, ok := r["request"].(map[string]any)
		return !ok || request[field] == nil
	})
}

func TestNulls(t *testing.T) {
	t.Parallel()
	const (
		object, oldObject, options = "C-NULL-OBJECT", "C-NULL-OLD-OBJECT", "C-NULL-OPTIONS"
	)
	create, update, remove, connect := admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect
	runAll(t, []seen{
		{row{"object", "deletions have none"}, object, validating(), good(), pods(remove), report.Pass, ""},
		{row{"no answer without object", "deletions fail"}, object, validating(), wants("object"), pods(create, update, remove, connect), report.Fail,
			"the answer is missing because object is null: there is one if it is not"},
		{row{"nothing deleted", "only deletions have no object"}, object, validating(), good(), pods(create, update, connect), report.Skip,
			"the webhook answered no sample that is a DELETE"},

		{row{"oldObject", "what is new has none"}, oldObject, validating(), good(), pods(create), report.Pass, ""},
		{row{"no answer without oldObject", "nothing can be created"}, oldObject, validating(), wants("oldObject"), pods(create, update, remove), report.Fail,
			"the answer is missing because oldObject is null: there is one if it is not"},
		{row{"nothing created", "other requests have an oldObject"}, oldObject, validating(), good(), pods(update, remove), report.Skip,
			"the webhook answered no sample that is a CREATE"},

		{row{"options", "connections have none"}, options, validating(), good(), pods(connect), report.Pass, ""},
		{row{"no answer without options", "exec fails"}, options, validating(), wants("options"), pods(create, update, remove, connect), report.Fail,
			"the answer is missing because options is null: there is one if it is not"},
		{row{"nothing connected", "other requests have options"}, options, validating(), good(), pods(create, update, remove), report.Skip,
			"the webhook answered no sample that is a CONNECT"},
	})
}

// TestNowAndThen has a webhook that fails at its first review: then answers
// again, whatever is different about the next one.
func TestNowAndThen(t *testing.T) {
	t.Parallel()
	var reviews atomic.Int32
	first := silentAt(func(probe.Review) bool { return reviews.Add(1) == 1 })
	seen{
		id: "C-PANIC", webhook: validating(), handler: first, requests: one(),
		verdict: report.Fail, message: "the webhook broke off without an answer, as after a panic: the webhook's handler panicked: net/http: abort Handler: EOF",
	}.run(t)
}
