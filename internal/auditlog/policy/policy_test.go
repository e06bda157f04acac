package policy_test

import (
	"fmt"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"pgregory.net/rapid"

	"example.com/gatehouse/internal/auditlog/policy"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func rule(mutating bool, group, resource string, operations ...registrationv1.OperationType) policy.Rule {
	return policy.Rule{Mutating: mutating, RuleWithOperations: registrationv1.RuleWithOperations{
		Operations: operations,
		Rule:       registrationv1.Rule{APIGroups: []string{group}, APIVersions: []string{"*"}, Resources: []string{resource}},
	}}
}

// TestOwnPolicyIsEnough: the policy that Text prints leaves nothing out, and without one of
// its rules something is missing.
func TestOwnPolicyIsEnough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var rules []policy.Rule
		for range rapid.IntRange(1, 5).Draw(t, "rules") {
			rules = append(rules, rule(rapid.Bool().Draw(t, "mutating"),
				rapid.SampledFrom([]string{"", "apps", "*", "example.com"}).Draw(t, "group"),
				rapid.SampledFrom([]string{"pods", "deployments", "pods/status", "*", "*/*", "*/scale", "pods/*", "secrets", "pods/exec"}).Draw(t, "resource"),
				rapid.SampledFrom([]registrationv1.OperationType{"*", "CREATE", "UPDATE", "DELETE", "CONNECT"}).Draw(t, "operation")))
		}
		needs := policy.Needs(rules)
		text, err := policy.Text(needs)
		if err != nil {
			t.Fatal(err)
		}
		if gaps, err := policy.Missing(needs, text); err != nil || len(gaps) > 0 {
			t.Errorf("%v, %v is missing in\n%s", err, gaps, text)
		}
		none := "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: None\n"
		if gaps, err := policy.Missing(needs, []byte(none)); err != nil || len(gaps) != len(needs) {
			t.Errorf("%v, %d gaps of %d", err, len(gaps), len(needs))
		}
	})
}

type missing struct {
	row
	rules  string
	want   string
	policy policy.Rule
}

func TestMissing(t *testing.T) {
	t.Parallel()
	deployments := rule(true, "apps", "deployments", "CREATE")
	testtable.Run(t, []missing{
		{row{"level", "Metadata has no patches"}, "- level: Metadata",
			"deployments.apps create Metadata, deployments.apps patch Metadata, deployments.apps update Metadata", deployments},
		{row{"lowest level", "nodes have a lower one than users"}, "- {level: None, userGroups: ['system:nodes']}\n- level: Metadata",
			"deployments.apps create None, deployments.apps delete None, deployments.apps deletecollection None, deployments.apps patch None, deployments.apps update None", deployments},
		{row{"user", "a rule that leaves out the system's own requests is common"}, "- {level: None, userGroups: ['system:nodes']}\n- level: RequestResponse",
			"deployments.apps create None, deployments.apps delete None, deployments.apps deletecollection None, deployments.apps patch None, deployments.apps update None", deployments},
		{row{"namespace", "kube-system, for example"}, "- {level: Request, namespaces: [kube-system], verbs: [create]}\n- level: RequestResponse", "deployments.apps create Request", deployments},
		{row{"stage", "the last event of a request has the answer"}, "- {level: RequestResponse, omitStages: [ResponseComplete]}", "pods create None", rule(false, "", "pods", "CREATE")},
		{row{"nothing", "all is logged"}, "- level: RequestResponse", "", deployments},
		{row{"Secrets", "their bodies are not needed"}, "- level: Metadata", "", rule(true, "", "secrets", "*")},
	}, func(t *testing.T, tc missing) {
		text := "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n" + tc.rules + "\n"
		gaps, err := policy.Missing(policy.Needs([]policy.Rule{tc.policy}), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range gaps {
			got = append(got, fmt.Sprint(g.Resource, " ", g.Verb, " ", g.Got))
		}
		if strings.Join(got, ", ") != tc.want {
			t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), tc.want)
		}
	})
	if _, err := policy.Missing(nil, []byte("kind: Policy")); err == nil {
		t.Error("what is no policy is no error")
	}
}
