package review

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/admission"
)

// bodyCase is a request; the target is the request's own if it is nil.
type bodyCase struct {
	row
	operation                    apiadmission.Operation
	subresource, name, namespace string
	object, old, options         runtime.Object
	dryRun                       bool
	user                         *user.DefaultInfo
	target                       *admission.Target
}

func (c bodyCase) attributes() apiadmission.Attributes {
	who := c.user
	if who == nil {
		who = &user.DefaultInfo{Name: "alice"}
	}
	return apiadmission.NewAttributesRecord(c.object, c.old, corev1.SchemeGroupVersion.WithKind("Pod"), c.namespace, c.name,
		corev1.SchemeGroupVersion.WithResource("pods"), c.subresource, c.operation, c.options, c.dryRun, who)
}

func (c bodyCase) targetOr(a apiadmission.Attributes) admission.Target {
	if c.target != nil {
		return *c.target
	}
	return admission.Target{Resource: a.GetResource(), Subresource: a.GetSubresource(), Kind: a.GetKind()}
}

func typedPod(annotation string) *corev1.Pod {
	return &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "n", Namespace: "ns", Annotations: map[string]string{"a": annotation}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
}

func widget(spec any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "acme.example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "n"}, "spec": spec,
	}}
}

const odd = "<script>&amp;</script> \u2028\u2029 \u00e9 \U0001F600 \"\\ \t\n\r \x00 \x7f \xff"

// bodyCases are the requests whose review is compared.
func bodyCases() []bodyCase {
	create, update := options("CreateOptions"), options("UpdateOptions")
	crowd := &user.DefaultInfo{
		Name: "system:serviceaccount:ns:<sa>", UID: "7&8", Groups: []string{"b", "a", "é"},
		Extra: map[string][]string{"scopes": {"x", ""}, "a/b": nil, "none": {}},
	}
	equivalent := &admission.Target{
		Resource: schema.GroupVersionResource{Group: "acme.example.com", Version: "v1beta1", Resource: "pods"},
		Kind:     schema.GroupVersionKind{Group: "acme.example.com", Version: "v1beta1", Kind: "Pod<>"},
	}
	below := *equivalent
	below.Subresource = "status"
	return []bodyCase{
		{row: row{"create", "S-217: a new object and none before it"}, operation: apiadmission.Create, name: "n", namespace: "ns", object: typedPod("x"), options: create},
		{row: row{"update", "S-217: both objects"}, operation: apiadmission.Update, name: "n", namespace: "ns", object: typedPod("x"), old: typedPod("y"), options: update},
		{row: row{"delete", "S-217: only the object before"}, operation: apiadmission.Delete, name: "n", namespace: "ns", old: typedPod("y"), options: options("DeleteOptions")},
		{row: row{"connect", "S-216, S-217: the options are the object, and there are no others"}, operation: apiadmission.Connect, name: "n", namespace: "ns", subresource: "exec",
			object: &corev1.PodExecOptions{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodExecOptions"}, Command: []string{"sh", "-c", "a && b"}}},
		{row: row{"no name", "S-212, S-215: an empty name is left out"}, operation: apiadmission.Create, namespace: "ns", object: typedPod("x")},
		{row: row{"no namespace", "S-212: and so is an empty namespace"}, operation: apiadmission.Create, name: "n", object: typedPod("x")},
		{row: row{"nothing", "S-212: objects and options are null when they are absent"}, operation: apiadmission.Delete},
		{row: row{"subresource", "S-213: named twice"}, operation: apiadmission.Update, name: "n", namespace: "ns", subresource: "status", object: typedPod("x"), old: typedPod("y")},
		{row: row{"dry run", "S-212: always present"}, operation: apiadmission.Create, name: "n", object: typedPod("x"), dryRun: true, options: dryOptions()},
		{row: row{"equivalent", "S-213: what the webhook asked for beside what was requested"}, operation: apiadmission.Create, name: "n", object: typedPod("x"), target: equivalent},
		{row: row{"equivalent subresource", "S-213: the subresource is the same"}, operation: apiadmission.Create, name: "n", object: typedPod("x"), subresource: "status", target: &below},
		{row: row{"user with everything", "S-214: maps in order, empty lists and all"}, operation: apiadmission.Create, object: typedPod("x"), user: crowd},
		{row: row{"user with nothing", "S-214: empty fields are left out"}, operation: apiadmission.Create, object: typedPod("x"), user: &user.DefaultInfo{}},
		{row: row{"odd characters in a typed object", "S-219: escaped like any JSON"}, operation: apiadmission.Create, object: typedPod(odd)},
		{row: row{"odd characters in an unstructured object", "S-219: escaped like any JSON"}, operation: apiadmission.Create, object: widget(map[string]any{odd: odd}), old: widget(odd)},
		{row: row{"odd characters in the name", "S-212: escaped like any JSON"}, operation: apiadmission.Create, name: odd, namespace: odd, subresource: odd, object: typedPod("x")},
		{row: row{"odd operation", "S-212: escaped like any JSON"}, operation: "<CREATE>", object: typedPod("x")},
		{row: row{"unstructured numbers", "S-219: whole numbers and fractions keep their form"}, operation: apiadmission.Create,
			object: widget(map[string]any{"int": int64(1) << 60, "whole": 1.0, "fraction": 0.1, "large": 1e21, "small": 1e-7, "null": nil, "empty": map[string]any{}, "list": []any{}})},
		{row: row{"object without a kind", "S-219: what has no kind is sent without one"}, operation: apiadmission.Create, object: &corev1.Pod{}},
		{row: row{"quantities and times", "S-219: values with JSON of their own"}, operation: apiadmission.Create,
			object: &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.Unix(1, 0), DeletionTimestamp: &metav1.Time{}}}},
		{row: row{"options with content", "S-216: sent in full"}, operation: apiadmission.Create, object: typedPod("x"), options: &metav1.CreateOptions{FieldManager: "<me>", FieldValidation: "Strict"}},
	}
}

// options are the options of an operation with their kind filled in (S-216).
func options(kind string) runtime.Object {
	t := metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: kind}
	switch kind {
	case "CreateOptions":
		return &metav1.CreateOptions{TypeMeta: t, FieldManager: "kubectl"}
	case "UpdateOptions":
		return &metav1.UpdateOptions{TypeMeta: t}
	default:
		return &metav1.DeleteOptions{TypeMeta: t, Preconditions: metav1.NewUIDPreconditions("7")}
	}
}

func dryOptions() runtime.Object {
	return &metav1.CreateOptions{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "CreateOptions"}, DryRun: []string{metav1.DryRunAll}}
}
