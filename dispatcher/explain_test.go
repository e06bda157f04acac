package dispatcher_test

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/testutil/testtable"
)

// missRow is a request that a webhook nearly gets to see: with what the
// explanation has to say about it, and with what helps. It is the creation of
// the pod "web" in the namespace "shop", for a validating webhook that asks for
// the creation of pods.
type missRow struct {
	row
	hook func(*admission.Webhook)
	ask  func(*admission.Request)
	// more changes the testRequest, in which others may come before and after
	// the webhook.
	more func(*testRequest)
	// round is the mutating round that it is about.
	round int

	stage, hint string
	// helps is a change after which the webhook is called: what the hint says,
	// so that no hint is given that does not help. It is nil if nothing does.
	helps func(*admission.Webhook, *admission.Request)
}

// explained runs the row, with what helps or without, and returns what there is
// to say about its webhook and how often it was called.
func (tc *missRow) explained(t *testing.T, helped bool) (w *explain.Webhook, asked int) {
	t.Helper()
	h := hook(admission.Validating, hookName, asksFor("CREATE", "", "v1", "pods"))
	r := creation(pod("app", "web"))
	apply(tc.hook, h)
	apply(tc.ask, r)
	if helped {
		tc.helps(h, r)
	}
	s := &testRequest{webhooks: []*admission.Webhook{h}, backends: backends{}, objects: workloads()}
	s.config = func(c *dispatcher.Config) {
		c.Namespaces = namespaces{"shop": {"env": "test", "Injection": "enabled"}}
	}
	apply(tc.more, s)
	s.backends[hookName] = allow()
	got := s.simulate(t, r)
	e := explain.Response(got)
	if len(e.Problems) > 0 {
		t.Errorf("problems: %q", e.Problems)
	}
	for i := range got.Calls {
		if c := &got.Calls[i]; c.Webhook.Name == hookName && c.Round == tc.round {
			asked++
		}
	}
	return webhookIn(t, e, h.Phase, tc.round), asked
}

func apply[T any](edit func(*T), to *T) {
	if edit != nil {
		edit(to)
	}
}

// webhookIn finds the webhook of the tests.
func webhookIn(t *testing.T, e *explain.Explanation, phase admission.Phase, round int) *explain.Webhook {
	t.Helper()
	for i := range e.Rounds {
		r := &e.Rounds[i]
		for j := range r.Webhooks {
			if w := &r.Webhooks[j]; w.Name == hookName && r.Phase == phase.String() && r.Round == round {
				return w
			}
		}
	}
	t.Fatalf("the explanation does not mention the webhook in round %d: %+v", round, e)
	return nil
}

func TestExplainNearMisses(t *testing.T) {
	t.Parallel()
	rows := missRows()
	const atLeast = 40
	if len(rows) < atLeast {
		t.Errorf("%d rows, want %d", len(rows), atLeast)
	}
	testtable.Run(t, rows, func(t *testing.T, tc missRow) {
		w, asked := tc.explained(t, false)
		if w.Called || asked != 0 {
			t.Fatalf("called: the explanation says %v, asked %d times", w.Called, asked)
		}
		if w.Stage != tc.stage || w.Hint != tc.hint {
			t.Errorf("got  %s: %s\nwant %s: %s", w.Stage, w.Hint, tc.stage, tc.hint)
		}
		if w.Reason == "" || strings.Contains(w.Reason, "not known") {
			t.Errorf("reason %q", w.Reason)
		}
		if tc.helps == nil {
			return
		}
		if w, asked := tc.explained(t, true); !w.Called || asked != 1 || w.Reason != "" || w.Hint != "" {
			t.Errorf("after what the hint says: called %v, asked %d times, stage %s, reason %q, hint %q, error %q",
				w.Called, asked, w.Stage, w.Reason, w.Hint, w.Error)
		}
	})
}

// asksFor makes a webhook ask for one operation on resources.
func asksFor(operation, group, version string, resources ...string) func(*admission.Webhook) {
	return func(w *admission.Webhook) {
		w.Rules = []registrationv1.RuleWithOperations{ruleFor(operation, group, version, resources...)}
	}
}

func ruleFor(operation, group, version string, resources ...string) registrationv1.RuleWithOperations {
	return registrationv1.RuleWithOperations{
		Operations: []registrationv1.OperationType{registrationv1.OperationType(operation)},
		Rule:       registrationv1.Rule{APIGroups: []string{group}, APIVersions: []string{version}, Resources: resources},
	}
}

// fixes is a change of the webhook that helps.
func fixes(edits ...func(*admission.Webhook)) func(*admission.Webhook, *admission.Request) {
	return func(w *admission.Webhook, _ *admission.Request) {
		for _, edit := range edits {
			edit(w)
		}
	}
}

// deploying is a request for a deployment, or for what is below one.
func deploying(operation admissionv1.Operation, subresource string) func(*admission.Request) {
	return func(r *admission.Request) {
		gv := schema.GroupVersion{Group: "apps", Version: "v1"}
		r.Operation, r.Resource, r.Kind, r.Subresource = operation, gv.WithResource("deployments"), gv.WithKind("Deployment"), subresource
		if subresource == "scale" {
			r.Kind = schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
		}
		r.Object = custom(r.Kind, nil)
		if operation == admissionv1.Update {
			r.OldObject = custom(r.Kind, nil)
		}
	}
}

// executing is kubectl exec.
func executing(r *admission.Request) {
	r.Operation, r.Subresource = admissionv1.Connect, "exec"
	r.Kind, r.Object = corev1.SchemeGroupVersion.WithKind("PodExecOptions"), execOptions()
}

// custom is an object of a kind that no scheme knows.
func custom(kind schema.GroupVersionKind, labels map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "web", "labels": labels}}}
	u.SetGroupVersionKind(kind)
	return u
}

// workloads know deployments in two versions of apps, and what podScheme knows.
func workloads() apiadmission.ObjectInterfaces {
	s := podScheme()
	mapper := runtime.NewEquivalentResourceRegistry()
	for _, version := range []string{"v1", "v1beta1"} {
		gv := schema.GroupVersion{Group: "apps", Version: version}
		mapper.RegisterKindFor(gv.WithResource("deployments"), "", gv.WithKind("Deployment"))
	}
	c := customs{s}
	return &apiadmission.RuntimeObjectInterfaces{
		ObjectCreater: c, ObjectTyper: s, ObjectDefaulter: s, ObjectConvertor: c, EquivalentResourceMapper: mapper,
	}
}

// customs make objects that the scheme does not know, and convert them by
// renaming their version.
type customs struct{ *runtime.Scheme }

func (c customs) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	if c.Recognizes(kind) {
		return c.Scheme.New(kind)
	}
	return custom(kind, nil), nil
}

func (c customs) Convert(in, out, context any) error {
	from, ok := in.(*unstructured.Unstructured)
	if !ok {
		return c.Scheme.Convert(in, out, context)
	}
	out.(*unstructured.Unstructured).Object = from.DeepCopy().Object
	return nil
}
