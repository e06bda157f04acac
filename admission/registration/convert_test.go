package registration

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

type convertCase struct {
	row
	given Configuration
	// blank is an empty configuration of the version that is wanted.
	blank Configuration
}

// TestConvert compares with what the same JSON means in v1: the versions differ
// in their defaults and not in their fields.
func TestConvert(t *testing.T) {
	t.Parallel()
	testtable.Run(t, convertCases(), func(t *testing.T, tc convertCase) {
		text, err := json.Marshal(tc.given)
		if err != nil {
			t.Fatal(err)
		}
		want := tc.blank
		if err := json.Unmarshal(text, want); err != nil {
			t.Fatal(err)
		}
		if gvk := want.GetObjectKind().GroupVersionKind(); !gvk.Empty() {
			want.GetObjectKind().SetGroupVersionKind(registrationv1.SchemeGroupVersion.WithKind(gvk.Kind))
		}
		if diff := cmp.Diff(want, Convert(tc.given)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func convertCases() []convertCase {
	meta := metav1.ObjectMeta{Name: "c", Labels: map[string]string{"a": "b"}, Generation: 7}
	typed := func(kind string) metav1.TypeMeta {
		return metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1beta1", Kind: kind}
	}
	return []convertCase{{
		row: row{"mutating", "every field of v1beta1 arrives in v1"},
		given: &registrationv1beta1.MutatingWebhookConfiguration{
			TypeMeta: typed("MutatingWebhookConfiguration"), ObjectMeta: meta,
			Webhooks: []registrationv1beta1.MutatingWebhook{outspokenBeta(), {Name: "b.example.com"}},
		},
		blank: &registrationv1.MutatingWebhookConfiguration{},
	}, {
		row: row{"validating", "every field of v1beta1 arrives in v1"},
		given: &registrationv1beta1.ValidatingWebhookConfiguration{
			TypeMeta: typed("ValidatingWebhookConfiguration"), ObjectMeta: meta,
			Webhooks: []registrationv1beta1.ValidatingWebhook{validatingBetaOf(outspokenBeta()), {}},
		},
		blank: &registrationv1.ValidatingWebhookConfiguration{},
	}, {
		row:   row{"nothing in it", "absent lists stay absent, and an object without a type gets none"},
		given: &registrationv1beta1.MutatingWebhookConfiguration{ObjectMeta: meta},
		blank: &registrationv1.MutatingWebhookConfiguration{},
	}, {
		row:   row{"v1", "there is nothing to convert"},
		given: &registrationv1.MutatingWebhookConfiguration{Webhooks: []registrationv1.MutatingWebhook{outspoken()}},
		blank: &registrationv1.MutatingWebhookConfiguration{},
	}}
}

// TestOutspokenBetaIsComplete keeps the webhook that the tests convert from
// missing a field that the API gains.
func TestOutspokenBetaIsComplete(t *testing.T) {
	t.Parallel()
	w := reflect.ValueOf(outspokenBeta())
	for i := range w.NumField() {
		if w.Field(i).IsZero() {
			t.Errorf("%s is not set", w.Type().Field(i).Name)
		}
	}
}
