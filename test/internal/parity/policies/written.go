package policies

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// Written is a scenario that is written by hand: a world, requests, and what is
// expected of both sides.
type Written struct {
	// Name is unique. Why says what the scenario shows, and Source is the function
	// of k8s.io/apiserver/pkg/admission/plugin/policy that does it.
	Name, Why, Source string
	// Objects are policies, bindings, configurations of webhooks, namespaces, and
	// params. Without an apiVersion they are of admissionregistration.k8s.io/v1.
	// Policies without matchConstraints match everything. The namespaces default
	// and shop exist.
	Objects []runtime.RawExtension
	// Bind are policies that get a binding named POLICY-binding, which denies.
	Bind []string
	// Responses are what webhooks respond with, by path. Their URLs have the host
	// "webhook".
	Responses map[string][]scenario.Answer
	Requests  []WrittenRequest
}

// WrittenRequest is a request with what is expected.
type WrittenRequest struct {
	// Operation is CREATE by default.
	Operation         string
	Subresource       string
	User              string
	Object, OldObject *runtime.RawExtension
	// Want is expected of kube-apiserver and of gatehouse, ByName of gatehouse
	// without Exact if that is something else.
	Want   Want
	ByName *Want
}

// Want is what is expected of a request. What is nil or zero is not compared,
// except Denied.
type Want struct {
	Denied  bool
	Code    int32
	Reason  metav1.StatusReason
	Message []string
	// Objects are parts of the object: it contains one of them. Null stands for
	// absence.
	Objects []runtime.RawExtension
	// Calls are the paths of the webhooks that were called.
	Calls       *[]string
	Annotations *map[string]string
	Warnings    *[]string
	Rounds      int
}

// LoadWritten reads the scenarios in the YAML files of a folder.
func LoadWritten(folder string) (all []Written, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
		for n := 1; ; n++ {
			document, err := documents.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			var w Written
			if err == nil {
				err = yaml.UnmarshalStrict(document, &w)
			}
			if err == nil && (w.Name == "" || w.Why == "" || w.Source == "" || len(w.Requests) == 0) {
				err = errors.New("name, why, source and requests are required")
			}
			if err != nil {
				return nil, fmt.Errorf("%s: document %d: %w", file, n, err)
			}
			all = append(all, w)
		}
	}
	return all, nil
}

// World returns the scenario's world.
func (s *Written) World() (*World, error) {
	w := &World{Responses: s.Responses}
	for _, name := range []string{"default", "shop"} {
		w.Namespaces = append(w.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"name": name}}})
	}
	kindOf := map[string]string{}
	for i, raw := range s.Objects {
		o, err := decoded(raw.Raw)
		if err == nil {
			if m, err := meta.Accessor(o); err == nil {
				kindOf[m.GetName()] = o.GetObjectKind().GroupVersionKind().Kind
			}
			err = w.add(o)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: object %d: %w", s.Name, i, err)
		}
	}
	for _, name := range s.Bind {
		if err := w.add(bindingOf(kindOf[name], name)); err != nil {
			return nil, fmt.Errorf("%s: bind %s: %w", s.Name, name, err)
		}
	}
	return w, nil
}

// add adds an object. Policies and bindings get their defaults.
func (w *World) add(o runtime.Object) error {
	switch o := o.(type) {
	case *corev1.Namespace:
		o.TypeMeta = metav1.TypeMeta{} // as in client-go's informers
		w.Namespaces = append(w.Namespaces, o)
	case *corev1.ConfigMap:
		o.TypeMeta = metav1.TypeMeta{}
		w.ConfigMaps = append(w.ConfigMaps, o)
	case *unstructured.Unstructured:
		w.Widgets = append(w.Widgets, o)
	case *registrationv1.MutatingWebhookConfiguration, *registrationv1.ValidatingWebhookConfiguration:
		w.Webhooks = append(w.Webhooks, o)
	default:
		return w.addPolicy(o)
	}
	return nil
}

