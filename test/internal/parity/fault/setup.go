package fault

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/test/faultserver"
	"example.com/gatehouse/test/internal/parity/scenario"
)

// Setup is what a row has on the client's side other than usual. Usual is the
// creation of the pod my-pod, and one webhook that is a service.
type Setup struct {
	// Request is merged into the usual request.
	Request json.RawMessage `json:"request,omitempty"`
	// Webhooks are each merged into the usual webhook, a ValidatingWebhook of
	// admissionregistration.k8s.io/v1 without defaults. The default is one.
	// {{address}} in a URL is that of the server.
	Webhooks []json.RawMessage `json:"webhooks,omitempty"`
	// CA is what the caBundle is if not the server's: "none", "garbage",
	// "good and garbage" or "unknown and good".
	CA string `json:"ca,omitempty"`
	// Resolver is the fault of the service resolver: it returns an "error", or
	// it panics ("panic").
	Resolver string `json:"resolver,omitempty"`
	// Kubeconfig is the plugins' credentials. {{address}}, {{other}} and
	// {{dir}}, a new folder, are replaced.
	Kubeconfig string `json:"kubeconfig,omitempty"`
	// Late is written to the file "late" in that folder after the first
	// request.
	Late string `json:"late,omitempty"`
	// Requests is how many requests are sent in turn, Pause apart. The outcome
	// is that of the last. The default is 1.
	Requests int             `json:"requests,omitempty"`
	Pause    metav1.Duration `json:"pause,omitempty"` // see Requests
	// Cancel is how long after its start a request is cancelled; negative means
	// before. The default is never.
	Cancel metav1.Duration `json:"cancel,omitempty"`
	// Unsynced is true if the informers never deliver.
	Unsynced bool `json:"unsynced,omitempty"`
}

const namespace = "webhook-test"

// usualRequest creates a pod.
const usualRequest = `{
  "operation": "CREATE",
  "kind": {"group": "", "version": "v1", "kind": "Pod"},
  "resource": {"group": "", "version": "v1", "resource": "pods"},
  "namespace": "` + namespace + `",
  "name": "my-pod",
  "object": {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "my-pod", "namespace": "` + namespace + `", "labels": {"pod.name": "my-pod"}},
    "spec": {"containers": [{"name": "c1", "image": "i1"}, {"name": "c2", "image": "i2"}]}
  }
}`

func (s *Setup) request() (*scenario.Request, error) {
	var r scenario.Request
	if err := json.Unmarshal([]byte(usualRequest), &r); err != nil {
		return nil, err
	}
	if len(s.Request) > 0 {
		if err := decode(s.Request, &r); err != nil {
			return nil, fmt.Errorf("the request: %w", err)
		}
	}
	return &r, nil
}

func usualWebhook(policy registrationv1.FailurePolicyType) registrationv1.ValidatingWebhook {
	return registrationv1.ValidatingWebhook{
		Name: webhookName,
		ClientConfig: registrationv1.WebhookClientConfig{
			Service: &registrationv1.ServiceReference{Namespace: "test", Name: "hook"},
		},
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.OperationAll},
			Rule: registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"},
				Resources: []string{"*/*"}},
		}},
		FailurePolicy:           &policy,
		MatchPolicy:             new(registrationv1.Equivalent),
		NamespaceSelector:       &metav1.LabelSelector{},
		ObjectSelector:          &metav1.LabelSelector{},
		SideEffects:             new(registrationv1.SideEffectClassNone),
		TimeoutSeconds:          new(int32(2)),
		AdmissionReviewVersions: []string{"v1"},
	}
}

// check finds what would be left out in silence.
func (s *Setup) check() error {
	if _, err := s.request(); err != nil {
		return err
	}
	if _, err := s.merged(registrationv1.Fail); err != nil {
		return err
	}
	if !slices.Contains([]string{"", "error", "panic"}, s.Resolver) {
		return fmt.Errorf("there is no resolver %q", s.Resolver)
	}
	return nil
}

// merged returns the row's webhooks as they are written.
func (s *Setup) merged(
	policy registrationv1.FailurePolicyType,
) ([]registrationv1.ValidatingWebhook, error) {
	if len(s.Webhooks) == 0 {
		return []registrationv1.ValidatingWebhook{usualWebhook(policy)}, nil
	}
	var list []registrationv1.ValidatingWebhook
	for i, change := range s.Webhooks {
		w := usualWebhook(policy)
		if err := decode(change, &w); err != nil {
			return nil, fmt.Errorf("webhook %d: %w", i, err)
		}
		list = append(list, w)
	}
	return list, nil
}

// webhooks returns the row's webhooks, reachable at the server.
func (s *Setup) webhooks(
	policy registrationv1.FailurePolicyType, server *faultserver.Server,
) ([]registrationv1.ValidatingWebhook, error) {
	list, err := s.merged(policy)
	if err != nil {
		return nil, err
	}
	ca, err := s.caBundle(server)
	if err != nil {
		return nil, err
	}
	for i := range list {
		client := &list[i].ClientConfig
		client.CABundle = ca
		if client.URL != nil {
			*client.URL = strings.ReplaceAll(*client.URL, "{{address}}", server.Address())
		}
	}
	return list, nil
}

func (s *Setup) caBundle(server *faultserver.Server) ([]byte, error) {
	const garbage = "-----BEGIN CERTIFICATE-----\nZ2FyYmFnZQ==\n-----END CERTIFICATE-----\n"
	switch s.CA {
	case "":
		return server.CABundle(), nil
	case "none":
		return nil, nil
	case "garbage":
		return []byte("this is no PEM"), nil
	case "good and garbage":
		return slices.Concat(server.CABundle(), []byte(garbage)), nil
	case "unknown and good":
		other, err := faultserver.InMemory(faultserver.Script{})
		if err != nil {
			return nil, err
		}
		return slices.Concat(other.CABundle(), server.CABundle()), other.Close()
	}
	return nil, fmt.Errorf("there is no CA %q", s.CA)
}

// cluster returns what the API server holds: the configuration of one phase,
// and a namespace.
func (s *Setup) cluster(c Combination, server *faultserver.Server) ([]runtime.Object, error) {
	webhooks, err := s.webhooks(c.Policy, server)
	if err != nil {
		return nil, err
	}
	known := []runtime.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}}
	meta := metav1.ObjectMeta{Name: configurationName, UID: "1", ResourceVersion: "1"}
	if c.Phase == Validating {
		return append(
			known,
			&registrationv1.ValidatingWebhookConfiguration{ObjectMeta: meta, Webhooks: webhooks},
		), nil
	}
	var mutating []registrationv1.MutatingWebhook
	content, err := json.Marshal(webhooks)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(content, &mutating); err != nil {
		return nil, err
	}
	return append(
		known,
		&registrationv1.MutatingWebhookConfiguration{ObjectMeta: meta, Webhooks: mutating},
	), nil
}
