package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
)

// policies are what says which params there are.
type policies struct {
	kinds    map[policyName]*registrationv1.ParamKind
	bindings []binding
}

// policyName names a policy by its kind, because both kinds have names of their own.
type policyName struct{ kind, name string }

type binding struct {
	policy policyName
	params *registrationv1.ParamRef
}

// policyOf has the kind of the policies of each kind of bindings.
var policyOf = map[string]string{
	validatingBinding: validatingPolicy, mutatingBinding: mutatingPolicy,
}

// learn returns the function that remembers what the objects of a kind say about other
// objects; nil if they say nothing.
func (r *reader) learn(kind string) func(map[string]any) error {
	switch kind {
	case validatingPolicy, mutatingPolicy:
		return func(o map[string]any) error { return r.policies.addPolicy(kind, o) }
	case validatingBinding, mutatingBinding:
		return func(o map[string]any) error { return r.policies.addBinding(kind, o) }
	case validatingWebhooks, mutatingWebhooks:
		return r.backends.addWebhooks
	case service:
		return r.backends.addService
	}
	return nil
}

// addPolicy remembers the paramKind. It is the same in all versions of both kinds.
func (p *policies) addPolicy(kind string, object map[string]any) error {
	var policy registrationv1.ValidatingAdmissionPolicy
	if err := decode(object, &policy); err != nil {
		return err
	}
	if p.kinds == nil {
		p.kinds = map[policyName]*registrationv1.ParamKind{}
	}
	p.kinds[policyName{kind, policy.Name}] = policy.Spec.ParamKind
	return nil
}

// addBinding remembers the paramRef. It is the same in all versions of both kinds.
func (p *policies) addBinding(kind string, object map[string]any) error {
	var b registrationv1.ValidatingAdmissionPolicyBinding
	err := decode(object, &b)
	if err == nil && b.Spec.ParamRef != nil {
		name := policyName{policyOf[kind], b.Spec.PolicyName}
		p.bindings = append(p.bindings, binding{name, b.Spec.ParamRef})
	}
	return err
}

// decode decodes what a snapshot needs to know of an object.
func decode(object map[string]any, into any) error {
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, into); err != nil {
		return errors.New("a value in it has the wrong type: is this an API server?")
	}
	return nil
}

// readParams reads the params of all bindings.
func (r *reader) readParams(ctx context.Context) error {
	targets, err := r.paramTargets(ctx)
	if err != nil {
		return err
	}
	for i := range targets {
		t := &targets[i]
		if err := r.readAll(ctx, t, paramFile(t.GroupVersionResource), nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// paramTargets returns where the params of all bindings are, each once.
func (r *reader) paramTargets(ctx context.Context) ([]target, error) {
	var all []target
	for _, b := range r.policies.bindings {
		kind := r.policies.kinds[b.policy]
		if kind == nil {
			continue // the policy does not exist, or has no params
		}
		t, err := r.paramTarget(ctx, kind, b.params)
		if err != nil {
			return nil, err
		}
		if t != nil && !slices.Contains(all, *t) {
			all = append(all, *t)
		}
	}
	return all, nil
}

func paramFile(of schema.GroupVersionResource) string {
	name := "params." + of.Resource + "." + of.Version
	if of.Group != "" {
		name += "." + of.Group
	}
	return name + ".yaml"
}

// paramTarget returns where the params of a binding are; nil if they are read already, or
// left out.
func (r *reader) paramTarget(
	ctx context.Context, kind *registrationv1.ParamKind, ref *registrationv1.ParamRef,
) (*target, error) {
	gv, err := schema.ParseGroupVersion(kind.APIVersion)
	if err != nil || !isGroupVersion(gv) {
		r.notice("params of %q in %q: left out, because the version is not valid", kind.Kind, kind.APIVersion)
		return nil, nil
	}
	if gv.String() == "v1" && kind.Kind == "Secret" {
		r.notice("params of kind Secret: left out, because a snapshot has no Secrets")
		return nil, nil
	}
	at, ok, err := r.find(ctx, gv, func(a metav1.APIResource) bool {
		return a.Kind == kind.Kind && len(validation.IsDNS1123Label(a.Name)) == 0 // no subresource
	})
	if err != nil {
		return nil, err
	}
	t := &target{GroupVersionResource: gv.WithResource(at.Name), kind: kind.Kind, name: ref.Name}
	if at.Namespaced {
		if t.namespace = ref.Namespace; t.namespace == "" {
			t.namespace = r.config.Namespace // that of the request, which may be any
		}
	}
	if namespace, read := r.read[t.GroupVersionResource]; read && (namespace == "" || namespace == t.namespace) {
		return nil, nil
	}
	if !ok {
		r.notice("params of %s in %s: left out, because the server does not serve it", kind.Kind, gv)
		return nil, nil
	}
	if ref.Selector != nil {
		selector, err := metav1.LabelSelectorAsSelector(ref.Selector)
		if err != nil {
			return nil, fmt.Errorf("a binding with params of %s: paramRef.selector: %w", kind.Kind, plain(err))
		}
		t.selector = selector.String()
	}
	return t, nil
}

// isGroupVersion reports whether the parts may be those of a path.
func isGroupVersion(gv schema.GroupVersion) bool {
	return (gv.Group == "" || len(validation.IsDNS1123Subdomain(gv.Group)) == 0) &&
		len(validation.IsDNS1123Label(gv.Version)) == 0
}
