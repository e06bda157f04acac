package plugin_test

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/kubernetes/scheme"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/plugin"
)

// panicking is an observer whose every method panics.
type panicking struct{}

func (panicking) RecordMatch(context.Context, *admission.Match) { panic("boom") }
func (panicking) RecordCall(context.Context, *admission.Call)   { panic("boom") }

// counting counts calls and their traces.
type counting struct{ calls, traces int }

func (*counting) RecordMatch(context.Context, *admission.Match) {}

func (c *counting) RecordCall(_ context.Context, call *admission.Call) {
	c.calls++
	if call.Trace != nil {
		c.traces++
	}
}

// recordedChain takes a request for a pod through all four plugins.
func recordedChain(t *testing.T, objects []runtime.Object, options ...plugin.Option) {
	t.Helper()
	h, initializers := policyHost(t, objects...)
	plugins := apiadmission.NewPlugins()
	plugin.Register(plugins, append(options, plugin.WithPolicies())...)
	chain, err := plugins.NewFromPlugins(policyNames(), noConfig{}, initializers, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.start(t)
	attributes, interfaces := creation(), apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	if err := chain.(apiadmission.MutationInterface).Admit(t.Context(), attributes, interfaces); err != nil {
		t.Fatal(err)
	}
	_ = chain.(apiadmission.ValidationInterface).Validate(t.Context(), attributes, interfaces) // the policy denies
}

// TestRecorder requires that one response has both phases of a request with
// traces and the labels of the namespace, beside any observer.
func TestRecorder(t *testing.T) {
	t.Parallel()
	objects := append(onPods(), configured(plugin.MutatingName, "m", backend(t, patches(`[{"op":"add","path":"/metadata/labels/shade","value":"dark"}]`))))
	for name, options := range map[string][]plugin.Option{
		"alone":             nil,
		"beside observer":   {plugin.WithObserver(&counting{})},
		"beside a panicker": {plugin.WithObserver(panicking{})},
	} {
		var responses []*admission.Response
		record := func(r *admission.Response) {
			responses = append(responses, r)
			panic("boom")
		}
		recordedChain(t, objects, append(options, plugin.WithRecorder(record))...)
		if len(responses) != 1 {
			t.Errorf("%s: %d responses, want 1", name, len(responses))
			continue
		}
		r := responses[0]
		if r.Status == nil || !strings.HasSuffix(r.Status.Message, "too blue") || len(r.Policies) != 3 {
			t.Errorf("%s: the response is %+v", name, r)
		}
		if len(r.Calls) != 1 || r.Calls[0].Trace == nil || !r.Calls[0].Changed {
			t.Errorf("%s: the calls are %+v", name, r.Calls)
		}
		if before, after := r.Request.Object.(*corev1.Pod), r.Object.(*corev1.Pod); before.Labels["color"] != "" || after.Labels["shade"] != "dark" {
			t.Errorf("%s: the labels were %v and are %v", name, before.Labels, after.Labels)
		}
		if r.NamespaceLabels["team"] != "a" {
			t.Errorf("%s: the labels of the namespace are %v", name, r.NamespaceLabels)
		}
	}
}

// TestRecorderTraces: the observer beside a recorder receives the traces.
func TestRecorderTraces(t *testing.T) {
	t.Parallel()
	objects := append(onPods(), configured(plugin.MutatingName, "m", backend(t, patches(`[]`))))
	observer := &counting{}
	recordedChain(t, objects, plugin.WithRecorder(func(*admission.Response) {}), plugin.WithObserver(observer))
	if observer.calls != 1 || observer.traces != 1 {
		t.Errorf("%d calls with %d traces, want 1 with 1", observer.calls, observer.traces)
	}
}
