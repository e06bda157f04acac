package reportsample

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/dispatcher/explain"
)

// Document returns a document of the given explanations.
func Document(items ...*explain.Explanation) *explain.Document {
	return &explain.Document{
		TypeMeta: metav1.TypeMeta{APIVersion: explain.APIVersion, Kind: explain.Kind},
		Items:    items,
	}
}

// Pod returns the creation of a pod: three mutating webhooks, of which two
// fight over a label and the first is called again, and four validating ones,
// of which one denies it and one cannot be reached.
func Pod() *explain.Explanation {
	return &explain.Explanation{
		Request: podRequest(),
		Status: &metav1.Status{
			Status:  metav1.StatusFailure,
			Message: `admission webhook "limits.example.com" denied the request: container "web" has no memory limit`,
			Reason:  metav1.StatusReasonForbidden,
			Code:    403,
		},
		Warnings: []string{`image "registry.example.com/web:latest" has no digest; it will be refused from March on`},
		Seconds:  0.0792,
		Rounds:   []explain.Round{firstRound(), secondRound(), validatingRound()},
		Fields:   podFields(),
		Removed: []explain.Field{{
			Path:   "metadata.annotations['example.com/debug']",
			Writer: teams(0),
			Earlier: []explain.Write{
				{Writer: explain.Writer{By: "user"}, Value: json.RawMessage(`"true"`)},
			},
		}},
		Fights: []explain.Fight{{
			Path:   "metadata.labels['example.com/cost-center']",
			Writes: costCenter(),
		}},
		AuditAnnotations: podAnnotations(),
		Metrics: []explain.Metric{
			{Name: "apiserver_admission_webhook_request_total", Labels: map[string]string{"name": "limits.example.com", "type": "validating", "operation": "CREATE", "code": "403", "rejected": "true"}, Delta: 1},
			{Name: "apiserver_admission_webhook_fail_open_count", Labels: map[string]string{"name": "scanner.security.example.com", "type": "validating"}, Delta: 1},
		},
		Object:   json.RawMessage(podObject),
		Redacted: []string{"spec.containers[0].env[1].value: named by --redact"},
		Problems: []string{},
	}
}

func podRequest() explain.Request {
	return explain.Request{
		Operation: "CREATE",
		Kind:      metav1.GroupVersionKind{Version: "v1", Kind: "Pod"},
		Resource:  metav1.GroupVersionResource{Version: "v1", Resource: "pods"},
		Namespace: "prod",
		Name:      "web-7d9f4c",
		User:      explain.User{Name: "system:serviceaccount:kube-system:replicaset-controller", Groups: []string{"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"}},
		Object:    json.RawMessage(podSent),
		Options:   json.RawMessage(`{"apiVersion":"meta.k8s.io/v1","kind":"CreateOptions","fieldManager":"kube-controller-manager"}`),
	}
}

func podAnnotations() []explain.Annotation {
	return []explain.Annotation{
		{Key: "mutation.webhook.admission.k8s.io/round_0_index_0", Value: `{"configuration":"platform-teams","webhook":"teams.example.com","mutated":true}`, Level: "Metadata"},
		{Key: "patch.webhook.admission.k8s.io/round_0_index_2", Value: `{"configuration":"mesh","webhook":"sidecar.mesh.example.com","patch":[{"op":"add","path":"/spec/containers/-"}],"patchType":"JSONPatch"}`, Level: "Request"},
		{Key: "failed-open.validating.webhook.admission.k8s.io/round_0_index_2", Value: "scanner.security.example.com", Level: "Metadata"},
	}
}

// Small returns a request that was admitted and that no webhook was called for.
func Small() *explain.Explanation {
	return &explain.Explanation{
		Request: explain.Request{
			Operation: "DELETE",
			Kind:      metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"},
			Resource:  metav1.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"},
			Namespace: "prod",
			Name:      "web",
			DryRun:    true,
			User:      explain.User{Name: "ada"},
		},
		Allowed: true,
	}
}
