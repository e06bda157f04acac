package main

import (
	"context"
	"fmt"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/client-go/applyconfigurations"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/offline/kinds"
	offline "example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/test/internal/parity/policies"
)

func policyRows() []row {
	return []row{
		{
			name: "B11", what: "1,000 validating policies, none of which matches a pod",
			gates: []bound{{timePerOp, timesBetter, 100}},
			open: openPolicies(validate, func(s *settings) []runtime.Object {
				return validatingPolicies(s.policies, otherResource)
			}),
		},
		{
			name: "B11/mutating", what: "1,000 mutating policies, none of which matches a pod",
			gates: []bound{{timePerOp, timesBetter, 100}},
			open: openPolicies(admit, func(s *settings) []runtime.Object {
				return mutatingPolicies(s.policies, otherResource)
			}),
		},
		{
			name: "B11/20", what: "20 validating policies, with an expression and a variable each, all of which admit a pod",
			gates: []bound{{timePerOp, timesBetter, 1}},
			open: openPolicies(validate, func(*settings) []runtime.Object {
				return validatingPolicies(matchingPolicies, "pods")
			}),
		},
		{
			name: "B11/20/mutating", what: "20 mutating policies that add a label each, half of them with a JSON patch",
			gates: []bound{{timePerOp, timesBetter, 0.7}, {allocsPerOp, timesBetter, 0.99}},
			goals: []bound{{timePerOp, timesBetter, 1}},
			open: openPolicies(admit, func(*settings) []runtime.Object {
				return mutatingPolicies(matchingPolicies, "pods")
			}),
		},
		{
			name: "B11/first", what: "from 10 policies in YAML, half of them mutating, to the first verdict",
			gates: []bound{{timePerOp, atMost, float64(100 * time.Millisecond)}},
			goals: []bound{{timePerOp, atMost, float64(60 * time.Millisecond)}},
			open:  openFirstPolicies,
		},
	}
}

// otherResource is a resource that no row is about.
const otherResource, matchingPolicies = "secrets", 20

// openPolicies opens a row about policies: those of kube-apiserver's plugins,
// and gatehouse's dispatcher without webhooks.
func openPolicies(
	enter enter, make func(*settings) []runtime.Object,
) func(context.Context, *settings) (*bench, error) {
	return func(ctx context.Context, s *settings) (*bench, error) {
		ctx, stop := context.WithCancel(ctx)
		shared, err := policies.Share()
		if err != nil {
			stop()
			return nil, err
		}
		end := func() {
			stop()
			_ = shared.Close() // no row uses its server
		}
		p, err := startPolicies(ctx, shared, make(s), enter)
		if err != nil {
			end()
			return nil, err
		}
		m, err := newMeter(ctx, s.span, p.lanes, both())
		if err != nil {
			end()
			return nil, err
		}
		return &bench{sides: both(), close: end,
			measure: func(ctx context.Context, one side) (sample, error) {
				return m.measure(ctx, p.lanes[one])
			}}, nil
	}
}

// startPolicies starts both sides and checks that they do the same.
func startPolicies(
	ctx context.Context, shared *policies.Shared, all []runtime.Object, enter enter,
) (*openWorkload, error) {
	world := &policies.World{Policies: all, Namespaces: []*corev1.Namespace{home()}}
	sides, err := world.Start(ctx, shared)
	if err != nil {
		return nil, err
	}
	work := &workload{request: creating(newPod(), podEndpoint()), enter: enter}
	p := &openWorkload{lanes: map[side]*lane{}}
	theirs, ours := &chain{}, &chain{}
	theirs.mutating, theirs.validating = sides.UpstreamPolicies()
	ours.mutating, ours.validating = sides.Gatehouse()
	for s, c := range map[side]*chain{upstream: theirs, gatehouse: ours} {
		p.lanes[s] = &lane{side: s, chain: c, recorder: newMemory(nil, 0), work: work}
	}
	return p, p.check(ctx)
}

