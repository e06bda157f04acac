package quickstart_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/examples/quickstart"
)

// contents is the content of the files.
type contents struct {
	// webhooks are in the order of dispatch, the mutating ones first.
	webhooks []*admission.Webhook
	// namespaces are the labels of each.
	namespaces map[string]labels.Set
	pods       []*corev1.Pod
}

// load decodes both files strictly: an unknown field is an error.
func load(t *testing.T) *contents {
	t.Helper()
	loaded := &contents{namespaces: map[string]labels.Set{}}
	for _, name := range []string{"webhooks.yaml", "objects.yaml"} {
		data, err := quickstart.Files().ReadFile(name)
		if err != nil {
			t.Fatalf("reading: %v", err)
		}
		reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
		for {
			document, err := reader.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("splitting %s: %v", name, err)
			}
			loaded.add(t, document)
		}
	}
	return loaded
}

func (c *contents) add(t *testing.T, document []byte) {
	t.Helper()
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(document, &meta); err != nil {
		t.Fatalf("reading the kind: %v", err)
	}
	switch meta.APIVersion + " " + meta.Kind {
	case "admissionregistration.k8s.io/v1 MutatingWebhookConfiguration":
		c.webhooks = append(c.webhooks, admission.MutatingWebhooks(decode[registrationv1.MutatingWebhookConfiguration](t, document))...)
	case "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration":
		c.webhooks = append(c.webhooks, admission.ValidatingWebhooks(decode[registrationv1.ValidatingWebhookConfiguration](t, document))...)
	case "v1 Namespace":
		namespace := decode[corev1.Namespace](t, document)
		c.namespaces[namespace.Name] = namespace.Labels
	case "v1 Pod":
		c.pods = append(c.pods, decode[corev1.Pod](t, document))
	default:
		t.Fatalf("unexpected kind %+v", meta)
	}
}

func decode[T any](t *testing.T, document []byte) *T {
	t.Helper()
	object := new(T)
	if err := yaml.UnmarshalStrict(document, object); err != nil {
		t.Fatalf("decoding strictly into %T: %v", object, err)
	}
	return object
}

// selects treats an absent selector as one that selects everything, its
// default.
func selects(t *testing.T, selector *metav1.LabelSelector, set labels.Set) bool {
	t.Helper()
	if selector == nil {
		return true
	}
	compiled, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatalf("reading a selector: %v", err)
	}
	return compiled.Matches(set)
}
