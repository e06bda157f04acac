package protocol

import (
	"net/http"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
)

func TestAnswers(t *testing.T) {
	t.Parallel()
	const id = "C-ANSWER"
	runAll(t, []seen{
		{row{"good", "an answer is an answer"}, id, mutating(), good(), one(), report.Pass, ""},
		{row{"empty", "a handler that returns without writing sends HTTP 200"}, id, mutating(), says(200, ""), one(), report.Fail,
			"the answer is empty, with HTTP 200"},
		{row{"text", "http.Error is no answer, whatever its status"}, id, mutating(), says(400, "boom"), one(), report.Fail,
			"the answer is no JSON object, with HTTP 400"},
		{row{"no response", "the request sent back is no answer"}, id, mutating(), says(200, `{"kind":"AdmissionReview"}`), one(), report.Fail,
			"the answer has no response in it, with HTTP 200"},
		{row{"other response", "a response has fields"}, id, mutating(), says(200, `{"response":true}`), one(), report.Fail,
			"the response in the answer is no object, with HTTP 200"},
		{row{"wrong type", "the decoder gives up at a field that no other check looks at"}, id, mutating(), sets("warnings", "careful"), one(), report.Fail,
			"the answer cannot be read: json: cannot unmarshal string into Go struct field AdmissionResponse.warnings of type []string"},
		{row{"wrong uid in v1beta1", "it is not compared there, but it is decoded"}, id, mutating("v1beta1"), sets("uid", 7), one(), report.Fail,
			"the answer cannot be read: json: cannot unmarshal number into Go struct field AdmissionResponse.uid of type types.UID"},
		{row{"wrong patchType in v1beta1", "so is this"}, id, mutating("v1beta1"), sets("patchType", 7), one(), report.Fail,
			"the answer cannot be read: json: cannot unmarshal number into Go struct field AdmissionResponse.patchType of type v1.PatchType"},
		{row{"wrong patch in v1beta1", "it is decoded before it is ignored"}, id, validating("v1beta1"), sets("patch", labels), one(), report.Fail,
			"the answer cannot be read: illegal base64 data at input byte 0"},
		{row{"broken content type", "a header that cannot be parsed is worse than another one"}, id, mutating(), typed("application/json; charset"), one(), report.Fail,
			`the answer cannot be read: content type "application/json; charset": mime: invalid media parameter`},
		{row{"unvisited", "without a review there is nothing to see"}, id, mutating(), good(), nil, report.Skip, nothingAnswered},
	})
}

func TestPanic(t *testing.T) {
	t.Parallel()
	const id = "C-PANIC"
	broken := silentAt(func(r probe.Review) bool { return r.Operation() == string(admissionv1.Update) })
	denial := func(code int) http.Handler {
		return probetest.Handler(func(_ probe.Review, response map[string]any) {
			response["allowed"] = false
			response["status"] = map[string]any{"code": code, "message": "panic: no labels [recovered]"}
		})
	}
	runAll(t, []seen{
		{row{"good", "an answer is an answer"}, id, mutating(), good(), one(), report.Pass, ""},
		{row{"panic", "net/http closes the connection"}, id, mutating(), broken, pods(admissionv1.Create, admissionv1.Update), report.Fail,
			"the webhook broke off without an answer, as after a panic: the webhook's handler panicked: net/http: abort Handler: EOF"},
		{row{"HTTP 500", "http.Error is no answer"}, id, mutating(), says(500, "boom"), one(), report.Fail,
			"the webhook broke down: HTTP 500 without an AdmissionReview that has a response"},
		{row{"recovered", "controller-runtime makes a denial of it"}, id, mutating(), denial(500), one(), report.Fail,
			`the webhook broke down and denies with status.code 500: "panic: no labels [recovered]"`},
		{row{"denial", "other codes are those of denials"}, id, mutating(), denial(403), one(), report.Pass, ""},
		{row{"unvisited", "without a review there is nothing to see"}, id, mutating(), good(), nil, report.Skip, nothingAnswered},
	})
}