func (w *World) addPolicy(o runtime.Object) error {
	switch o := o.(type) {
	case *registrationv1.MutatingAdmissionPolicy:
		o.Spec.MatchConstraints = orEverything(o.Spec.MatchConstraints)
	case *registrationv1.ValidatingAdmissionPolicy:
		o.Spec.MatchConstraints = orEverything(o.Spec.MatchConstraints)
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	parsed, problems := policies.Parse(text)
	if parsed == nil {
		return errors.Join(problems...)
	}
	w.Policies = append(w.Policies, parsed)
	return nil
}

func orEverything(m *registrationv1.MatchResources) *registrationv1.MatchResources {
	if m != nil {
		return m
	}
	return &registrationv1.MatchResources{
		ResourceRules: []registrationv1.NamedRuleWithOperations{rule("*", "*", "*", "*")}}
}

func bindingOf(kind, policy string) runtime.Object {
	m := metav1.ObjectMeta{Name: policy + "-binding"}
	if kind == "MutatingAdmissionPolicy" {
		return &registrationv1.MutatingAdmissionPolicyBinding{
			TypeMeta: typed(registrationv1.SchemeGroupVersion.String(), kind+"Binding"), ObjectMeta: m,
			Spec: registrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: policy},
		}
	}
	return &registrationv1.ValidatingAdmissionPolicyBinding{
		TypeMeta: typed(registrationv1.SchemeGroupVersion.String(), kind+"Binding"), ObjectMeta: m,
		Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: policy,
			ValidationActions: []registrationv1.ValidationAction{registrationv1.Deny}},
	}
}

// decoded returns an object of a built-in kind as typed, any other as
// unstructured.
func decoded(raw []byte) (runtime.Object, error) {
	var object map[string]any
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	custom := &unstructured.Unstructured{Object: object}
	if custom.GetAPIVersion() == "" {
		custom.SetAPIVersion(registrationv1.SchemeGroupVersion.String())
	}
	kind := custom.GroupVersionKind()
	o, err := scheme.Scheme.New(kind)
	if err != nil {
		return custom, nil
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(object, o, true)
	o.GetObjectKind().SetGroupVersionKind(kind)
	return o, err
}

// aPod is the object of requests that have none.
const aPod = `{"apiVersion": "v1", "kind": "Pod",
	"metadata": {"name": "web", "namespace": "shop", "labels": {"app": "web"}},
	"spec": {"containers": [{"name": "web", "image": "web:1"}]}}`

// Request returns the request.
func (w *WrittenRequest) Request() (*Request, error) {
	operation := apiadmission.Operation(w.Operation)
	if operation == "" {
		operation = apiadmission.Create
	}
	if w.Object == nil && w.OldObject == nil {
		pod := &runtime.RawExtension{Raw: []byte(aPod)}
		if w.OldObject = pod; operation != apiadmission.Delete {
			w.Object, w.OldObject = pod, nil
		}
	}
	object, err := optional(w.Object)
	if err != nil {
		return nil, err
	}
	old, err := optional(w.OldObject)
	if err != nil {
		return nil, err
	}
	return w.request(operation, object, old)
}

func optional(raw *runtime.RawExtension) (runtime.Object, error) {
	if raw == nil {
		return nil, nil
	}
	return decoded(raw.Raw)
}

func (w *WrittenRequest) request(
	operation apiadmission.Operation, object, old runtime.Object,
) (*Request, error) {
	of := object
	if of == nil {
		of = old
	}
	kind := of.GetObjectKind().GroupVersionKind()
	resource, err := resourceOf(kind)
	if err != nil {
		return nil, err
	}
	namespace, name := "shop", "web"
	if m, err := meta.Accessor(of); err == nil { // the options of a CONNECT have no metadata
		namespace, name = m.GetNamespace(), m.GetName()
	}
	if kind.Kind == "Namespace" {
		namespace = name // as kube-apiserver has it
	}
	who := &user.DefaultInfo{Name: w.User}
	return &Request{Metrics: true, New: func() apiadmission.Attributes {
		return apiadmission.NewAttributesRecord(copyOf(object), copyOf(old), kind, namespace, name,
			resource, w.Subresource, operation, nil, false, who)
	}}, nil
}

func resourceOf(kind schema.GroupVersionKind) (schema.GroupVersionResource, error) {
	switch kind.Kind {
	case WidgetKind.Kind:
		return widgets, nil
	case "Gadget":
		return kind.GroupVersion().WithResource("gadgets"), nil
	case "PodExecOptions":
		return corev1.SchemeGroupVersion.WithResource("pods"), nil
	}
	found, err := kinds.New().Lookup(kind)
	return found.GroupVersionResource, err
}
