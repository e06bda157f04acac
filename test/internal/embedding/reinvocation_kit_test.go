package embedding

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	"k8s.io/client-go/kubernetes"

	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/apiserver"
	"example.com/gatehouse/internal/testutil/testtable"
)

// prioritizing is gatehouse's API server with a plugin that sets the priority
// of pods, and with the webhook plugins of the side under test.
type prioritizing struct {
	*kubernetes.Clientset
	audit string
}

func startPrioritizing(t *testing.T, p plugins) *prioritizing {
	t.Helper()
	policy, log := writeAuditPolicy(t, podPolicy)
	s, err := apiserver.Start(t.Context(), apiserver.Config{
		Admission: apiserver.Admission{
			Register: func(all *apiadmission.Plugins) {
				lifecycle.Register(all)
				all.Register(priorityName, newPriority)
				p.register(all)
			},
			Order: []string{lifecycle.PluginName, priorityName, plugin.MutatingName, plugin.ValidatingName},
		},
		Audit: apiserver.Audit{PolicyFile: policy, LogFile: log},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	client, err := kubernetes.NewForConfig(s.ClientConfig())
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]int32{"low-priority": 1, "high-priority": 10} {
		class := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value}
		if _, err := client.SchedulingV1().PriorityClasses().Create(t.Context(), class, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return &prioritizing{client, log}
}

// check runs a row, and returns when its webhooks are out of force.
func (r reinvocationRow) check(t *testing.T, s *prioritizing, h *hooks) {
	number := strings.TrimPrefix(r.Name(), "I-R")
	namespace := "reinvoke-" + number
	object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace, Labels: map[string]string{"test-case": number}}}
	if _, err := s.CoreV1().Namespaces().Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	calls := &tally{}
	s.install(t, r.configuration(t, h, calls, number))
	defer s.uninstall(t, "admission.integration.test-"+number, namespace, calls)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "labeled", Labels: map[string]string{"x": "true"}},
		Spec:       corev1.PodSpec{PriorityClassName: r.class, Containers: []corev1.Container{{Name: "main", Image: "image"}}},
	}
	stored, err := s.CoreV1().Pods(namespace).Create(t.Context(), pod, metav1.CreateOptions{})
	if diff := cmp.Diff(r.calls, calls.take()); diff != "" {
		t.Errorf("calls (-want, +got):\n%s", diff)
	}
	if err != nil || r.want != "" {
		if got := testtable.Text(err); r.want == "" || !strings.Contains(got, r.want) {
			t.Errorf("got error %q, want %q in it", got, r.want)
		}
		return
	}
	if diff := cmp.Diff(r.labels, stored.Labels); diff != "" || *stored.Spec.Priority != r.priority {
		t.Errorf("stored with priority %d, want %d, and labels (-want, +got):\n%s", *stored.Spec.Priority, r.priority, diff)
	}
	if diff := cmp.Diff(r.annotations(), s.annotations(t, namespace), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("annotations (-want, +got):\n%s", diff)
	}
}

// name is that of the webhook at an index.
func (r reinvocationRow) name(index int) string {
	return fmt.Sprintf("admission.integration.test.%d.%s", index, r.hooks[index].path)
}

func (r reinvocationRow) configuration(t *testing.T, h *hooks, calls *tally, number string) *registrationv1.MutatingWebhookConfiguration {
	c := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "admission.integration.test-" + number}}
	for i, hook := range r.hooks {
		path := "/" + t.Name() + "/" + hook.path
		h.serve(t, path, calls.counted(hook.path))
		webhook := registrationv1.MutatingWebhook{
			Name: r.name(i), ClientConfig: registrationv1.WebhookClientConfig{URL: new(h.server.URL + path), CABundle: h.caBundle},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{registrationv1.OperationAll},
				Rule:       registrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
			}},
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"test-case": number}},
			ObjectSelector:    &metav1.LabelSelector{MatchLabels: hook.selector},
			FailurePolicy:     new(registrationv1.Fail), SideEffects: new(registrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1beta1"},
		}
		if hook.policy != "" {
			webhook.ReinvocationPolicy = new(hook.policy)
		}
		c.Webhooks = append(c.Webhooks, webhook)
	}
	return c
}

// install returns when a configuration is in force.
func (s *prioritizing) install(t *testing.T, c *registrationv1.MutatingWebhookConfiguration) {
	t.Helper()
	created, err := s.AdmissionregistrationV1().MutatingWebhookConfigurations().Create(t.Context(), c, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := "/gatehouse/inforce/mutatingwebhookconfigurations/" + c.Name
	text, err := s.Discovery().RESTClient().Get().AbsPath(path).Param("resourceVersion", created.ResourceVersion).DoRaw(t.Context())
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// uninstall returns when the webhooks of a configuration are not called any
// more.
func (s *prioritizing) uninstall(t *testing.T, name, namespace string, calls *tally) {
	t.Helper()
	if err := s.AdmissionregistrationV1().MutatingWebhookConfigurations().Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	probe := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "probe"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "image"}}},
	}
	err := wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, 2*time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := s.CoreV1().Pods(namespace).Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return len(calls.take()) == 0 && err == nil, nil //nolint:nilerr // it may be refused until then
	})
	if err != nil {
		t.Fatalf("webhooks are still called: %v", err)
	}
}
