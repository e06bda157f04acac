package behaviour

import (
	"strconv"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/probe/probetest"
)

// with are the containers of an object and one more.
func with(r probe.Review, name string) []any {
	containers, _ := at(r, "spec", "containers").([]any)
	return append(append([]any{}, containers...), map[string]any{"name": name, "image": "registry.example.com/" + name})
}

// rewrites replace all annotations by another one so often, and then by one
// more besides.
func rewrites(n int) []op {
	var all []op
	for i := range n {
		all = append(all, add("/metadata/annotations", map[string]any{"x": strconv.Itoa(i)}))
	}
	return append(all, add("/metadata/annotations", map[string]any{"x": strconv.Itoa(n - 1), "y": ""}))
}

func TestMinimalPatch(t *testing.T) {
	t.Parallel()
	const (
		missing = "skip: no answer has a patch that applies to an object"
		sample  = "fail: CREATE pods/web in shop: the patch replaces all of "
	)
	fixed := func(operations ...op) hook { return func(probe.Review) []op { return operations } }
	labels := map[string]any{"app": "web", "team": "a"}
	first := func(image string) map[string]any {
		return map[string]any{"name": "main", "image": image, "resources": map[string]any{}}
	}
	protected := []*admission.Request{probetest.Pod(admissionv1.Create, func(p *corev1.Pod) { p.Finalizers = []string{"example.com/a", "example.com/b"} })}
	runLooks(t, "C-MINIMAL-PATCH", []look{
		{row{"append", "the others are not touched"}, mutating(1), patching(sidecar("x")), created(), []string{"pass"}},
		{row{"field", "a plain value has no parts"}, mutating(1), patching(fixed(replace("/metadata/labels/app", "x"))), created(), []string{"pass"}},
		{row{"new object", "nothing was there"}, mutating(1), patching(fixed(add("/metadata/annotations", map[string]any{"x": "y"}))), created(), []string{"pass"}},
		{row{"all of a list", "the first container is written anew"}, mutating(1), patching(func(r probe.Review) []op { return []op{replace("/spec/containers", with(r, "x"))} }), created(),
			[]string{sample + "/spec/containers, and some of it by the same [spec.containers]"}},
		{row{"changed item of a list", "its name is written anew"}, mutating(1), patching(fixed(replace("/spec/containers", []any{first("registry.example.com/x")}))), created(),
			[]string{sample + "/spec/containers, and some of it by the same [spec.containers]"}},
		{row{"item of a list", "so it is in the item itself"}, mutating(1), patching(fixed(replace("/spec/containers/0", first("registry.example.com/x")))), created(),
			[]string{sample + "/spec/containers/0, and some of it by the same [spec.containers[0]]"}},
		{row{"insertion", "an item is put before another, not in its place"}, mutating(1), patching(fixed(add("/spec/containers/0", first("registry.example.com/x")))), created(), []string{"pass"}},
		{row{"add over what is there", "it replaces, whatever it is called"}, mutating(1), patching(fixed(add("/metadata/labels", labels))), created(),
			[]string{sample + "/metadata/labels, and some of it by the same [metadata.labels]"}},
		{row{"nothing stays", "then it is the smallest patch"}, mutating(1), patching(fixed(replace("/metadata/labels", map[string]any{"team": "a"}))), created(), []string{"pass"}},
		{row{"after an operation", "what counts is what is there by then"}, mutating(1), patching(fixed(
			add("/metadata/annotations", map[string]any{"x": "y"}), replace("/metadata/annotations", map[string]any{"x": "y", "z": "y"}))), created(),
			[]string{sample + "/metadata/annotations, and some of it by the same [metadata.annotations]"}},
		{row{"the object", "even if it is the whole of it"}, mutating(1), patching(func(r probe.Review) []op { return []op{replace("", r.Object())} }), created(),
			[]string{sample + "the object, and some of it by the same"}},
		{row{"escaped path", "a key may have a slash"}, mutating(1), patching(fixed(
			add("/metadata/annotations", map[string]any{"a/b": "y"}), replace("/metadata/annotations/a~1b", "z"))), created(), []string{"pass"}},
		{row{"longer list of texts", "all were there"}, mutating(1), patching(fixed(replace("/metadata/finalizers", []any{"example.com/a", "example.com/b", "example.com/c"}))), protected,
			[]string{sample + "/metadata/finalizers, and some of it by the same [metadata.finalizers]"}},
		{row{"shorter list of texts", "a smaller patch is hardly easier to read"}, mutating(1), patching(fixed(replace("/metadata/finalizers", []any{"example.com/b"}))), protected, []string{"pass"}},
		{row{"another form", "a list in place of an object is something else"}, mutating(1), patching(fixed(replace("/metadata/labels", []any{}))), created(), []string{"pass"}},
		{row{"after thousands", "none is applied again for those that follow, which would take minutes"}, mutating(1), patching(fixed(rewrites(20_000)...)), created(),
			[]string{sample + "/metadata/annotations, and some of it by the same [metadata.annotations]"}},
		{row{"no patch", "nothing was replaced"}, mutating(1), patching(nothing), created(), []string{missing}},
		{row{"broken patch", "it is for other checks"}, mutating(1), patching(fixed(op{"op": "remove", "path": "/none"})), created(), []string{missing}},
		{row{"validating", "it has no way to change anything"}, validating(), patching(nothing), created(), []string{"skip: it is a validating webhook"}},
	})
}
