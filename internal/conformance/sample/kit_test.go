package sample_test

import (
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/source"
	"example.com/gatehouse/internal/conformance/probe"
	"example.com/gatehouse/internal/conformance/sample"
	"example.com/gatehouse/internal/offline/defaults"
	"example.com/gatehouse/internal/offline/internalversion"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// hook is a webhook in short.
type hook struct {
	// rules are like "CREATE,UPDATE apps/v1 deployments,deployments/scale",
	// with "; " in between. The core group is "core".
	rules string
	// objects and namespaces are selectors, as kubectl takes them.
	objects, namespaces string
	// scope is that of all rules; empty for any.
	scope registrationv1.ScopeType
}

// configured returns a configuration for each webhook, mutating ones and
// validating ones in turn.
func configured(t testing.TB, hooks []hook) []runtime.Object {
	t.Helper()
	var all []runtime.Object
	for i, h := range hooks {
		meta := metav1.ObjectMeta{Name: fmt.Sprintf("c%d", i)}
		where := registrationv1.WebhookClientConfig{URL: new("https://hooks.example.com/")}
		name := fmt.Sprintf("w%d.example.com", i)
		if i%2 == 0 {
			w := registrationv1.MutatingWebhook{
				Name: name, ClientConfig: where, Rules: h.parsed(), ObjectSelector: selector(t, h.objects), NamespaceSelector: selector(t, h.namespaces),
				AdmissionReviewVersions: []string{"v1"}, SideEffects: new(registrationv1.SideEffectClassNone),
			}
			all = append(all, &registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta, Webhooks: []registrationv1.MutatingWebhook{w}})
			continue
		}
		w := registrationv1.ValidatingWebhook{
			Name: name, ClientConfig: where, Rules: h.parsed(), ObjectSelector: selector(t, h.objects), NamespaceSelector: selector(t, h.namespaces),
			AdmissionReviewVersions: []string{"v1"}, SideEffects: new(registrationv1.SideEffectClassNone),
		}
		all = append(all, &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta, Webhooks: []registrationv1.ValidatingWebhook{w}})
	}
	return all
}

func (h hook) parsed() []registrationv1.RuleWithOperations {
	var rules []registrationv1.RuleWithOperations
	for text := range strings.SplitSeq(h.rules, "; ") {
		words := strings.Fields(text)
		group, version, _ := strings.Cut(words[1], "/")
		if group == "core" {
			group = ""
		}
		r := registrationv1.RuleWithOperations{Rule: registrationv1.Rule{
			APIGroups: []string{group}, APIVersions: strings.Split(version, ","), Resources: strings.Split(words[2], ","),
		}}
		for operation := range strings.SplitSeq(words[0], ",") {
			r.Operations = append(r.Operations, registrationv1.OperationType(operation))
		}
		if h.scope != "" {
			r.Scope = new(h.scope)
		}
		rules = append(rules, r)
	}
	return rules
}

func selector(t testing.TB, text string) *metav1.LabelSelector {
	t.Helper()
	if text == "" {
		return nil
	}
	s, err := metav1.ParseToLabelSelector(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// namespace reads "shop env=prod".
func namespace(text string) *corev1.Namespace {
	words := strings.Fields(text)
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: words[0], Labels: map[string]string{}}}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		ns.Labels[key] = value
	}
	return ns
}

// definition defines the kind KIND in example.com/v1, with a schema in YAML.
func definition(t testing.TB, kind, schema string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	plural := strings.ToLower(kind) + "s"
	crd.Name = plural + ".example.com"
	crd.Spec.Group, crd.Spec.Scope = "example.com", apiextensionsv1.NamespaceScoped
	crd.Spec.Names.Plural, crd.Spec.Names.Kind = plural, kind
	s := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.UnmarshalStrict([]byte(schema), s); err != nil {
		t.Fatal(err)
	}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{
		Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: s},
	}}
	return crd
}

// known knows all kinds, with their defaults.
func known(t testing.TB, definitions ...*apiextensionsv1.CustomResourceDefinition) *kinds.Registry {
	t.Helper()
	r := kinds.New(kinds.Defaulting(defaults.Scheme()), kinds.Roundtrip(internalversion.Normalize))
	for _, crd := range definitions {
		if err := r.AddCRD(crd); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// made makes the samples for webhooks.
func made(t testing.TB, hooks []hook, given ...*admission.Request) *sample.Set {
	t.Helper()
	return sample.Make(t.Context(), sample.Config{Configurations: configured(t, hooks), Kinds: known(t), Given: given})
}

// names returns what the samples are called.
func names(set *sample.Set) []string {
	var all []string
	for _, s := range probe.Samples(set.Requests) {
		all = append(all, s.Name)
	}
	return all
}

// collection finds out which samples visit which webhooks.
func collection(t testing.TB, c sample.Config, set *sample.Set) *probe.Collection {
	t.Helper()
	around, err := source.FixedNamespaces(set.Namespaces...)
	if err != nil {
		t.Fatal(err)
	}
	collection, err := probe.New(t.Context(), probe.Config{
		Configurations: c.Configurations, Samples: probe.Samples(set.Requests),
		Objects: c.Kinds.ObjectInterfaces(), Namespaces: around,
	})
	if err != nil {
		t.Fatal(err)
	}
	return collection
}
