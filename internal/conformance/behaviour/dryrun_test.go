package behaviour

import (
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
)

// isDry reports whether a review is of a dry run, as kube-apiserver writes one:
// in the request and in its options.
func isDry(r probe.Review) bool {
	request, _ := r["request"].(map[string]any)
	options, _ := request["options"].(map[string]any)
	all, _ := options["dryRun"].([]any)
	return request["dryRun"] == true && len(all) == 1 && all[0] == "All"
}

// whenReal is a hook that changes nothing in a dry run.
func whenReal(h hook) hook {
	return func(r probe.Review) []op {
		if isDry(r) {
			return nil
		}
		return h(r)
	}
}

// coded is a webhook that says no, with another code in a dry run.
func coded(real, dry int) http.Handler {
	return probetest.Handler(func(r probe.Review, response map[string]any) {
		code := real
		if isDry(r) {
			code = dry
		}
		response["allowed"], response["status"] = false, map[string]any{"code": code, "message": "no"}
	})
}

// promises sets sideEffects.
func promises(s registrationv1.SideEffectClass) func(*registrationv1.MutatingWebhook) {
	return func(w *registrationv1.MutatingWebhook) { w.SideEffects = &s }
}

func unpromised(w *registrationv1.MutatingWebhook) { w.SideEffects = nil }

func TestDryRun(t *testing.T) {
	t.Parallel()
	const missing = "skip: the webhook has no good answer to a sample that can be a dry run"
	isReal := func(r probe.Review) bool { return !isDry(r) }
	dryAlready := probetest.Pod(admissionv1.Create)
	dryAlready.DryRun = true
	runLooks(t, "C-DRY-RUN", []look{
		{row{"same patch", "the object is the same"}, mutating(1), patching(always("team", "a")), created(), []string{"pass"}},
		{row{"another form of the patch", "it is the object that counts"}, mutating(1), patching(func(r probe.Review) []op {
			if isDry(r) {
				return []op{setLabel("x", "0"), setLabel("x", "1")}
			}
			return []op{setLabel("x", "1")}
		}), created(), []string{"pass"}},
		{row{"no patch", "what would be stored is not shown"}, mutating(1), patching(whenReal(always("team", "a"))), created(),
			[]string{"fail: CREATE pods/web in shop: the dry run makes another object than the real request [metadata.labels.team]"}},
		{row{"denied", "what would be stored is denied"}, mutating(1), denying(isDry, nothing), created(),
			[]string{"fail: CREATE pods/web in shop: the dry run is denied, the real request is not"}},
		{row{"allowed", "what would be denied is shown"}, validating(), denying(isReal, nothing), created(),
			[]string{"fail: CREATE pods/web in shop: the dry run is allowed, the real request is not"}},
		{row{"code", "programs go by it"}, validating(), coded(403, 422), created(),
			[]string{"fail: CREATE pods/web in shop: the dry run has the status code 422, the real request 403"}},
		{row{"same code", "a denial is an answer like any other"}, validating(), coded(403, 403), created(), []string{"pass"}},
		{row{"silent", "a dry run fails where the real request does not"}, mutating(1), silent(isDry, nothing), created(),
			[]string{"fail: CREATE pods/web in shop: the dry run has no answer"}},
		{row{"random value", "two real requests differ as well"}, mutating(1), patching(counts()), created(), []string{"pass"}},
		{row{"broken patch", "it is for other checks"}, mutating(1), patching(func(probe.Review) []op { return []op{{"op": "remove", "path": "/none"}} }), created(), []string{"pass"}},
		{row{"deletion", "it can be a dry run, too"}, validating(), denying(isDry, nothing), one(admissionv1.Delete),
			[]string{"fail: DELETE pods/web in shop: the dry run is denied, the real request is not"}},
		{row{"connect", "there is no dry run of it"}, validating(), patching(nothing), one(admissionv1.Connect), []string{missing}},
		{row{"dry already", "there is nothing to compare with"}, mutating(1), patching(nothing), []*admission.Request{dryAlready}, []string{missing}},
		{row{"some side effects", "kube-apiserver never shows it a dry run"}, mutating(1, promises(registrationv1.SideEffectClassSome)), patching(nothing), created(),
			[]string{"skip: sideEffects is Some: kube-apiserver does not call the webhook in a dry run"}},
		{row{"no promise", "kube-apiserver never shows it a dry run"}, mutating(1, unpromised), patching(nothing), created(),
			[]string{"skip: sideEffects is not set: kube-apiserver does not call the webhook in a dry run"}},
	})
}
