package behaviour

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row is what every row of every table has to say about itself.
type row = testtable.Row

// op is an operation of a patch.
type op map[string]any

// hook is a webhook: it returns the patch for a review.
type hook func(probe.Review) []op

// nothing is a webhook that changes nothing.
func nothing(probe.Review) []op { return nil }

// patching answers with the patches of a hook.
func patching(h hook) http.Handler {
	return probetest.Handler(func(r probe.Review, response map[string]any) { patch(response, h(r)) })
}

func patch(response map[string]any, operations []op) {
	if operations == nil {
		return
	}
	text, err := json.Marshal(operations)
	if err != nil {
		panic(err)
	}
	response["patch"], response["patchType"] = base64.StdEncoding.EncodeToString(text), "JSONPatch"
}

// denying denies all reviews of one kind.
func denying(which func(probe.Review) bool, h hook) http.Handler {
	return probetest.Handler(func(r probe.Review, response map[string]any) {
		if which(r) {
			response["allowed"], response["status"] = false, map[string]any{"code": 403, "message": "no"}
			return
		}
		patch(response, h(r))
	})
}

// silent has no answer to some reviews.
func silent(which func(probe.Review) bool, h hook) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		review, err := probetest.Read(r)
		if err != nil || which(review) {
			http.Error(out, "no", http.StatusInternalServerError)
			return
		}
		response := map[string]any{"uid": review.UID(), "allowed": true}
		patch(response, h(review))
		probetest.Write(out, map[string]any{"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response})
	})
}

// servers are what serves the webhooks a, b and c, in this order.
func servers(handlers ...http.Handler) http.Handler {
	mux := http.NewServeMux()
	for i, h := range handlers {
		mux.Handle("/"+string(rune('a'+i)), h)
	}
	return mux
}

// mutating configures the mutating webhooks a, b and c.
func mutating(n int, change ...func(*registrationv1.MutatingWebhook)) []runtime.Object {
	var all []runtime.Object
	for i := range n {
		name := string(rune('a' + i))
		all = append(all, probetest.Mutating(name, "/"+name, change...))
	}
	return all
}

// validating configures the validating webhook a.
func validating(change ...func(*registrationv1.ValidatingWebhook)) []runtime.Object {
	return []runtime.Object{probetest.Validating("a", "/a", change...)}
}

// ifNeeded has a webhook called again.
func ifNeeded(w *registrationv1.MutatingWebhook) {
	w.ReinvocationPolicy = new(registrationv1.IfNeededReinvocationPolicy)
}

func one(operations ...admissionv1.Operation) []*admission.Request {
	var all []*admission.Request
	for _, o := range operations {
		all = append(all, probetest.Pod(o))
	}
	return all
}

// created is the usual sample.
func created() []*admission.Request { return one(admissionv1.Create) }

// at returns what is at a place in the new object; nil if there is nothing.
func at(r probe.Review, fields ...string) any {
	value, _, err := unstructured.NestedFieldNoCopy(r.Object(), fields...)
	if err != nil {
		return nil
	}
	return value
}

func label(r probe.Review, name string) any { return at(r, "metadata", "labels", name) }

func setLabel(name string, value any) op {
	return op{"op": "add", "path": "/metadata/labels/" + name, "value": value}
}

func add(path string, value any) op     { return op{"op": "add", "path": path, "value": value} }
func replace(path string, value any) op { return op{"op": "replace", "path": path, "value": value} }

// always sets a label to the same value.
func always(name, value string) hook {
	return func(probe.Review) []op { return []op{setLabel(name, value)} }
}

// look is a check of webhooks, and what is expected of it.
type look struct {
	row
	configurations []runtime.Object
	handler        http.Handler
	requests       []*admission.Request
	// want is a line for each result, or for each finding if it fails.
	want []string
}

// runLooks runs one check on every row. change is for its Collection.
func runLooks(t *testing.T, id string, rows []look) {
	t.Helper()
	testtable.Run(t, rows, func(t *testing.T, tc look) {
		c := probetest.New(t, tc.handler, tc.configurations, tc.requests...)
		if diff := cmp.Diff(tc.want, outcome(t, c, id)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	})
}

// outcome runs a check.
func outcome(t *testing.T, c *probe.Collection, id string) []string {
	t.Helper()
	for _, one := range Checks() {
		if one.ID == id {
			return results(t, c, &one)
		}
	}
	t.Fatalf("there is no check %s", id)
	return nil
}

func results(t *testing.T, c *probe.Collection, one *check.Check) []string {
	t.Helper()
	var all []string
	if one.All != nil {
		r := &check.Record{}
		one.All(t.Context(), c, r)
		return lines(r.Result(one, ""))
	}
	for _, w := range c.Webhooks {
		r := &check.Record{}
		one.Run(t.Context(), w, r)
		all = append(all, lines(r.Result(one, w.FullName()))...)
	}
	return all
}

// lines returns a result as tables have it.
func lines(r report.Result) []string {
	var all []string
	for _, f := range r.Findings {
		line := "fail: " + f.String()
		if f.Level != "" {
			line = fmt.Sprintf("fail (%s): %s", f.Level, f)
		}
		if len(f.Paths) > 0 {
			line += fmt.Sprintf(" [%s]", strings.Join(f.Paths, " "))
		}
		all = append(all, line)
	}
	switch {
	case r.Verdict == report.Skip:
		return []string{"skip: " + r.Message}
	case r.Verdict == report.Pass:
		return []string{"pass"}
	}
	return all
}
