package integration_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
	"example.com/gatehouse/internal/testutil/testtable"
)

// conditionRow has pods created, given as NAMESPACE/NAME, under a webhook with
// match conditions.
type conditionRow struct {
	row
	expressions []string
	policy      *registrationv1.FailurePolicyType
	pods        []string
	// called are the pods that the webhook receives; want is in every pod's
	// error.
	called []string
	want   string
}

// conditionRows are I-M1 to I-M9.
func conditionRows() []conditionRow {
	const (
		elsewhere = "object.metadata.namespace != 'kube-system'"
		wrong     = "object.nonExistentProperty == 'someval'"
		asked     = "authorizer.group('').resource('pods').namespace('default').check('create').allowed()"
	)
	two := []string{"kube-system/test1", "default/test2"}
	unsure := []string{wrong, "true", "true", wrong}
	return []conditionRow{
		{row{"I-M1", "a condition is about the object"}, []string{elsewhere}, nil, two, []string{"default/test2"}, ""},
		{
			row{"I-M2", "all conditions have to be met"}, []string{elsewhere, "object.metadata.name == 'test1'"}, nil,
			[]string{"kube-system/test1", "default/test1", "default/test2"}, []string{"default/test1"}, "",
		},
		{row{"I-M3", "what is not met counts more than what fails"}, []string{wrong, "true", "false", "true", wrong}, nil, two, nil, ""},
		{row{"I-M4", "the default policy is Fail, for conditions as well"}, unsure, nil, two, nil, "no such key: nonExistentProperty"},
		{row{"I-M5", "the policy is for conditions as well"}, unsure, new(registrationv1.Fail), two, nil, "no such key: nonExistentProperty"},
		{row{"I-M6", "a webhook with Ignore whose condition fails is not called"}, unsure, new(registrationv1.Ignore), two, nil, ""},
		{row{"I-M7", "there is no old object"}, []string{"oldObject == null"}, nil, []string{"default/test2"}, []string{"default/test2"}, ""},
		{
			row{"I-M8", "a condition may cost so much, and asking the authorizer does"}, []string{repeated(asked, 3)}, nil, []string{"default/test1"}, nil,
			"operation cancelled: actual cost limit exceeded",
		},
		{
			row{"I-M9", "all conditions together may cost so much"}, slicesOf(repeated(asked, 2), 8), nil, []string{"kube-system/test1"}, nil,
			"validation failed due to running out of cost budget, no further validation rules will be run",
		},
	}
}

// repeated joins an expression n times.
func repeated(expression string, n int) string { return strings.Join(slicesOf(expression, n), " && ") }

func slicesOf(text string, n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = text
	}
	return texts
}

func testConditions(t *testing.T, s *server) {
	testtable.Run(t, conditionRows(), func(t *testing.T, r conditionRow) {
		for _, phase := range phases() {
			t.Run(phase, func(t *testing.T) {
				t.Parallel()
				r.check(t, s, phase)
			})
		}
	})
}

// check selects the pods of a row by a label, because some are in shared
// namespaces.
func (r conditionRow) check(t *testing.T, s *server, phase string) {
	name := strings.ToLower(r.Name()) + "-" + phase
	var asked list
	hooks := process.ServeTLS(t, reviewtest.Answer(func(q *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		asked.add(q.Namespace + "/" + q.Name)
		return &admissionv1.AdmissionResponse{Allowed: true, Result: &metav1.Status{Message: "admitted"}}
	}))
	webhook := registrationv1.MutatingWebhook{
		Name: "admission.integration.test", ClientConfig: at(hooks, "/"), Rules: on("pods", registrationv1.Create), FailurePolicy: r.policy,
		ObjectSelector: metav1.SetAsLabelSelector(labels.Set{"row": name}),
	}
	for i, expression := range r.expressions {
		condition := registrationv1.MatchCondition{Name: fmt.Sprintf("condition-%d", i), Expression: expression}
		webhook.MatchConditions = append(webhook.MatchConditions, condition)
	}
	s.install(t, phase, name, webhook)
	var errs []error
	for _, where := range r.pods {
		namespace, podName, _ := strings.Cut(where, "/")
		created := pod(podName)
		created.Labels = map[string]string{"row": name}
		_, err := s.CoreV1().Pods(namespace).Create(t.Context(), created, dryRun())
		wantText(t, err, r.want)
		errs = append(errs, err)
	}
	if diff := cmp.Diff(r.called, asked.take(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("pods that the webhook was asked about (-want, +got):\n%s\nerrors: %v", diff, errors.Join(errs...))
	}
}
