package probe_test

import (
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// labeling is a patch that sets the label team.
const labeling = `[{"op":"add","path":"/metadata/labels/team","value":"a"}]`

// slip changes a good answer with the patch labeling.
type slip func(out http.ResponseWriter, answer, response map[string]any)

func slipping(s slip) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		review, err := probetest.Read(r)
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		response := map[string]any{"uid": review.UID(), "allowed": true, "patchType": "JSONPatch", "patch": []byte(labeling)}
		answer := map[string]any{"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response}
		s(out, answer, response)
		probetest.Write(out, answer)
	})
}

// sends is a slip with another patch.
func sends(patch string) slip {
	return func(_ http.ResponseWriter, _, response map[string]any) { response["patch"] = []byte(patch) }
}

type mendingCase struct {
	testtable.Row
	slip    slip
	request *admission.Request
	// allowed and team are what comes of it.
	allowed bool
	team    string
}

func TestRunMendsSlips(t *testing.T) {
	t.Parallel()
	created := probetest.Pod(admissionv1.Create)
	fields := func(change map[string]any) slip {
		return func(_ http.ResponseWriter, _, response map[string]any) {
			for field, value := range change {
				if response[field] = value; value == nil {
					delete(response, field)
				}
			}
		}
	}
	testtable.Run(t, []mendingCase{
		{testtable.Row{"good", "there is nothing to mend"}, fields(nil), created, true, "a"},
		{testtable.Row{"uid", "it is the answer to this review, whatever it says"}, fields(map[string]any{"uid": "x"}), created, true, "a"},
		{testtable.Row{"version", "it can be read"}, func(_ http.ResponseWriter, answer, _ map[string]any) { delete(answer, "apiVersion") }, created, true, "a"},
		{testtable.Row{"patch type", "there is only one"}, fields(map[string]any{"patchType": nil}), created, true, "a"},
		{testtable.Row{"status", "the answer is there"}, func(out http.ResponseWriter, _, _ map[string]any) { out.WriteHeader(http.StatusTeapot) }, created, true, "a"},
		{testtable.Row{"allowed is missing", "without a reason for a no it is a yes"}, fields(map[string]any{"allowed": nil}), created, true, "a"},
		{testtable.Row{"allowed is missing in a denial", "a reason for a no is a no"}, fields(map[string]any{"allowed": nil, "status": map[string]any{"message": "no"}}), created, false, ""},
		{testtable.Row{"denial", "a no is a no"}, fields(map[string]any{"allowed": false}), created, false, ""},
		{testtable.Row{"warnings", "what is of the wrong type is not needed"}, fields(map[string]any{"warnings": "w"}), created, true, "a"},
		{testtable.Row{"no patch", "what cannot be decoded changes nothing"}, sends(`{`), created, true, ""},
		{testtable.Row{"patch that does not apply", "it changes nothing"}, sends(`[{"op":"remove","path":"/none"}]`), created, true, ""},
		{testtable.Row{"patch that spoils a type", "the engine could not read what comes of it"}, sends(`[{"op":"add","path":"/spec/containers","value":"x"}]`), created, true, ""},
		{testtable.Row{"patch of the kind", "the engine could not go on with another one"}, sends(`[{"op":"replace","path":"/kind","value":"Service"}]`), created, true, ""},
		{testtable.Row{"unknown field", "kube-apiserver drops it as well"}, sends(`[{"op":"add","path":"/spec/bogus","value":1},{"op":"add","path":"/metadata/labels/team","value":"a"}]`), created, true, "a"},
		{testtable.Row{"patch on DELETE", "there is nothing to patch"}, fields(nil), probetest.Pod(admissionv1.Delete), true, ""},
		{testtable.Row{"custom object", "kinds need not be known to Go"}, sends(`[{"op":"add","path":"/metadata/labels","value":{"team":"a"}}]`), probetest.Widget(admissionv1.Update), true, "a"},
		{testtable.Row{"no answer", "what was meant cannot be guessed"}, func(_ http.ResponseWriter, answer, _ map[string]any) { delete(answer, "response") }, created, false, ""},
	}, func(t *testing.T, tc mendingCase) {
		c := probetest.New(t, slipping(tc.slip), []runtime.Object{probetest.Widgets(), probetest.Mutating("a", "/a")}, tc.request)
		got, err := c.Run(t.Context(), tc.request, probe.Variant{Webhooks: c.Webhooks})
		if err != nil {
			t.Fatal(err)
		}
		if got.Allowed != tc.allowed || teamOf(got.Object) != tc.team {
			t.Errorf("allowed is %t with team %q, want %t with %q: %v", got.Allowed, teamOf(got.Object), tc.allowed, tc.team, got.Status)
		}
	})
}

func TestRunMendsPatchesOfValidatingWebhooks(t *testing.T) {
	t.Parallel()
	r := probetest.Pod(admissionv1.Create)
	c := probetest.New(t, slipping(func(http.ResponseWriter, map[string]any, map[string]any) {}), []runtime.Object{probetest.Validating("a", "/a")}, r)
	got, err := c.Run(t.Context(), r, probe.Variant{Webhooks: c.Webhooks})
	if err != nil || !got.Allowed || teamOf(got.Object) != "" {
		t.Errorf("got %+v and error %v, want a yes without a change", got, err)
	}
}

// teamOf returns the label that labeling sets.
func teamOf(object runtime.Object) string {
	if object == nil {
		return ""
	}
	m, err := meta.Accessor(object)
	if err != nil {
		return err.Error()
	}
	return m.GetLabels()["team"]
}
