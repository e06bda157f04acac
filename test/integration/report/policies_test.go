package report

import (
	"context"
	"testing"

	"example.com/gatehouse/internal/testutil/reportsample"
)

func readPolicies(t *testing.T, browser context.Context, width int64) {
	v := open(t, browser, width, reportsample.Document(reportsample.Policies()), "")
	v.wantText("main", "Denied", "by ValidatingAdmissionPolicy few-keys", "policy team-label", "binding team-label-all",
		"1 mutation, 1 change", "policy few-keys", "param shop/limits", "1 of 2 validations failed: Deny, Audit")
	v.wantText(".facts", "Changes", "1")
	v.click("//main//summary[contains(., 'policy few-keys')]")
	v.wantText("main", "validations[1]: at most 3 keys")
	v.click("//main//summary[contains(., 'policy team-label')]")
	v.wantText("main", "mutations[0]", "metadata.labels.team", "mutations[0].applyConfiguration.expression", "They cost 80 together.")
	v.click("//main//summary[contains(., '1 policy or binding not evaluated')]")
	v.wantText("main", "pods-only", "No rule matches", "add configmaps to resources")
	v.picture("policies", true)
	v.click("//div[@role='option'][contains(., 'sellers')]")
	v.wantText(".inspector", "policy team-label, binding team-label-all, mutations[0]")
}