func validatingPolicies(count int, resource string) (all []runtime.Object) {
	for i := range count {
		name := fmt.Sprintf("validating-%04d", i)
		all = append(all, &registrationv1.ValidatingAdmissionPolicy{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: registrationv1.ValidatingAdmissionPolicySpec{
				MatchConstraints: policyConstraints(resource),
				Variables: []registrationv1.Variable{
					{Name: "containers", Expression: "object.spec.containers"}},
				Validations: []registrationv1.Validation{{
					Expression: fmt.Sprintf("variables.containers.all(c, c.image != 'image-%d')", i)}},
			},
		}, &registrationv1.ValidatingAdmissionPolicyBinding{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: registrationv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name,
				ValidationActions: []registrationv1.ValidationAction{registrationv1.Deny}},
		})
	}
	return all
}

func mutatingPolicies(count int, resource string) (all []runtime.Object) {
	for i := range count {
		name := fmt.Sprintf("mutating-%04d", i)
		add := fmt.Sprintf("[JSONPatch{op: 'add', path: '/metadata/labels/l%d', value: 'yes'}]", i)
		m := registrationv1.Mutation{PatchType: registrationv1.PatchTypeJSONPatch,
			JSONPatch: &registrationv1.JSONPatch{Expression: add}}
		if i%2 == 0 {
			m = registrationv1.Mutation{PatchType: registrationv1.PatchTypeApplyConfiguration,
				ApplyConfiguration: &registrationv1.ApplyConfiguration{
					Expression: fmt.Sprintf("Object{metadata: Object.metadata{labels: {'l%d': 'yes'}}}", i)}}
		}
		all = append(all, &registrationv1.MutatingAdmissionPolicy{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: registrationv1.MutatingAdmissionPolicySpec{
				MatchConstraints: policyConstraints(resource), Mutations: []registrationv1.Mutation{m},
				ReinvocationPolicy: registrationv1.NeverReinvocationPolicy,
			},
		}, &registrationv1.MutatingAdmissionPolicyBinding{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec:       registrationv1.MutatingAdmissionPolicyBindingSpec{PolicyName: name},
		})
	}
	return all
}

func policyConstraints(resource string) *registrationv1.MatchResources {
	return &registrationv1.MatchResources{
		NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
		MatchPolicy: new(registrationv1.Equivalent),
		ResourceRules: []registrationv1.NamedRuleWithOperations{{
			RuleWithOperations: creation(endpoint{podEndpoint().kind, resource})}},
	}
}

// openFirstPolicies is a bench of evaluators that are made for one request.
func openFirstPolicies(ctx context.Context, s *settings) (*bench, error) {
	const half = 5
	var texts [][]byte
	for _, o := range append(validatingPolicies(half, "pods"), mutatingPolicies(half, "pods")...) {
		kind, err := kindOf(o)
		if err != nil {
			return nil, err
		}
		o.GetObjectKind().SetGroupVersionKind(kind)
		text, err := yaml.Marshal(o)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	request := creating(newPod(), podEndpoint())
	begin := func() (batch, error) {
		r := request()
		return timedStep(func() error { return firstVerdict(ctx, texts, r) })
	}
	return alone(
		func(context.Context) (sample, error) { return repeat(s.span, begin) },
		func() {},
	), nil
}

func kindOf(o runtime.Object) (schema.GroupVersionKind, error) {
	all, _, err := kubernetesscheme.Scheme.ObjectKinds(o)
	if err != nil {
		return schema.GroupVersionKind{}, err
	}
	return all[0], nil
}

// firstVerdict reads policies and runs a request through them.
func firstVerdict(ctx context.Context, texts [][]byte, r request) error {
	in := &offline.Inputs{AnyNamespace: true, Kinds: kinds.New(),
		Authorizer: authorizerfactory.NewAlwaysAllowAuthorizer()}
	for _, text := range texts {
		content, err := yaml.YAMLToJSON(text)
		if err != nil {
			return err
		}
		o, problems := offline.Parse(content)
		if problems != nil {
			return problems[0]
		}
		in.Policies = append(in.Policies, o)
	}
	types := applyconfigurations.NewTypeConverter(kubernetesscheme.Scheme)
	in.Types = func(schema.GroupVersionKind) managedfields.TypeConverter { return types }
	e, err := offline.New(in)
	if err != nil {
		return err
	}
	if err := e.Admit(ctx, r.attributes, r.interfaces, nil); err != nil {
		return err
	}
	return e.Validate(ctx, r.attributes, r.interfaces, nil)
}