func TestStatus(t *testing.T) {
	t.Parallel()
	const id = "C-STATUS"
	status := func(code int) http.Handler {
		return writes(func(out http.ResponseWriter, _ map[string]any) { out.WriteHeader(code) })
	}
	runAll(t, []seen{
		{row{"good", "HTTP 200 is what it should be"}, id, mutating(), good(), one(), report.Pass, ""},
		{row{"created", "kube-apiserver takes it for a success"}, id, mutating(), status(201), one(), report.Pass, ""},
		{row{"forbidden", "the status of HTTP is not that of the answer"}, id, mutating(), status(403), one(), report.Fail, "the answer comes with HTTP 403"},
		{row{"beyond success", "successes end at 206"}, id, mutating(), status(207), one(), report.Fail, "the answer comes with HTTP 207"},
		{row{"broken", "its other faults do not matter"}, id, mutating(), failing(), one(), report.Fail, "the answer comes with HTTP 500"},
		{row{"unvisited", "without an answer there is no status"}, id, mutating(), good(), nil, report.Skip, nothingAnswered},
	})
}

// failing is a webhook that says in its own words that it has failed, with as
// much wrong as there can be.
func failing() http.Handler {
	return writes(func(out http.ResponseWriter, review map[string]any) {
		out.Header().Set("Content-Type", "text/plain")
		out.WriteHeader(http.StatusInternalServerError)
		delete(review, "apiVersion")
		review["response"] = map[string]any{
			"status":           map[string]any{"message": 500},
			"patch":            "no patch",
			"warnings":         []any{"it failed\n" + strings.Repeat("x", 300), 7},
			"auditAnnotations": map[string]any{"a/b": "it failed"},
		}
	})
}

// typed is a webhook with another content type; empty is none.
func typed(contentType string) http.Handler {
	return writes(func(out http.ResponseWriter, _ map[string]any) {
		out.Header()["Content-Type"] = []string{contentType}
		if contentType == "" {
			out.Header()["Content-Type"] = nil // so that it is not guessed
		}
		out.WriteHeader(http.StatusOK)
	})
}

func TestContentType(t *testing.T) {
	t.Parallel()
	const id = "C-CONTENT-TYPE"
	runAll(t, []seen{
		{row{"good", "application/json is what it should be"}, id, mutating(), good(), one(), report.Pass, ""},
		{row{"charset", "a parameter makes it no other type"}, id, mutating(), typed("Application/JSON; charset=utf-8"), one(), report.Pass, ""},
		{row{"text", "it is what Go's server guesses"}, id, mutating(), typed("text/plain; charset=utf-8"), one(), report.Fail,
			`the answer has the content type "text/plain; charset=utf-8"`},
		{row{"capitals", "it is shown as it was written"}, id, mutating(), typed("Text/HTML"), one(), report.Fail, `the answer has the content type "Text/HTML"`},
		{row{"none", "the type is unknown"}, id, mutating(), typed(""), one(), report.Fail, "the answer has no content type"},
		{row{"unvisited", "without an answer there is no type"}, id, mutating(), good(), nil, report.Skip, nothingRead},
	})
}

func TestResponseSize(t *testing.T) {
	t.Parallel()
	const id = "C-RESPONSE-SIZE"
	noting := func(bytes int) http.Handler {
		return sets("auditAnnotations", map[string]any{"note": strings.Repeat("x", bytes)})
	}
	runAll(t, []seen{
		{row{"good", "most answers are short"}, id, mutating(), noting(1000), one(), report.Pass, ""},
		{row{"large", "two megabytes are too many"}, id, mutating(), noting(2 << 20), one(), report.Fail, "the answer has 2097318 bytes"},
		{row{"cut", "what is too long to be read is too long, and not broken"}, id, mutating(), noting(9 << 20), one(), report.Fail, "the answer has more than 8 MiB, and was not read to its end"},
		{row{"unvisited", "without an answer there is no size"}, id, mutating(), good(), nil, report.Skip, nothingAnswered},
	})
}
