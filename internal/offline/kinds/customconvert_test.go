package kinds_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// answering is a convertor that answers in a fixed way.
type answering struct {
	runtime.ObjectConvertor
	answer func(runtime.Object, runtime.GroupVersioner) (runtime.Object, error)
}

func (a answering) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	return a.answer(in, target)
}

// connectable is gears with a webhook that can be connected to.
func connectable() *apiextensionsv1.CustomResourceDefinition {
	crd := gears()
	crd.Spec.Conversion.Webhook = &apiextensionsv1.WebhookConversion{
		ClientConfig:             &apiextensionsv1.WebhookClientConfig{Service: &apiextensionsv1.ServiceReference{Namespace: "a", Name: "b"}},
		ConversionReviewVersions: []string{"v1"},
	}
	return crd
}

func TestConversionWebhooks(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		crd     *apiextensionsv1.CustomResourceDefinition
		connect error
		answer  func(runtime.Object, runtime.GroupVersioner) (runtime.Object, error)
		want    string
	}
	become := func(kind string) func(runtime.Object, runtime.GroupVersioner) (runtime.Object, error) {
		return func(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
			u := in.(*unstructured.Unstructured)
			u.SetGroupVersionKind(gvk(kind))
			u.Object["spec"].(map[string]any)["size"] = target.Identifier()
			return u, nil
		}
	}
	rows := []test{
		{row{"good", "the webhook may do with the object what it likes"}, connectable(), nil, become("example.com/v2 Gear"), ""},
		{row{"rejected", "the error that clients of an API server see names one version at most"}, connectable(), nil,
			func(runtime.Object, runtime.GroupVersioner) (runtime.Object, error) {
				return nil, errors.New("conversion webhook for example.com/v1, Kind=Gear failed: no")
			}, "cannot convert example.com/v1 Gear to example.com/v2: the conversion webhook of the CustomResourceDefinition gears.example.com: conversion webhook for example.com/v1, Kind=Gear failed: no"},
		{row{"wrong version", "an object of another version than requested"}, connectable(), nil, become("example.com/v1 Gear"),
			"cannot convert example.com/v1 Gear to example.com/v2: the conversion webhook of the CustomResourceDefinition gears.example.com returned example.com/v1 Gear"},
		{row{"wrong kind", "of the right version"}, connectable(), nil, become("example.com/v2 Widget"),
			"cannot convert example.com/v1 Gear to example.com/v2: the conversion webhook of the CustomResourceDefinition gears.example.com returned example.com/v2 Widget"},
		{row{"typed", "custom objects have no Go type"}, connectable(), nil,
			func(runtime.Object, runtime.GroupVersioner) (runtime.Object, error) { return &corev1.Pod{}, nil },
			"cannot convert example.com/v1 Gear to example.com/v2: the conversion webhook of the CustomResourceDefinition gears.example.com returned a *v1.Pod"},
		{row{"unreachable", "nothing can be said before the first conversion"}, connectable(), errors.New("bad bundle"), nil,
			"cannot convert example.com/v1 Gear to example.com/v2: the conversion webhook of the CustomResourceDefinition gears.example.com cannot be called: bad bundle"},
		{row{"no webhook", "an API server would not have taken the definition"}, gears(), nil, nil,
			"cannot convert example.com/v1 Gear to example.com/v2: the conversion webhook of the CustomResourceDefinition gears.example.com cannot be called: spec.conversion.webhook.clientConfig is missing"},
	}
	testtable.Run(t, rows, func(t *testing.T, test test) {
		r := kinds.New(kinds.ConversionWebhooks(func(*apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
			return answering{answer: test.answer}, test.connect
		}))
		if err := r.AddCRD(test.crd); err != nil {
			t.Fatal(err)
		}
		in, out := custom("example.com/v1 Gear"), &unstructured.Unstructured{}
		out.SetGroupVersionKind(gvk("example.com/v2 Gear"))
		want := out.DeepCopy()
		if test.want == "" {
			want = custom("example.com/v2 Gear")
			want.Object["spec"] = map[string]any{"size": gvk("example.com/v2 Gear").GroupVersion().Identifier()}
		}
		err := r.ObjectInterfaces().GetObjectConvertor().Convert(in, out, nil)
		if testtable.Text(err) != test.want {
			t.Errorf("\n got %v\nwant %s", err, test.want)
		}
		if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("the target (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(custom("example.com/v1 Gear"), in); diff != "" {
			t.Errorf("the source was modified (-before +after):\n%s", diff)
		}
	})
}

