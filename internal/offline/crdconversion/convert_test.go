package crdconversion_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/testutil/testtable"
)

// converted is what is expected of a widget of another version.
func converted(from, to string, size int64) *unstructured.Unstructured {
	w := widget(to, size)
	w.SetLabels(map[string]string{"app": "a", "from": from})
	return w
}

// TestConvert converts between all versions, in all ways to reach a webhook.
func TestConvert(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		reviews string
		reach   func(*apiextensionsv1.CustomResourceDefinition)
		// asks is the version of the reviews that are sent.
		asks string
	}
	byURL := func(*apiextensionsv1.CustomResourceDefinition) {}
	testtable.Run(t, []test{
		{row{"v1 url", "today's reviews"}, "v1", byURL, "apiextensions.k8s.io/v1"},
		{row{"v1 service", "the way in a cluster"}, "v1", byService, "apiextensions.k8s.io/v1"},
		{row{"v1beta1 url", "old webhooks"}, "v1beta1", byURL, "apiextensions.k8s.io/v1beta1"},
		{row{"v1beta1 service", "old webhooks in a cluster"}, "v1beta1", byService, "apiextensions.k8s.io/v1beta1"},
		{row{"first known", "the webhook's preference counts, not ours"}, "v7 v1beta1 v1", byURL, "apiextensions.k8s.io/v1beta1"},
	}, func(t *testing.T, tc test) {
		var asked sync.Map
		w := newWebhook(t, func(review map[string]any) { asked.Store(review["apiVersion"], true) })
		crd := w.crd(strings.Fields(tc.reviews)...)
		tc.reach(crd)
		before := crd.DeepCopy()
		convertor := mustMake(t, w.config(), crd)
		if diff := cmp.Diff(before, crd); diff != "" {
			t.Errorf("the definition was changed (-before +after):\n%s", diff)
		}
		for _, from := range []string{"v1", "v2", "v3"} {
			for _, to := range []string{"v1", "v2", "v3"} {
				checkConvert(t, w, convertor, from, to)
			}
		}
		asked.Range(func(version, _ any) bool {
			if version != tc.asks {
				t.Errorf("asked in %v, want %v", version, tc.asks)
			}
			return true
		})
		r := w.last.Load()
		if got := r.Method + " " + r.URL.String() + " " + r.UserAgent(); got != "POST /convert?timeout=30s kube-apiserver-admission" {
			t.Errorf("called as %s", got)
		}
		if r.Header.Get("Authorization") != "" {
			t.Error("credentials were sent")
		}
	})
}

func checkConvert(t *testing.T, w *webhook, convertor runtime.ObjectConvertor, from, to string) {
	t.Helper()
	in, before := widget(from, 5), w.calls.Load()
	want, calls := converted(from, to, 5), int32(1)
	if from == to {
		want, calls = widget(from, 5), 0
	}
	got, err := convertor.ConvertToVersion(in, gv(to))
	if err != nil {
		t.Fatalf("%s to %s: %v", from, to, err)
	}
	if diff := cmp.Diff(runtime.Object(want), got); diff != "" {
		t.Errorf("%s to %s (-want +got):\n%s", from, to, diff)
	}
	if diff := cmp.Diff(widget(from, 5), in); diff != "" {
		t.Errorf("the source was changed (-before +after):\n%s", diff)
	}
	if got := w.calls.Load() - before; got != calls {
		t.Errorf("%s to %s: %d calls, want %d", from, to, got, calls)
	}
}

