package plugin_test

import (
	"slices"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/client-go/discovery"
	fakedynamic "k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/openapi"
	"k8s.io/client-go/openapi/openapitest"

	"example.com/gatehouse/admission"
	policyregistration "example.com/gatehouse/admission/registration/policy"
	"example.com/gatehouse/dispatcher/collector"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/testtable"
)

// documented is a client of a server that publishes OpenAPI documents, as
// client-go's fake does not.
type documented struct{ kubernetes.Interface }

func (d documented) Discovery() discovery.DiscoveryInterfaces {
	return documentedDiscovery{d.Interface.Discovery()}
}

type documentedDiscovery struct{ discovery.DiscoveryInterfaces }

func (documentedDiscovery) OpenAPIV3() openapi.Client {
	return documents{openapitest.NewEmbeddedFileClient()}
}

// documents adds documents without the kinds of autoscaling, which JSON patches do not
// need.
type documents struct{ openapi.Client }

func (d documents) Paths() (map[string]openapi.GroupVersion, error) {
	paths, err := d.Client.Paths()
	if err != nil {
		return nil, err
	}
	paths["apis/autoscaling/v1"], paths["apis/autoscaling/v2"] = paths["apis/apps/v1"], paths["apis/apps/v1"]
	return paths, nil
}

// policyNames are all plugins of WithPolicies, in kube-apiserver's order.
func policyNames() []string {
	return []string{plugin.MutatingPolicyName, plugin.MutatingName, plugin.ValidatingPolicyName, plugin.ValidatingName}
}

// onPods are a policy of each kind with its binding: one labels pods, the other
// denies those that have the label.
func onPods() []runtime.Object {
	pods := &registrationv1.MatchResources{ResourceRules: []registrationv1.NamedRuleWithOperations{{
		RuleWithOperations: registrationv1.RuleWithOperations{
			Operations: []registrationv1.OperationType{registrationv1.Create},
			Rule:       registrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
		},
	}}}
	meta := metav1.ObjectMeta{Name: "p"}
	objects := []policyregistration.Object{
		&registrationv1.MutatingAdmissionPolicy{ObjectMeta: meta, Spec: registrationv1.MutatingAdmissionPolicySpec{
			MatchConstraints: pods, ReinvocationPolicy: registrationv1.NeverReinvocationPolicy,
			Mutations: []registrationv1.Mutation{{
				PatchType:          registrationv1.PatchTypeApplyConfiguration,
				ApplyConfiguration: &registrationv1.ApplyConfiguration{Expression: `Object{metadata: Object.metadata{labels: Object.metadata.labels{color: "blue"}}}`},
			}},
		}},
		&registrationv1.MutatingAdmissionPolicyBinding{ObjectMeta: meta, Spec: registrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: "p"}},
		&registrationv1.ValidatingAdmissionPolicy{ObjectMeta: meta, Spec: registrationv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: pods,
			Validations:      []registrationv1.Validation{{Expression: `object.metadata.labels.color != "blue"`, Message: "too blue"}},
		}},
		&registrationv1.ValidatingAdmissionPolicyBinding{ObjectMeta: meta, Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: "p", ValidationActions: []registrationv1.ValidationAction{registrationv1.Deny},
		}},
	}
	var all []runtime.Object
	for _, o := range objects {
		policyregistration.Default(o)
		all = append(all, o)
	}
	return all
}

// policyHost is a host with a dynamic client and documents.
func policyHost(t *testing.T, objects ...runtime.Object) (*host, apiadmission.PluginInitializers) {
	drained := make(chan struct{})
	t.Cleanup(func() { close(drained) })
	h := &host{drained: drained, cluster: newCluster(objects...)}
	return h, apiadmission.PluginInitializers{initializer.New(documented{h.kube},
		fakedynamic.NewSimpleDynamicClient(runtime.NewScheme()), h.factory, deciding(0), gates(t, true), nil, drained, nil)}
}

