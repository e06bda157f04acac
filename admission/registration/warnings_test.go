package registration

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// warningCase is a configuration that was written, and what the client is told.
type warningCase struct {
	row
	name  string
	given []hook
	want  []string
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	const (
		reserved = `metadata.name: names ending with ".static.k8s.io" will be reserved for static manifest-based configurations when the ManifestBasedAdmissionControlConfig feature gate is enabled`
		token    = `tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect`
		access   = `subjectaccessreviews.authorization.k8s.io is excluded from admission webhooks; this rule will have no effect`
		self     = `selfsubjectaccessreviews.authorization.k8s.io is excluded from admission webhooks; this rule will have no effect`
	)
	named := func(groups []string, names ...string) edit {
		return rule(func(r *registrationv1.RuleWithOperations) { r.APIGroups, r.Resources = groups, names })
	}
	authn, authz := []string{"authentication.k8s.io"}, []string{"authorization.k8s.io"}
	both := append(append([]string{}, authz...), authn...)
	everyVersion := rule(func(r *registrationv1.RuleWithOperations) {
		r.APIGroups, r.APIVersions, r.Resources = authn, []string{"*"}, []string{"tokenreviews"}
	})
	testtable.Run(t, []warningCase{
		{row{"nothing", "most writes need no warning"}, "a", hooks(fine(resources("pods"))), nil},
		{row{"reserved name", "R-061: every update of one is warned of"}, "a.static.k8s.io", hooks(fine()), []string{reserved}},
		{row{"excluded resource", "R-062: no webhook sees it"}, "a", hooks(fine(named(authn, "tokenreviews"))),
			[]string{`webhooks[0].rules[0]: ` + token}},
		{row{"beside others", "R-062: the rest of the rule has an effect"}, "a", hooks(fine(named(authz, "subjectaccessreviews", "others"))),
			[]string{`webhooks[0].rules[0]: ` + access}},
		{row{"named twice", "R-062: once for each rule"}, "a",
			hooks(fine(named(authn, "tokenreviews", "tokenreviews"), named(authn, "tokenreviews"))),
			[]string{`webhooks[0].rules[0]: ` + token, `webhooks[0].rules[1]: ` + token}},
		{row{"several", "R-062: as the rule lists them, group by group, after the name"}, "a.static.k8s.io",
			hooks(fine(), fine(resources("pods"), named(both, "tokenreviews", "selfsubjectaccessreviews", "subjectaccessreviews"))),
			[]string{reserved, `webhooks[1].rules[1]: ` + self, `webhooks[1].rules[1]: ` + access, `webhooks[1].rules[1]: ` + token}},
		{row{"every group", "R-062: others may be meant"}, "a", hooks(fine(named([]string{"authentication.k8s.io", "*"}, "tokenreviews"))), nil},
		{row{"every resource", "R-062: others may be meant"}, "a", hooks(fine(named(authn, "tokenreviews", "*"))), nil},
		{row{"every version", "R-062: none of them is seen"}, "a", hooks(fine(everyVersion)), []string{`webhooks[0].rules[0]: ` + token}},
		{row{"another group", "R-062: a resource of the same name"}, "a", hooks(fine(named([]string{"example.com"}, "tokenreviews"))), nil},
		{row{"subresource", "R-062: only the plain name counts"}, "a", hooks(fine(named(authn, "tokenreviews/*"))), nil},
	}, func(t *testing.T, tc warningCase) {
		for _, c := range bothKinds(metav1.ObjectMeta{Name: tc.name}, tc.given) {
			if diff := cmp.Diff(tc.want, Warnings(c)); diff != "" {
				t.Errorf("%T (-want +got):\n%s", c, diff)
			}
		}
	})
}
