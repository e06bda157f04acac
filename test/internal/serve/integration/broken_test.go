package integration_test

import (
	"fmt"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestBrokenWebhook is I-B1: an unreachable webhook for all resources stops all
// writes, from the first request after a restart. The server starts
// nevertheless, and the configuration can be deleted.
func TestBrokenWebhook(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := start(t, "--data-dir", data)
	wantText(t, s.deploy(t, "before"), "")
	s.install(t, "validating", "broken-webhook", registrationv1.MutatingWebhook{
		Name: "broken-webhook.k8s.io",
		Rules: []registrationv1.RuleWithOperations{{
			Operations: []registrationv1.OperationType{registrationv1.OperationAll},
			Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*/*"}},
		}},
		ClientConfig: registrationv1.WebhookClientConfig{Service: &registrationv1.ServiceReference{
			Namespace: "default", Name: "invalid-webhook-service", Path: new(""),
		}},
		FailurePolicy: new(registrationv1.Fail),
	})
	const want = `failed calling webhook "broken-webhook.k8s.io": failed to call webhook: ` +
		`Post "https://invalid-webhook-service.default.svc:443/?timeout=10s": service "invalid-webhook-service" not found`
	wantText(t, s.deploy(t, "broken"), want)
	if status := s.Stop(t); status != 0 {
		t.Fatalf("exit status %d: %s", status, s.Printed())
	}

	s = start(t, "--data-dir", data)
	wantText(t, s.deploy(t, "restarted"), want)
	err := s.AdmissionregistrationV1().ValidatingWebhookConfigurations().Delete(t.Context(), "broken-webhook", metav1.DeleteOptions{})
	if err != nil {
		t.Fatalf("the configuration cannot be deleted: %v", err)
	}
	attempts := 0
	eventually(t, "deployments cannot be created after the configuration has been deleted", func() bool {
		attempts++
		return s.deploy(t, fmt.Sprintf("after-%d", attempts)) == nil
	})
	if _, err := s.AppsV1().Deployments("default").Get(t.Context(), "before", metav1.GetOptions{}); err != nil {
		t.Errorf("what was stored before the restart is not there: %v", err)
	}
}

// deploy creates a deployment.
func (s *server) deploy(t *testing.T, name string) error {
	t.Helper()
	labels := map[string]string{"app": name}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: pod("").Spec},
		},
	}
	_, err := s.AppsV1().Deployments("default").Create(t.Context(), deployment, metav1.CreateOptions{})
	return err
}