// TestConversionWebhookIsConnectedOnce converts a lot at a time.
func TestConversionWebhookIsConnectedOnce(t *testing.T) {
	t.Parallel()
	var connected, converted atomic.Int32
	original := connectable()
	r := kinds.New(kinds.ConversionWebhooks(func(crd *apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
		connected.Add(1)
		if port := crd.Spec.Conversion.Webhook.ClientConfig.Service.Port; port == nil || *port != 443 {
			t.Errorf("the definition is not defaulted: the port is %v", port)
		}
		crd.Name = "changed"
		return answering{answer: func(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
			converted.Add(1)
			in.GetObjectKind().SetGroupVersionKind(gvk("example.com/v2 Gear"))
			return in, nil
		}}, nil
	}))
	if err := r.AddCRD(original); err != nil {
		t.Fatal(err)
	}
	convertor := r.ObjectInterfaces().GetObjectConvertor()
	if connected.Load() != 0 {
		t.Error("connected before anything was converted")
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := convertor.ConvertToVersion(custom("example.com/v1 Gear"), gvk("example.com/v2 Gear").GroupVersion()); err != nil {
				t.Error(err)
			}
			if _, err := convertor.ConvertToVersion(custom("example.com/v1 Gear"), gvk("example.com/v1 Gear").GroupVersion()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if connected.Load() != 1 || converted.Load() != 20 {
		t.Errorf("connected %d times, converted %d objects; want 1 and 20: an object of the version needs no webhook", connected.Load(), converted.Load())
	}
	if diff := cmp.Diff(connectable(), original); diff != "" {
		t.Errorf("the caller's definition was modified (-before +after):\n%s", diff)
	}
}

// TestDefaulting looks at who calls the functions that an option adds.
func TestDefaulting(t *testing.T) {
	t.Parallel()
	types := kinds.NewScheme()
	types.AddTypeDefaultingFunc(&corev1.Pod{}, func(o any) { o.(*corev1.Pod).Spec.SchedulerName = "default-scheduler" })
	r := kinds.New(kinds.Defaulting(types))
	if err := r.AddCRD(widgets()); err != nil {
		t.Fatal(err)
	}
	for what, set := range map[string]func(runtime.Object){"Settle": r.Normalize, "ObjectInterfaces": r.ObjectInterfaces().GetObjectDefaulter().Default} {
		p := pod("a")
		set(p)
		if p.Spec.SchedulerName != "default-scheduler" {
			t.Errorf("%s sets no defaults", what)
		}
		u := custom("example.com/v1 Widget")
		set(u)
		if diff := cmp.Diff(custom("example.com/v1 Widget"), u); diff != "" {
			t.Errorf("%s changed a custom object (-before +after):\n%s", what, diff)
		}
	}
	other := pod("a")
	kinds.New().Normalize(other)
	if diff := cmp.Diff(pod("a"), other); diff != "" {
		t.Errorf("defaults of one registry are in another (-before +after):\n%s", diff)
	}
}

// TestRoundtrip looks at when built-in objects pass through an internal type:
// when they are decoded, and whenever they are converted, to their own version,
// too.
func TestRoundtrip(t *testing.T) {
	t.Parallel()
	r := kinds.New(kinds.Roundtrip(func(o runtime.Object) {
		if p, ok := o.(*corev1.Pod); ok {
			p.Spec.SchedulerName = "seen"
		}
	}))
	convertor := r.ObjectInterfaces().GetObjectConvertor()
	copied := &corev1.Pod{}
	if err := convertor.Convert(pod("a"), copied, nil); err != nil {
		t.Fatal(err)
	}
	again, err := convertor.ConvertToVersion(pod("a"), corev1.SchemeGroupVersion)
	if err != nil {
		t.Fatal(err)
	}
	settled := pod("a")
	r.Normalize(settled)
	for what, object := range map[string]runtime.Object{"Convert": copied, "ConvertToVersion": again, "Settle": settled} {
		if p := object.(*corev1.Pod); p.Spec.SchedulerName != "seen" || p.Name != "a" {
			t.Errorf("%s returned %v", what, p)
		}
	}
	if err := convertor.Convert(pod("a"), &corev1.Service{}, nil); err == nil {
		t.Error("a pod became a service")
	}
}
