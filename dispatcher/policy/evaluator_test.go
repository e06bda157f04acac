package policy_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/policy"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestNew names the field that is missing.
func TestNew(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		change func(*policy.Config)
		want   string
	}
	testtable.Run(t, []test{
		{testtable.Row{"source", "there are no policies without it"},
			func(c *policy.Config) { c.Source = nil }, "policy: Config.Source is required"},
		{testtable.Row{"namespaces", "selectors need them"},
			func(c *policy.Config) { c.Namespaces = nil }, "policy: Config.Namespaces is required"},
		{testtable.Row{"authorizer", "expressions may call it"},
			func(c *policy.Config) { c.Authorizer = nil }, "policy: Config.Authorizer is required"},
	}, func(t *testing.T, tc test) {
		config := policy.Config{
			Source: fixed{}, Namespaces: policy.NamespacesFunc(namespace), Authorizer: allowAll(),
		}
		tc.change(&config)
		if _, err := policy.New(config); testtable.Text(err) != tc.want {
			t.Errorf("%s: got %v", tc.Why(), err)
		}
	})
}

// TestNewSet refuses what is no policy.
func TestNewSet(t *testing.T) {
	t.Parallel()
	_, err := policy.NewSet(nil, &corev1.Pod{})
	if want := "object 1: *v1.Pod is neither a policy nor a binding"; testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// failing is a source that fails.
type failing struct{ err error }

func (f failing) Current(context.Context) (*policy.Set, error) { return nil, f.err }

// TestSource: the client learns why there are no policies.
func TestSource(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]string{
		dispatcher.ErrNotReady:   `pods "web" is forbidden: not yet ready to handle request`,
		errors.New("it is lost"): "Internal error occurred: it is lost",
	} {
		e := newEvaluator(t, func(c *policy.Config) { c.Source = failing{err} })
		for phase, run := range phases(e) {
			if got := run(t.Context(), pod(), objects(), nil); testtable.Text(got) != want {
				t.Errorf("%s: got %v, want %s", phase, got, want)
			}
		}
	}
}

type run func(
	context.Context, apiadmission.Attributes, apiadmission.ObjectInterfaces, dispatcher.PolicyRecorder) error

func phases(e *policy.Evaluator) map[string]run {
	return map[string]run{"mutating": e.Admit, "validating": e.Validate}
}

// TestExempt: policies do not see what configures them, and mutating ones no
// DELETE.
func TestExempt(t *testing.T) {
	t.Parallel()
	all := validating("deny-all", func(p *registrationv1.ValidatingAdmissionPolicy) {
		p.Spec.MatchConstraints = matching("*/*")
		p.Spec.Validations[0].Expression = "false"
	})
	all = append(all, mutating("fail-always", matching("*/*"), "[JSONPatch{op: 'add', path: '/unknown/x', value: 1}]")...)
	e := newEvaluator(t, nil, all...)
	denied := func(phase string, group, resource string, operation apiadmission.Operation) bool {
		kind := schema.GroupVersionKind{Group: group, Version: "v1", Kind: "Pod"}
		a := apiadmission.NewAttributesRecord(pod().GetObject(), pod().GetObject(), kind, shop.Name, "web",
			kind.GroupVersion().WithResource(resource), "", operation, &metav1.CreateOptions{}, false, pod().GetUserInfo())
		return phases(e)[phase](t.Context(), a, objects(), nil) != nil
	}
	type test struct {
		testtable.Row
		group, resource string
		operation       apiadmission.Operation
		want            string
	}
	testtable.Run(t, []test{
		{testtable.Row{"pods", "an ordinary resource"}, "", "pods", apiadmission.Create, "mutating validating"},
		{testtable.Row{"delete", "there is no object to change"}, "", "pods", apiadmission.Delete, "validating"},
		{testtable.Row{"policies", "a policy must not prevent its repair"},
			"admissionregistration.k8s.io", "validatingadmissionpolicies", apiadmission.Create, ""},
		{testtable.Row{"webhooks", "policies see the configurations of webhooks"},
			"admissionregistration.k8s.io", "validatingwebhookconfigurations", apiadmission.Create, "mutating validating"},
		{testtable.Row{"reviews", "they are excluded"}, "authentication.k8s.io", "tokenreviews", apiadmission.Create, ""},
	}, func(t *testing.T, tc test) {
		var got []string
		for _, phase := range []string{"mutating", "validating"} {
			if denied(phase, tc.group, tc.resource, tc.operation) {
				got = append(got, phase)
			}
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: denied while %v, want %q", tc.Why(), got, tc.want)
		}
	})
}

