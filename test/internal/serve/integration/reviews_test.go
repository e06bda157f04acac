package integration_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/process"
	"example.com/gatehouse/internal/testutil/reviewtest"
)

// testReviews is I-X1: authentication and authorization reviews work, and no
// webhook receives them. A ConfigMap shows that the webhooks of both phases are
// in force.
func testReviews(t *testing.T, s *server) {
	namespace := s.namespace(t, "i-x1")
	var heard list
	hooks := process.ServeTLS(t, reviewtest.Answer(func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		heard.add(r.Resource.Resource)
		return &admissionv1.AdmissionResponse{Allowed: true}
	}))
	exact, ignore := registrationv1.Exact, registrationv1.Ignore
	for _, phase := range phases() {
		s.install(t, phase, "exclusion.integration.test."+phase, registrationv1.MutatingWebhook{
			Name: "control.example.com", ClientConfig: at(hooks, "/control"), Rules: on("configmaps", registrationv1.Create),
			FailurePolicy: &ignore, MatchPolicy: &exact, TimeoutSeconds: new(int32(5)), NamespaceSelector: within(namespace),
		}, registrationv1.MutatingWebhook{
			Name: "excluded.example.com", ClientConfig: at(hooks, "/excluded"), Rules: onReviews(),
			FailurePolicy: &ignore, MatchPolicy: &exact, TimeoutSeconds: new(int32(5)),
		})
	}
	s.review(t, namespace)
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "control"}}
	if _, err := s.CoreV1().ConfigMaps(namespace).Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"configmaps", "configmaps"}, heard.take()); diff != "" {
		t.Errorf("webhooks heard of (-want, +got):\n%s", diff)
	}
}

// onReviews are rules for all that there are.
func onReviews() []registrationv1.RuleWithOperations {
	of := func(group string, resources ...string) registrationv1.RuleWithOperations {
		return registrationv1.RuleWithOperations{
			Operations: []registrationv1.OperationType{registrationv1.Create},
			Rule:       registrationv1.Rule{APIGroups: []string{group}, APIVersions: []string{"*"}, Resources: resources},
		}
	}
	return []registrationv1.RuleWithOperations{
		of("authentication.k8s.io", "tokenreviews", "selfsubjectreviews"),
		of("authorization.k8s.io", "subjectaccessreviews", "selfsubjectaccessreviews", "localsubjectaccessreviews", "selfsubjectrulesreviews"),
	}
}

// review sends a review of each kind and checks its status.
func (s *server) review(t *testing.T, namespace string) {
	t.Helper()
	ctx, options := t.Context(), metav1.CreateOptions{}
	about := &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "get", Resource: "pods"}
	spec := authorizationv1.SubjectAccessReviewSpec{User: "ann", ResourceAttributes: about}
	answer := func(question string, right bool, err error) {
		t.Helper()
		if err != nil || !right {
			t.Errorf("the answer to a %s is not the right one, or the error %v", question, err)
		}
	}
	who, may := s.AuthenticationV1(), s.AuthorizationV1()
	token, err := who.TokenReviews().Create(ctx, &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: s.config.BearerToken}}, options)
	answer("TokenReview", err == nil && token.Status.Authenticated && token.Status.User.Username == "gatehouse:admin", err)
	self, err := who.SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, options)
	answer("SelfSubjectReview", err == nil && self.Status.UserInfo.Username == "gatehouse:admin", err)
	access, err := may.SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{Spec: spec}, options)
	answer("SubjectAccessReview", err == nil && access.Status.Allowed, err)
	own, err := may.SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: about},
	}, options)
	answer("SelfSubjectAccessReview", err == nil && own.Status.Allowed, err)
	local := &authorizationv1.LocalSubjectAccessReview{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}, Spec: spec}
	local, err = may.LocalSubjectAccessReviews(namespace).Create(ctx, local, options)
	answer("LocalSubjectAccessReview", err == nil && local.Status.Allowed, err)
	rules, err := may.SelfSubjectRulesReviews().Create(ctx, &authorizationv1.SelfSubjectRulesReview{
		Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: namespace},
	}, options)
	answer("SelfSubjectRulesReview", err == nil && len(rules.Status.ResourceRules) == 1, err)
}