// TestPolicyChain takes a request through all four plugins. The observer receives
// it as one response.
func TestPolicyChain(t *testing.T) {
	t.Parallel()
	h, initializers := policyHost(t, append(onPods(),
		configured(plugin.MutatingName, "m", backend(t, patches(`[{"op":"add","path":"/metadata/labels/shade","value":"dark"}]`))))...)
	var responses []*admission.Response
	observer := collector.New(collector.Config{Done: func(r *admission.Response) { responses = append(responses, r) }})
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins, plugin.WithPolicies(), plugin.WithObserver(observer))
	chain, err := plugins.NewFromPlugins(policyNames(), noConfig{}, initializers, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.start(t)
	attributes, objects := creation(), apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	if err := chain.(apiadmission.MutationInterface).Admit(t.Context(), attributes, objects); err != nil {
		t.Fatal(err)
	}
	if got := attributes.GetObject().(*corev1.Pod).Labels; got["color"] != "blue" || got["shade"] != "dark" {
		t.Errorf("the pod has the labels %v", got)
	}
	err = chain.(apiadmission.ValidationInterface).Validate(t.Context(), attributes, objects)
	if got := testtable.Text(err); !strings.HasSuffix(got, "ValidatingAdmissionPolicy 'p' with binding 'p' denied request: too blue") {
		t.Errorf("got %q", got)
	}
	if len(responses) != 1 || responses[0].Status == nil || len(responses[0].Policies) != 3 || len(responses[0].Calls) != 1 {
		t.Errorf("the observer received %+v", responses)
	}
}

// TestPoliciesAreAnOption: k8s.io/apiserver's plugins have the same names.
func TestPoliciesAreAnOption(t *testing.T) {
	t.Parallel()
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins)
	if got := plugins.Registered(); slices.Contains(got, plugin.MutatingPolicyName) || slices.Contains(got, plugin.ValidatingPolicyName) {
		t.Errorf("without the option: %v", got)
	}
}

// TestPolicyConfiguration is refused with a folder, which would not be read.
func TestPolicyConfiguration(t *testing.T) {
	t.Parallel()
	for _, name := range []string{plugin.MutatingPolicyName, plugin.ValidatingPolicyName} {
		for field, want := range map[string]string{
			"":                         "",
			"staticManifestsDir: /tmp": "staticManifestsDir: gatehouse does not read policies from manifests",
			"staticManifestDir: /tmp":  `unknown field "staticManifestDir"`,
		} {
			_, initializers := policyHost(t)
			plugins := apiadmission.NewPlugins()
			plugin.Register(plugins, plugin.WithPolicies())
			config := "apiVersion: apiserver.config.k8s.io/v1\nkind: " + name + "Configuration\n" + field
			_, err := plugins.InitPlugin(name, strings.NewReader(config), initializers)
			if got := testtable.Text(err); !strings.Contains(got, want) || want == "" && err != nil {
				t.Errorf("%s: %s: got %q, want %q", name, field, got, want)
			}
		}
	}
}

// TestPolicyInitialization leaves out what one initializer sets. The errors are
// those of k8s.io/apiserver's plugins.
func TestPolicyInitialization(t *testing.T) {
	t.Parallel()
	h, _ := policyHost(t)
	steps := []struct {
		missing string
		set     speaker
	}{
		{"informer factory", func(p apiadmission.Interface) {
			p.(initializer.WantsExternalKubeInformerFactory).SetExternalKubeInformerFactory(h.factory)
		}},
		{"kubernetes client", func(p apiadmission.Interface) {
			p.(initializer.WantsExternalKubeClientSet).SetExternalKubeClientSet(h.kube)
		}},
		{"dynamic client", func(p apiadmission.Interface) {
			p.(initializer.WantsDynamicClient).SetDynamicClient(fakedynamic.NewSimpleDynamicClient(runtime.NewScheme()))
		}},
		{"stop channel", func(p apiadmission.Interface) {
			p.(initializer.WantsDrainedNotification).SetDrainedNotification(h.drained)
		}},
		{"authorizer", func(p apiadmission.Interface) {
			p.(initializer.WantsUnconditionalAuthorizer).SetUnconditionalAuthorizer(deciding(0))
		}},
	}
	for at := range steps {
		var others apiadmission.PluginInitializers
		for i, other := range steps {
			if i != at {
				others = append(others, other.set)
			}
		}
		plugins := apiadmission.NewPlugins()
		plugin.Register(plugins, plugin.WithPolicies())
		_, err := plugins.InitPlugin(plugin.ValidatingPolicyName, nil, others)
		want := `failed to initialize admission plugin "ValidatingAdmissionPolicy": missing ` + steps[at].missing
		if got := testtable.Text(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
