package policies_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	extensionsscheme "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/scheme"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	extensionsopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/client-go/discovery"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	clientopenapi "k8s.io/client-go/openapi"
	"k8s.io/client-go/openapi/openapitest"
	"k8s.io/client-go/restmapper"
	"k8s.io/kube-openapi/pkg/common"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/apiserver/openapi"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/typecheck"
)

// gadgets has the types that schemas can have, and a version without a schema.
const gadgets = `
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gadgets, singular: gadget, kind: Gadget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            properties:
              most: {type: integer, default: 3}
              share: {type: number}
              on: {type: boolean}
              port: {x-kubernetes-int-or-string: true}
              since: {type: string, format: date-time}
              every: {type: string, format: duration}
              data: {type: string, format: byte}
              color: {type: string, enum: [red, blue]}
              open: {type: object, x-kubernetes-preserve-unknown-fields: true}
              any: {x-kubernetes-preserve-unknown-fields: true}
              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, in: {type: string}}}
              tags: {type: object, additionalProperties: {type: string}}
              __odd-name: {type: string}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v3, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
`

// typedRules are the rules of policies: each has one, two or many kinds.
var typedRules = []registrationv1.Rule{
	{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"deployments"}},
	{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"statefulsets", "deployments", "deployments/scale"}},
	{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods", "services", "pods/exec"}},
	{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"Pod", "ConfigMaps", "deployments"}},
	{APIGroups: []string{"", "events.k8s.io"}, APIVersions: []string{"v1"}, Resources: []string{"events"}},
	{APIGroups: []string{"autoscaling"}, APIVersions: []string{"v1", "v2"}, Resources: []string{"horizontalpodautoscalers"}},
	{APIGroups: []string{"example.com"}, APIVersions: []string{"v1"}, Resources: []string{"gadgets"}},
	{APIGroups: []string{"example.com"}, APIVersions: []string{"v3", "v2", "v1"}, Resources: []string{"gadget", "widgets"}},
	{APIGroups: []string{"scheduling.k8s.io"}, APIVersions: []string{"v1alpha3", "v1"}, Resources: []string{"podgroups", "priorityclasses"}},
	{APIGroups: []string{"apiextensions.k8s.io"}, APIVersions: []string{"v1"}, Resources: []string{"customresourcedefinitions"}},
	{APIGroups: []string{"", "apps", "batch"}, APIVersions: []string{"v1"}, Resources: []string{"pods", "nodes", "secrets", "jobs",
		"cronjobs", "deployments", "daemonsets", "replicasets", "statefulsets", "services", "configmaps"}},
	{APIGroups: []string{"*"}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
	{APIGroups: []string{"apps"}, APIVersions: []string{"*"}, Resources: []string{"deployments"}},
	{APIGroups: []string{"apps"}, APIVersions: []string{"v1"}, Resources: []string{"*"}},
	{APIGroups: []string{"unknown.example.com"}, APIVersions: []string{"v1"}, Resources: []string{"deployments"}},
}

var typedParams = []registrationv1.ParamKind{
	{APIVersion: "v1", Kind: "ConfigMap"}, {APIVersion: "example.com/v1", Kind: "Gadget"},
	{APIVersion: "example.com/v3", Kind: "Gadget"}, {APIVersion: "apps/v1", Kind: "Deployment"},
	{APIVersion: "example.com/v1", Kind: "Unknown"}, {APIVersion: "a/b/c", Kind: "Broken"},
}

