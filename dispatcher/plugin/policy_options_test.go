package plugin_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	clienttesting "k8s.io/client-go/testing"

	policyregistration "example.com/gatehouse/admission/registration/policy"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// onScalers are two mutating policies with their bindings, for the namespaces of a
// team. Each sees its version of HorizontalPodAutoscalers, and adds its name as a label.
func onScalers() []runtime.Object {
	var all []runtime.Object
	for _, version := range []string{"v1", "v2"} {
		meta := metav1.ObjectMeta{Name: version}
		p := &registrationv1.MutatingAdmissionPolicy{ObjectMeta: meta, Spec: registrationv1.MutatingAdmissionPolicySpec{
			MatchConstraints: &registrationv1.MatchResources{
				NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}},
				ResourceRules: []registrationv1.NamedRuleWithOperations{{RuleWithOperations: registrationv1.RuleWithOperations{
					Operations: []registrationv1.OperationType{registrationv1.Create},
					Rule:       registrationv1.Rule{APIGroups: []string{"autoscaling"}, APIVersions: []string{version}, Resources: []string{"*"}},
				}}},
			},
			ReinvocationPolicy: registrationv1.NeverReinvocationPolicy,
			Mutations: []registrationv1.Mutation{{
				PatchType: registrationv1.PatchTypeJSONPatch,
				JSONPatch: &registrationv1.JSONPatch{Expression: `[JSONPatch{op: "add", path: "/metadata/labels/` + version + `", value: "yes"}]`},
			}},
		}}
		policyregistration.Default(p)
		all = append(all, p, &registrationv1.MutatingAdmissionPolicyBinding{
			ObjectMeta: meta, Spec: registrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: version},
		})
	}
	return all
}

// scaler is the creation of a HorizontalPodAutoscaler.
func scaler(namespace string) apiadmission.Attributes {
	kind := autoscalingv1.SchemeGroupVersion.WithKind("HorizontalPodAutoscaler")
	object := &autoscalingv1.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: kind.Kind},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace, Labels: map[string]string{"app": "web"}},
	}
	return apiadmission.NewAttributesRecord(object, nil, kind, namespace, object.Name,
		autoscalingv1.SchemeGroupVersion.WithResource("horizontalpodautoscalers"), "", apiadmission.Create,
		&metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "kim"})
}

// policyOptionRow is a request and what a server has set.
type policyOptionRow struct {
	row
	options   []plugin.Option
	excluded  []schema.GroupResource
	namespace string
	// labels are those that the policies add.
	labels map[string]string
}

// TestPolicyOptions sends a request through the mutating policies, which the options
// and the host have set up.
func TestPolicyOptions(t *testing.T) {
	t.Parallel()
	both, none := map[string]string{"app": "web", "v1": "yes", "v2": "yes"}, map[string]string{"app": "web"}
	testtable.Run(t, []policyOptionRow{{
		row:       row{"default", "policies with different versions see each other's changes"},
		namespace: "shop", labels: both,
	}, {
		row:       row{"exact", "only the changes of the last version are kept (kubernetes#142055)"},
		namespace: "shop", options: []plugin.Option{plugin.WithExact()},
		labels: map[string]string{"app": "web", "v2": "yes"},
	}, {
		row:       row{"excluded", "S-010: no policy sees the request"},
		namespace: "shop", excluded: []schema.GroupResource{{Group: "autoscaling", Resource: "horizontalpodautoscalers"}},
		labels: none,
	}, {
		row:       row{"another group is excluded", "S-011: the group counts"},
		namespace: "shop", excluded: []schema.GroupResource{{Resource: "horizontalpodautoscalers"}}, labels: both,
	}, {
		row:       row{"new namespace", "the API server has it, the informer does not have it yet"},
		namespace: "new", labels: both,
	}}, func(t *testing.T, tc policyOptionRow) {
		h, initializers := policyHost(t, onScalers()...)
		h.kube.PrependReactor("get", "namespaces", func(action clienttesting.Action) (bool, runtime.Object, error) {
			return action.(clienttesting.GetAction).GetName() == "new",
				&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "new", Labels: map[string]string{"team": "a"}}}, nil
		})
		plugins := apiadmission.NewPlugins()
		plugin.Register(plugins, append(tc.options, plugin.WithPolicies())...)
		p, err := plugins.InitPlugin(plugin.MutatingPolicyName, nil, append(initializers, excluding(tc.excluded)))
		if err != nil {
			t.Fatal(err)
		}
		h.start(t)
		a := scaler(tc.namespace)
		if err := p.(apiadmission.MutationInterface).Admit(t.Context(), a, kinds.New().ObjectInterfaces()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.labels, a.GetObject().(*autoscalingv1.HorizontalPodAutoscaler).Labels); diff != "" {
			t.Errorf("labels (-want +got):\n%s", diff)
		}
	})
}
