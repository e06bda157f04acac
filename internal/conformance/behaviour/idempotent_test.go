package behaviour

import (
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
)

// appends adds a variable to the first container, whether it is there or not.
func appends(r probe.Review) []op {
	variable := map[string]any{"name": "SIDE", "value": "car"}
	containers, _ := at(r, "spec", "containers").([]any)
	if first, ok := containers[0].(map[string]any); !ok || first["env"] == nil {
		return []op{add("/spec/containers/0/env", []any{variable})}
	}
	return []op{add("/spec/containers/0/env/-", variable)}
}

func hasLabel(name string) func(probe.Review) bool {
	return func(r probe.Review) bool { return label(r, name) != nil }
}

// unlabelled has a webhook called for objects without the label team only.
func unlabelled(w *registrationv1.MutatingWebhook) {
	w.ObjectSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
		{Key: "team", Operator: metav1.LabelSelectorOpDoesNotExist},
	}}
}

func TestIdempotent(t *testing.T) {
	t.Parallel()
	generated := probetest.Pod(admissionv1.Create, func(p *corev1.Pod) { p.Name, p.GenerateName = "", "web-" })
	named := func(r probe.Review) []op {
		if name, ok := at(r, "metadata", "name").(string); ok {
			return []op{setLabel("name", name)}
		}
		return nil
	}
	renames := func(r probe.Review) []op {
		name, _ := at(r, "metadata", "name").(string)
		return []op{replace("/metadata/name", name+"x"), replace("/metadata/labels/app", "x")}
	}
	runLooks(t, "C-IDEMPOTENT", []look{
		{row{"same value", "to set it again changes nothing"}, mutating(1), patching(always("team", "a")), created(), []string{"pass"}},
		{row{"nothing", "who changes nothing changes nothing twice"}, mutating(1), patching(nothing), created(), []string{"pass"}},
		{row{"appends", "the item is there twice"}, mutating(1), patching(appends), created(),
			[]string{"fail (should): CREATE pods/web in shop: called again, the webhook changes its own output; reinvocationPolicy is Never: it receives its own changes only if the object is created from a copy [spec.containers[0].env[1]]"}},
		{row{"appends if needed", "it is called again in the same request"}, mutating(1, ifNeeded), patching(appends), created(),
			[]string{"fail: CREATE pods/web in shop: called again, the webhook changes its own output [spec.containers[0].env[1]]"}},
		{row{"appends in updates", "every update adds one more"}, mutating(1), patching(appends), one(admissionv1.Update),
			[]string{"fail: UPDATE pods/web in shop: called again, the webhook changes its own output [spec.containers[0].env[1]]"}},
		{row{"appends once", "its own work does not match any more"}, mutating(1, unlabelled), patching(func(r probe.Review) []op {
			return append(appends(r), setLabel("team", "a"))
		}), created(), []string{"pass"}},
		{row{"denies its own", "an update would be denied although nothing is wrong with it"}, mutating(1), denying(hasLabel("team"), always("team", "a")), created(),
			[]string{"fail (should): CREATE pods/web in shop: the webhook denies the object with its own changes; reinvocationPolicy is Never: it receives its own changes only if the object is created from a copy"}},
		{row{"generated name", "the client sends none the next time either"}, mutating(1), patching(named), []*admission.Request{generated}, []string{"pass"}},
		{row{"renames", "what is about the name is for another check"}, mutating(1), patching(renames), created(), []string{"pass"}},
		{row{"custom object", "kinds need not be known to Go"}, append(mutating(1), probetest.Widgets()), patching(func(r probe.Review) []op {
			size, _ := at(r, "spec", "size").(int64)
			return []op{replace("/spec/size", size+1)}
		}), []*admission.Request{probetest.Widget(admissionv1.Update)},
			[]string{"fail: UPDATE widgets.example.com/sprocket in shop: called again, the webhook changes its own output [spec.size]"}},
		{row{"denied", "a denied object is not changed"}, mutating(1), denying(hasLabel("app"), nothing), created(), []string{"skip: " + nothingToChange}},
		{row{"falls silent", "a missing answer is for other checks"}, mutating(1), silent(hasLabel("team"), always("team", "a")), created(), []string{"skip: " + nothingToChange}},
		{row{"deletion", "there is no object to change"}, mutating(1), patching(nothing), one(admissionv1.Delete), []string{"skip: " + nothingToChange}},
		{row{"validating", "it has no way to change anything"}, validating(), patching(nothing), created(), []string{"skip: it is a validating webhook"}},
	})
}