// typedExpressions are added to those of the other tests.
var typedExpressions = []string{
	"object.foo", "object.metadata.foo == 1", "object.spec.replicas > '1'", "object.spec.replicas > 1",
	"object.spec == 1", "object == params", "object.metadata == oldObject.metadata", "object.metadata.labels.foo == 2",
	"object.spec.template.spec.containers.all(c, c.image == 1)", "object.spec.containers.exists(c, c.foo == '')",
	"object.spec.template.spec.containers[0].resources.limits['cpu'] == '1'", "object.spec.template.spec.volumes == request",
	"object.metadata.creationTimestamp > timestamp('2026-01-01T00:00:00Z')", "object.metadata.creationTimestamp == ''",
	"object.spec.strategy.rollingUpdate.maxSurge == 1", "object.spec.ports[0].targetPort == 'a'", "object.data.foo == b'1'",
	"object.spec.most == 'a'", "object.spec.share == 1", "object.spec.since == 'a'", "object.spec.every == 1",
	"object.spec.data == ''", "object.spec.open.foo == 1", "object.spec.any == 1", "object.spec.template.spec == 1",
	"object.spec.template.metadata.name == 1", "object.spec.template.metadata.labels == 1", "object.spec.template.kind == 1", "object.spec.parts.all(p, p.__in__ == 1)", "object.spec.tags['a'] == 1",
	"object.spec.__underscores__odd__dash__name == 1", "object.spec.color == 1", "has(object.spec.missing)",
	"object.?spec.?missing.orValue('') == ''", "oldObject.kind == 1", "object.apiVersion == 1", "object.metadata.managedFields[0].fieldsV1.foo == 1",
	"object.spec.versions[0].schema.openAPIV3Schema.properties['spec'].properties == 1", "object.spec.devices.requests[0].foo == 1",
	"params.foo", "params.data.most == 1", "params.spec.most == ''", "params.spec.replicas == ''", "params == 1",
	"variables.a == 1", "variables.b.foo == 1", "variables.c", "variables.missing", "variables == 1", "request.foo", "request.name == 1",
	"namespaceObject.metadata.foo", "authorizer.foo()", "authorizer.group('').resource('pods').check('get').allowed()",
	"object.spec.replicas + ", "foo", "1", "'a' + 1", "object.spec.x.y.z", "quantity('1') == object.spec.most", "[1, 'a'] == object",
}

// TestTypeChecking compares the warnings of policies with those that
// kube-controller-manager writes into their status.
func TestTypeChecking(t *testing.T) {
	t.Parallel()
	custom := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict([]byte(gadgets), custom); err != nil {
		t.Fatal(err)
	}
	ours, upstream := typecheck.New(), upstreamChecker(t, custom)
	if err := ours.AddCRD(custom); err != nil {
		t.Fatal(err)
	}
	warned, sound := 0, 0
	compare := func(p *registrationv1.ValidatingAdmissionPolicy) {
		want, got := upstream.Check(p), ours.Check(p)
		if diff := cmp.Diff(withoutTypeNames(want), withoutTypeNames(got)); diff != "" {
			text, _ := yaml.Marshal(p.Spec)
			t.Fatalf("warnings (-upstream +ours):\n%s\n%s", diff, text)
		}
		warned += len(got)
		sound += len(p.Spec.Validations)*2 - len(got)
	}
	for _, resource := range []string{"gadgets", "deployments"} {
		compare(everyExpression(resource))
	}
	random := rand.New(rand.NewPCG(1, 2))
	one := func(all []string) string { return all[random.IntN(len(all))] }
	for range 50 {
		p := &registrationv1.ValidatingAdmissionPolicy{}
		p.Spec.MatchConstraints = &registrationv1.MatchResources{}
		for range 1 + random.IntN(2) {
			rule := typedRules[random.IntN(len(typedRules))]
			p.Spec.MatchConstraints.ResourceRules = append(p.Spec.MatchConstraints.ResourceRules,
				registrationv1.NamedRuleWithOperations{RuleWithOperations: registrationv1.RuleWithOperations{Rule: rule}})
		}
		if random.IntN(2) == 0 {
			p.Spec.ParamKind = &typedParams[random.IntN(len(typedParams))]
		}
		for _, name := range []string{"a", "b", "c"}[:random.IntN(4)] {
			p.Spec.Variables = append(p.Spec.Variables, registrationv1.Variable{Name: name, Expression: one(typedExpressions)})
		}
		for range 3 {
			p.Spec.Validations = append(p.Spec.Validations, registrationv1.Validation{
				Expression: one(typedExpressions), MessageExpression: one(append(slices.Clone(typedExpressions), "", ""))})
		}
		compare(p)
	}
	t.Logf("%d expressions with warnings, %d without", warned, sound)
	if warned < 100 || sound < 40 {
		t.Error("the policies do not test enough")
	}
}

