package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	registrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

type fixedCase struct {
	row
	given []runtime.Object
	want  order
	err   string
}

func TestFixed(t *testing.T) {
	t.Parallel()
	testtable.Run(t, fixedCases(), func(t *testing.T, tc fixedCase) {
		list, err := Fixed(tc.given)
		if diff := cmp.Diff(tc.err, testtable.Text(err)); diff != "" {
			t.Fatalf("error (-want +got):\n%s", diff)
		}
		if err != nil {
			if list != nil {
				t.Error("half a list came with an error")
			}
			return
		}
		if diff := cmp.Diff(tc.want, orderOf(current(t, list))); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
	})
}

func fixedCases() []fixedCase {
	return []fixedCase{{
		row: row{"nothing", "no configurations is a valid state of a cluster"},
	}, {
		row:   row{"both kinds, any order", "the list is sorted by kind and name, whatever its order (S-061)"},
		given: []runtime.Object{validating("b", "w"), mutating("c", "w"), validating("a", "w"), mutating("b", "w")},
		want: order{
			Mutating:   []string{"b/w/0", "c/w/0"},
			Validating: []string{"a/w/0", "b/w/0"},
		},
	}, {
		row:   row{"bare nil", "a nil is a mistake in the caller's list, not an empty configuration"},
		given: []runtime.Object{nil},
		err:   "configuration 1: nil is not a webhook configuration",
	}, {
		row: row{"typed nil", "a nil pointer hides in an interface and would panic later"},
		given: []runtime.Object{
			(*registrationv1.MutatingWebhookConfiguration)(nil),
			(*registrationv1.ValidatingWebhookConfiguration)(nil),
		},
		err: "configuration 1: nil is not a webhook configuration\n" +
			"configuration 2: nil is not a webhook configuration",
	}, {
		row:   row{"other types", "v1beta1 is another type as well: it has other defaults"},
		given: []runtime.Object{&corev1.Pod{}, &registrationv1beta1.MutatingWebhookConfiguration{}},
		err: "configuration 1: *v1.Pod is not a MutatingWebhookConfiguration or " +
			"ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1\n" +
			"configuration 2: *v1beta1.MutatingWebhookConfiguration is not a MutatingWebhookConfiguration or " +
			"ValidatingWebhookConfiguration of admissionregistration.k8s.io/v1",
	}, {
		row:   row{"name given twice", "a cluster cannot hold two, and which would win?"},
		given: []runtime.Object{mutating("a", "w"), validating("a", "w"), mutating("a", "x"), validating("a", "w")},
		err: `configuration 3: MutatingWebhookConfiguration "a" is already defined in configuration 1` + "\n" +
			`configuration 4: ValidatingWebhookConfiguration "a" is already defined in configuration 2`,
	}}
}

type fixedDefaultsCase struct {
	row
	opts []Option
	want *metav1.LabelSelector
}

func TestFixedDefaults(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []fixedDefaultsCase{{
		row:  row{"by default", "an absent selector would select nothing and disable the webhook (S-068)"},
		want: &metav1.LabelSelector{},
	}, {
		row:  row{"undefaulted", "a test of raw configurations must see them raw"},
		opts: []Option{Undefaulted()},
		want: nil,
	}}, func(t *testing.T, tc fixedDefaultsCase) {
		m, v := mutating("m", "w"), validating("v", "w")
		list, err := Fixed([]runtime.Object{m, v}, tc.opts...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []admission.Phase{admission.Mutating, admission.Validating} {
			got := current(t, list).Webhooks(p)[0].ObjectSelector
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%v (-want +got):\n%s", p, diff)
			}
		}
		if m.Webhooks[0].ObjectSelector != nil || v.Webhooks[0].ObjectSelector != nil {
			t.Error("the caller's configuration was changed")
		}
	})
}

func TestFixedTakesCopies(t *testing.T) {
	t.Parallel()
	m := mutating("m", "w")
	list, err := Fixed([]runtime.Object{m}, Undefaulted())
	if err != nil {
		t.Fatal(err)
	}
	m.Webhooks[0].Rules = []registrationv1.RuleWithOperations{{}}
	m.Webhooks[0].Name = "changed"

	got := current(t, list).Webhooks(admission.Mutating)[0]
	if got.Name != "w" || got.Rules != nil {
		t.Errorf("the caller's later change reached the list: %q, %v", got.Name, got.Rules)
	}
}
