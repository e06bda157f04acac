package crdconversion_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/offline/crdconversion"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// registry knows widgets, and has the webhook convert them.
func registry(t *testing.T, w *webhook, crd *apiextensionsv1.CustomResourceDefinition) *kinds.Registry {
	t.Helper()
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Schema = &apiextensionsv1.CustomResourceValidation{
			OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: new(true)},
		}
	}
	r := kinds.New(kinds.ConversionWebhooks(func(crd *apiextensionsv1.CustomResourceDefinition) (runtime.ObjectConvertor, error) {
		return crdconversion.Make(w.config(), crd)
	}))
	if err := r.AddCRD(crd); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKinds converts through a registry that has a convertor made for it.
func TestKinds(t *testing.T) {
	t.Parallel()
	w := newWebhook(t, nil)
	convertor := registry(t, w, w.crd("v1")).ObjectInterfaces().GetObjectConvertor()
	for i, from := range []string{"v1", "v2", "v3"} {
		for j, to := range []string{"v1", "v2", "v3"} {
			out := &unstructured.Unstructured{}
			out.SetGroupVersionKind(gv(to).WithKind("Widget"))
			if err := convertor.Convert(widget(from, 5), out, nil); err != nil {
				t.Fatal(err)
			}
			want := converted(from, to, 5)
			if i == j {
				want = widget(from, 5)
			}
			if diff := cmp.Diff(want, out); diff != "" {
				t.Errorf("%s to %s (-want +got):\n%s", from, to, diff)
			}
		}
	}
	if got := w.calls.Load(); got != 6 {
		t.Errorf("%d calls, want 6", got)
	}
}

// TestKindsFail has conversions fail through a registry, for either reason.
func TestKindsFail(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		spoil func(review map[string]any)
		edit  func(*apiextensionsv1.CustomResourceConversion)
		want  string // is in the error
	}
	testtable.Run(t, []test{
		{row{"definition", "the conversion returns the error"}, nil, func(c *apiextensionsv1.CustomResourceConversion) {
			c.Webhook.ConversionReviewVersions = []string{"v2"}
		}, `spec.conversion.webhook.conversionReviewVersions: Invalid value: ["v2"]`},
		{row{"webhook", "the webhook's words reach the user"}, set("response/result", map[string]any{"status": "Failure", "message": "too large"}),
			func(*apiextensionsv1.CustomResourceConversion) {}, failed + "failed: too large"},
	}, func(t *testing.T, tc test) {
		w := newWebhook(t, tc.spoil)
		crd := w.crd("v1")
		tc.edit(crd.Spec.Conversion)
		out := &unstructured.Unstructured{}
		out.SetGroupVersionKind(gv("v3").WithKind("Widget"))
		err := registry(t, w, crd).ObjectInterfaces().GetObjectConvertor().Convert(widget("v1", 5), out, nil)
		if !strings.Contains(fmt.Sprint(err), tc.want) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	})
}