// everyExpression returns a policy with all expressions for a resource.
func everyExpression(resource string) *registrationv1.ValidatingAdmissionPolicy {
	p := &registrationv1.ValidatingAdmissionPolicy{}
	p.Spec.MatchConstraints = &registrationv1.MatchResources{ResourceRules: []registrationv1.NamedRuleWithOperations{{
		RuleWithOperations: registrationv1.RuleWithOperations{Rule: registrationv1.Rule{
			APIGroups: []string{"apps", "example.com"}, APIVersions: []string{"v1"}, Resources: []string{resource}}}}}}
	p.Spec.ParamKind = &typedParams[1]
	p.Spec.Variables = []registrationv1.Variable{{Name: "a", Expression: "object.metadata.name"}, {Name: "b", Expression: "object.spec"}}
	for _, e := range typedExpressions {
		p.Spec.Validations = append(p.Spec.Validations, registrationv1.Validation{Expression: e})
	}
	return p
}

// typeName is the name of a type: a kind with a random number, or the kind after
// its group and version.
var typeName = regexp.MustCompile(`\b([A-Z][A-Za-z]*)\d+\b|\b(?:[a-z][a-z0-9.]*\.)?v\d\w*\.([A-Z]\w*)`)

// withoutTypeNames leaves the kinds in the names of types.
func withoutTypeNames(warnings []registrationv1.ExpressionWarning) []registrationv1.ExpressionWarning {
	var all []registrationv1.ExpressionWarning
	for _, w := range warnings {
		w.Warning = typeName.ReplaceAllString(w.Warning, "$1$2")
		all = append(all, w)
	}
	return all
}

// upstreamChecker is that of kube-controller-manager, with the definitions of the
// kinds that gatehouse serve has, and the document that a server publishes for the
// custom kind.
func upstreamChecker(t *testing.T, custom *apiextensionsv1.CustomResourceDefinition) *validating.TypeChecker {
	t.Helper()
	known := kinds.New()
	if err := known.AddCRD(custom); err != nil {
		t.Fatal(err)
	}
	documents := openapitest.NewFakeClient()
	for _, v := range custom.Spec.Versions {
		if !v.Served {
			continue
		}
		document, err := builder.BuildOpenAPIV3(custom, v.Name, builder.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		documents.PathsMap["apis/example.com/"+v.Name] = document3(text)
	}
	definitions := resolver.NewDefinitionsSchemaResolver(func(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
		all := openapi.GetOpenAPIDefinitions(ref)
		maps.Copy(all, extensionsopenapi.GetOpenAPIDefinitions(ref))
		return all
	}, clientscheme.Scheme, extensionsscheme.Scheme)
	return &validating.TypeChecker{
		SchemaResolver: definitions.Combine(&resolver.ClientDiscoveryResolver{Discovery: &documented{openapi: documents}}),
		RestMapper:     restmapper.NewDiscoveryRESTMapper(groupResources(known)),
	}
}

// document3 is a document that does not change.
type document3 []byte

func (d document3) Schema(string) ([]byte, error) { return d, nil }

func (document3) ServerRelativeURL() string { return "unchanged" }

// documented is a server with documents only.
type documented struct {
	discovery.DiscoveryInterface
	openapi clientopenapi.Client
}

func (d *documented) OpenAPIV3() clientopenapi.Client { return d.openapi }

// groupResources is what discovery says of the kinds.
func groupResources(known *kinds.Registry) []*restmapper.APIGroupResources {
	var all []*restmapper.APIGroupResources
	groups := map[string]*restmapper.APIGroupResources{}
	for at := range known.Resources() {
		g := groups[at.Group]
		if g == nil {
			g = &restmapper.APIGroupResources{Group: metav1.APIGroup{Name: at.Group},
				VersionedResources: map[string][]metav1.APIResource{}}
			groups[at.Group] = g
			all = append(all, g)
		}
		if g.VersionedResources[at.Version] == nil {
			g.Group.Versions = append(g.Group.Versions, metav1.GroupVersionForDiscovery{
				GroupVersion: schema.GroupVersion{Group: at.Group, Version: at.Version}.String(), Version: at.Version})
		}
		g.VersionedResources[at.Version] = append(g.VersionedResources[at.Version], metav1.APIResource{
			Name: at.Resource, SingularName: strings.ToLower(at.Kind.Kind), Kind: at.Kind.Kind, Namespaced: at.Namespaced})
	}
	return all
}