// TestConvertInto is the other form, in which the result is given.
func TestConvertInto(t *testing.T) {
	t.Parallel()
	w := newWebhook(t, nil)
	in, out := widget("v1", 5), &unstructured.Unstructured{}
	out.SetGroupVersionKind(gv("v3").WithKind("Widget"))
	if err := w.convertor(t, "v1").Convert(in, out, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(converted("v1", "v3", 5), out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(widget("v1", 5), in); diff != "" {
		t.Errorf("the source was changed (-before +after):\n%s", diff)
	}
}

// TestConvertList sends only what has to be converted, all at once.
func TestConvertList(t *testing.T) {
	t.Parallel()
	w := newWebhook(t, nil)
	in := &unstructured.UnstructuredList{Items: []unstructured.Unstructured{*widget("v1", 1), *widget("v2", 2), *widget("v3", 3)}}
	in.SetGroupVersionKind(gv("v1").WithKind("WidgetList"))
	want := &unstructured.UnstructuredList{Items: []unstructured.Unstructured{*converted("v1", "v2", 1), *widget("v2", 2), *converted("v3", "v2", 3)}}
	want.SetGroupVersionKind(gv("v2").WithKind("WidgetList"))
	got, err := w.convertor(t, "v1").ConvertToVersion(in, gv("v2"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(runtime.Object(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if w.calls.Load() != 1 || w.served.Load() != 2 {
		t.Errorf("%d calls, the last of them with %d objects, want one with two", w.calls.Load(), w.served.Load())
	}
}

// TestNoCall has conversions for which the webhook is not asked.
func TestNoCall(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		in   *unstructured.Unstructured
		to   string
		want string // "" for no error
	}
	hollow := widget("v1", 1)
	hollow.Object = map[string]any{"apiVersion": "example.com/v1", "kind": "Widget"}
	unknown := widget("v1", 1)
	unknown.SetAPIVersion("example.com/v9")
	other := widget("v1", 1)
	other.SetAPIVersion("v1")
	testtable.Run(t, []test{
		{row{"there already", "nothing is to be done"}, widget("v2", 1), "v2", ""},
		{row{"hollow", "API servers convert such objects when they start, before any webhook does"}, hollow, "v2", ""},
		{row{"to unknown", "a version that the definition does not have"}, widget("v1", 1), "v9", "request to convert CR to an invalid group/version: example.com/v9"},
		{row{"from unknown", "an object that the definition does not define"}, unknown, "v1", "request to convert CR from an invalid group/version: example.com/v9"},
		{row{"other group", "another group's object"}, other, "v1", `/v1, Kind=Widget is unstructured and is not suitable for converting to "example.com/v1"`},
	}, func(t *testing.T, tc test) {
		w := newWebhook(t, nil)
		got, err := w.convertor(t, "v1").ConvertToVersion(tc.in, gv(tc.to))
		if testtable.Text(err) != tc.want {
			t.Fatalf("error %v, want %q", err, tc.want)
		}
		if err == nil {
			want := tc.in.DeepCopy()
			want.SetAPIVersion("example.com/" + tc.to)
			if diff := cmp.Diff(runtime.Object(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
		if w.calls.Load() != 0 {
			t.Error("the webhook was called")
		}
	})
}

func TestFieldLabels(t *testing.T) {
	t.Parallel()
	convertor := newWebhook(t, nil).convertor(t, "v1")
	label, value, err := convertor.ConvertFieldLabel(gv("v1").WithKind("Widget"), "metadata.name", "one")
	if label != "metadata.name" || value != "one" || err != nil {
		t.Errorf("got %q, %q, %v", label, value, err)
	}
	if _, _, err := convertor.ConvertFieldLabel(gv("v1").WithKind("Widget"), "spec.size", "5"); err == nil {
		t.Error("a field that cannot be selected by is no error")
	}
}

// TestConcurrentConversions has many use one convertor, each with its own size.
func TestConcurrentConversions(t *testing.T) {
	t.Parallel()
	const many = 8
	w := newWebhook(t, nil)
	convertor := w.convertor(t, "v1")
	var group sync.WaitGroup
	for i := range many {
		group.Go(func() {
			for j := range 10 {
				size := int64(i*100 + j)
				got, err := convertor.ConvertToVersion(widget("v1", size), gv("v3"))
				if err != nil {
					t.Error(err)
					return
				}
				if diff := cmp.Diff(runtime.Object(converted("v1", "v3", size)), got); diff != "" {
					t.Errorf("%d: (-want +got):\n%s", i, diff)
				}
			}
		})
	}
	group.Wait()
	if got := w.calls.Load(); got != many*10 {
		t.Errorf("%d calls, want %d", got, many*10)
	}
}