// TestNoSchema: a mutation of a kind without a schema ends the request, although the
// policy ignores failures.
func TestNoSchema(t *testing.T) {
	t.Parallel()
	ignoring := mutating("a", matching("pods"), labelling("first", "'yes'"))
	ignoring[0].(*registrationv1.MutatingAdmissionPolicy).Spec.FailurePolicy = new(registrationv1.Ignore)
	e := newEvaluator(t, func(c *policy.Config) { c.Types = nil }, ignoring...)
	if err := e.Admit(t.Context(), pod(), objects(), nil); !apierrors.IsServiceUnavailable(err) {
		t.Errorf("got %v", err)
	}
}

// TestVersions: policies that ask for different versions of an object. With
// Exact only the changes of the last one are kept (kubernetes#142055).
func TestVersions(t *testing.T) {
	t.Parallel()
	first := matching("horizontalpodautoscalers")
	second := matching("horizontalpodautoscalers")
	second.ResourceRules[0].APIVersions = []string{"v2"}
	second.MatchPolicy, first.MatchPolicy = new(registrationv1.Equivalent), new(registrationv1.Exact)
	all := slices.Concat(mutating("a-first", first, labelling("first", "'yes'")),
		mutating("b-second", second, labelling("second", "'yes'")))
	for exact, want := range map[bool]map[string]string{
		true:  {"app": "web", "second": "yes"},
		false: {"app": "web", "first": "yes", "second": "yes"},
	} {
		e := newEvaluator(t, func(c *policy.Config) { c.Exact = exact }, all...)
		a := creates(&autoscalingv1.HorizontalPodAutoscaler{
			TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v1", Kind: "HorizontalPodAutoscaler"},
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: shop.Name, Labels: map[string]string{"app": "web"}},
		}, autoscalingv1.SchemeGroupVersion.WithKind("HorizontalPodAutoscaler"), "horizontalpodautoscalers")
		if err := e.Admit(t.Context(), a, kinds.New().ObjectInterfaces(), nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, labelsOf(a.GetObject())); diff != "" {
			t.Errorf("exact %t (-want +got):\n%s", exact, diff)
		}
	}
}

func labelsOf(o runtime.Object) map[string]string { return o.(metav1.Object).GetLabels() }

// TestOrder: policies run by name, or in the order of Ordered.
func TestOrder(t *testing.T) {
	t.Parallel()
	set, err := policy.NewSet(nil, slices.Concat(
		mutating("b", matching("pods"), labelling("last", "'b'")),
		mutating("a", matching("pods"), labelling("last", "'a'")))...)
	if err != nil {
		t.Fatal(err)
	}
	backwards := set.Ordered(func(a, b string) int { return strings.Compare(b, a) })
	for want, set := range map[string]*policy.Set{"b": set, "a": backwards} {
		e := newEvaluator(t, func(c *policy.Config) { c.Source = fixed{set} })
		a := pod()
		if err := e.Admit(t.Context(), a, objects(), nil); err != nil {
			t.Fatal(err)
		}
		if got := labelsOf(a.GetObject())["last"]; got != want {
			t.Errorf("the last is %s, want %s", got, want)
		}
	}
	if got := strings.Join(set.Names(), " "); got != "a a-binding b b-binding" {
		t.Errorf("names: %s", got)
	}
}

// TestNoPolicies: a request costs no allocation if its phase has no policies.
func TestNoPolicies(t *testing.T) {
	e := newEvaluator(t, nil)
	ctx, a, o := t.Context(), pod(), objects()
	for phase, run := range phases(e) {
		if n := testing.AllocsPerRun(100, func() { _ = run(ctx, a, o, nil) }); n > 0 {
			t.Errorf("%s: %.0f allocations, want none", phase, n)
		}
	}
}
