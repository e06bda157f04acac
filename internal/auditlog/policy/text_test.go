package policy_test

import (
	"testing"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"sigs.k8s.io/yaml"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/auditlog/policy"
	"example.com/gatehouse/internal/testutil/testtable"
)

type textRow struct {
	row
	rules []policy.Rule
	want  []auditv1.PolicyRule
}

// TestText has whole policies.
func TestText(t *testing.T) {
	t.Parallel()
	of := func(group string, resources ...string) []auditv1.GroupResources {
		return []auditv1.GroupResources{{Group: group, Resources: resources}}
	}
	at := func(level auditv1.Level, resources []auditv1.GroupResources, verbs ...string) auditv1.PolicyRule {
		return auditv1.PolicyRule{Level: level, Resources: resources, Verbs: verbs}
	}
	none := auditv1.PolicyRule{Level: auditv1.LevelNone}
	testtable.Run(t, []textRow{
		{row{"all resources", "Secrets and tokens are among them"}, []policy.Rule{rule(true, "*", "*", "CREATE")}, []auditv1.PolicyRule{
			{Level: auditv1.LevelMetadata, Resources: append(of("", "secrets", "serviceaccounts/token"), of("authentication.k8s.io", "tokenreviews")...)},
			at(auditv1.LevelRequestResponse, of("*", "*"), "create", "patch", "update"),
			at(auditv1.LevelMetadata, of("*", "*"), "delete", "deletecollection"), none,
		}},
		{row{"a wildcard and a resource", "the wildcard has the resource"}, []policy.Rule{rule(true, "apps", "*", "CREATE"), rule(true, "apps", "a", "CREATE"), rule(true, "apps", "b", "CREATE")}, []auditv1.PolicyRule{
			at(auditv1.LevelRequestResponse, of("apps", "*"), "create", "patch", "update"),
			at(auditv1.LevelMetadata, of("apps", "*"), "delete", "deletecollection"), none,
		}},
		{row{"a resource and a wildcard", "the order of the resources is not that of the rules"}, []policy.Rule{rule(false, "apps", "!", "CREATE"), rule(false, "apps", "*", "CREATE")}, []auditv1.PolicyRule{
			at(auditv1.LevelMetadata, of("apps", "*"), "create"), none,
		}},
		{row{"validating beside mutating", "the higher level counts"}, []policy.Rule{rule(true, "apps", "a", "CREATE"), rule(false, "apps", "a", "CREATE")}, []auditv1.PolicyRule{
			at(auditv1.LevelRequestResponse, of("apps", "a"), "create", "patch", "update"),
			at(auditv1.LevelMetadata, of("apps", "a"), "delete", "deletecollection"), none,
		}},
	}, func(t *testing.T, tc textRow) {
		text, err := policy.Text(policy.Needs(tc.rules))
		if err != nil {
			t.Fatal(err)
		}
		var got auditv1.Policy
		if err := yaml.UnmarshalStrict(text, &got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tc.want, got.Rules); d != "" {
			t.Errorf("-want +got\n%s", d)
		}
	})
}
