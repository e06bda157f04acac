package expect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// createdSecret is the creation of a Secret with the password hunter2.
func createdSecret(tb testing.TB, say string) *admission.Response {
	tb.Helper()
	secret := &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Name: "s", Namespace: "shop", Labels: map[string]string{"app": "web", "strict": "no"}},
		Data:       map[string][]byte{"password": []byte("hunter2")},
	}
	if say != "" {
		secret.Annotations = map[string]string{"say": say}
	}
	return respond(tb, &admission.Request{
		Operation: admissionv1.Create, Kind: corev1.SchemeGroupVersion.WithKind("Secret"),
		Resource: corev1.SchemeGroupVersion.WithResource("secrets"), Namespace: "shop", Name: "s", Object: secret,
	})
}

// TestCheckSecrets looks for secrets in all fields of failures.
func TestCheckSecrets(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		say, expect string
		want        []string
	}
	testtable.Run(t, []test{
		{row{"data", "neither of the two is shown, but it must not read as if they were the same"}, "", `{object: {data: {password: aHVudGVyMw==, user: YW5u}}}`,
			[]string{"object: data.password: differs (both are hidden)", "object: data.user: want (hidden), but it is absent"}},
		{row{"absent", "that there is something may be told"}, "", `{object: {data: {password: null}, stringData: {a: aHVudGVyMw==}}}`,
			[]string{"object: data.password: want it absent, got (hidden)", "object: stringData: want (hidden), but it is absent"}},
		{row{"labels", "labels are public"}, "", `{object: {metadata: {labels: {team: red}}}}`,
			[]string{`object: metadata.labels.team: want "red", got "blue"`}},
		{row{"quoted", "a webhook quotes it"}, "weak: hunter2", `{}`,
			[]string{"allowed: want true, got false: " + denied + "weak: [redacted]"}},
		{row{"quoted in an error", "texts are all alike"}, "hunter2", `{message: strong, webhooks: [{name: company/policy.example.com, outcome: allowed}]}`, []string{
			"message: want one that matches \"strong\", got `" + denied + "[redacted]`",
			`webhooks[0].outcome: want "allowed", got "rejected": ` + denied + "[redacted]"}},
		{row{"patch", "an author may expect one of the data"}, "", `{patch: [{op: add, path: /data/password, value: aHVudGVyMw==}]}`, []string{
			`patch[0].path: want "/data/password", got "/metadata/labels/team"`, "patch[0].value: differs (both are hidden)"}},
	}, func(t *testing.T, tc test) {
		failures := compile(t, tc.expect).Check(createdSecret(t, tc.say))
		if d := cmp.Diff(tc.want, texts(failures)); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
		for _, f := range failures {
			for _, secret := range []string{"hunter2", "aHVudGVyM", "YW5u"} {
				if text := fmt.Sprint(f); strings.Contains(text, secret) {
					t.Errorf("%s is in %s", secret, text)
				}
			}
		}
	})
}
