package matching_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// ruleCase is a rule and the part of it that does not match.
type ruleCase struct {
	row
	rule registrationv1.RuleWithOperations
	ask  testRequest
	want admission.RulePart
}

func runRules(t *testing.T, cases []ruleCase) {
	t.Helper()
	testtable.Run(t, cases, func(t *testing.T, tc ruleCase) {
		w := compile(asking(rules(tc.rule)))
		r := request(tc.ask)
		m := match(t.Context(), w, r)
		if diff := cmp.Diff([]admission.RulePart{tc.want}, m.Seen.RuleMisses); diff != "" {
			t.Errorf("part (-want +got):\n%s", diff)
		}
		matches := tc.want == admission.RuleMatched
		if m.Matched() != matches || indexed(w, r) != matches {
			t.Errorf("Matched() = %v, indexed = %v, want %v", m.Matched(), indexed(w, r), matches)
		}
	})
}

func scoped(s registrationv1.ScopeType, r registrationv1.RuleWithOperations) registrationv1.RuleWithOperations {
	r.Scope = &s
	return r
}

func operating(r registrationv1.RuleWithOperations, ops ...registrationv1.OperationType) registrationv1.RuleWithOperations {
	r.Operations = ops
	return r
}

func TestRuleScope(t *testing.T) {
	t.Parallel()
	everything := rule("*", "*", "*/*")
	node := creating(func(a *testRequest) { a.resource.Resource, a.namespace = "nodes", "" })
	namespace := writing(apiadmission.Create, nil)
	finalize := writing(apiadmission.Update, nil, func(a *testRequest) { a.subresource = "finalize" })
	v2 := writing(apiadmission.Create, nil, func(a *testRequest) { a.resource.Version = "v2" })
	grouped := writing(apiadmission.Create, nil, func(a *testRequest) { a.resource.Group = "acme.example.com" })
	cluster, namespaced := registrationv1.ClusterScope, registrationv1.NamespacedScope
	yes, no := admission.RuleMatched, admission.RuleScope
	runRules(t, []ruleCase{
		{row{"absent, namespaced", "S-111: an absent scope is every scope"}, everything, creating(), yes},
		{row{"absent, cluster", "S-111: an absent scope is every scope"}, everything, node, yes},
		{row{"all, namespaced", "S-111: * is every scope"}, scoped(registrationv1.AllScopes, everything), creating(), yes},
		{row{"all, cluster", "S-111: * is every scope"}, scoped(registrationv1.AllScopes, everything), node, yes},
		{row{"Namespaced, namespaced", "S-111: a pod lives in a namespace"}, scoped(namespaced, everything), creating(), yes},
		{row{"Namespaced, cluster", "S-111: a node does not"}, scoped(namespaced, everything), node, no},
		{row{"Cluster, namespaced", "S-111: a pod is not cluster-scoped"}, scoped(cluster, everything), creating(), no},
		{row{"Cluster, cluster", "S-111: a node is"}, scoped(cluster, everything), node, yes},
		{row{"Namespaced, namespace", "S-111: a namespace is no namespaced object although its request has a namespace"}, scoped(namespaced, everything), namespace, no},
		{row{"Cluster, namespace", "S-111: it is a cluster-scoped one"}, scoped(cluster, everything), namespace, yes},
		{row{"Namespaced, namespaces/finalize", "S-111: subresources of namespaces count alike"}, scoped(namespaced, everything), finalize, no},
		{row{"Cluster, namespaces/finalize", "S-111: subresources of namespaces count alike"}, scoped(cluster, everything), finalize, yes},
		{row{"Namespaced, namespaces v2", "S-111: another version is another resource"}, scoped(namespaced, everything), v2, yes},
		{row{"Cluster, namespaces v2", "S-111: another version is another resource"}, scoped(cluster, everything), v2, no},
		{row{"Namespaced, namespaces of a group", "S-111: another group is another resource"}, scoped(namespaced, everything), grouped, yes},
		{row{"Cluster, namespaces of a group", "S-111: another group is another resource"}, scoped(cluster, everything), grouped, no},
		{row{"unknown scope, namespaced", "S-111: any other value matches nothing"}, scoped("Galaxy", everything), creating(), no},
		{row{"unknown scope, cluster", "S-111: any other value matches nothing"}, scoped("Galaxy", everything), node, no},
		{row{"empty scope", "S-111: an empty value is not an absent one"}, scoped("", everything), creating(), no},
	})
}

func TestRuleParts(t *testing.T) {
	t.Parallel()
	podRule := rule("", "v1", "pods")
	several := registrationv1.RuleWithOperations{
		Operations: []registrationv1.OperationType{registrationv1.Update, registrationv1.Create},
		Rule:       registrationv1.Rule{APIGroups: []string{"apps", ""}, APIVersions: []string{"v2", "v1"}, Resources: []string{"nodes", "pods"}},
	}
	deep := rule("", "v1", "pods")
	deep.APIGroups, deep.APIVersions = []string{"apps", "*"}, []string{"v2", "*"}
	nothing := operating(rule("apps", "v2", "nodes"), registrationv1.Delete)
	runRules(t, []ruleCase{
		{row{"all parts", "S-110: scope, operation, group, version and resource"}, podRule, creating(), admission.RuleMatched},
		{row{"one of several", "S-112: any entry of each list will do"}, several, creating(), admission.RuleMatched},
		{row{"wildcards later in a list", "S-112: * counts anywhere in the list"}, deep, creating(), admission.RuleMatched},
		{row{"operation", "S-112: the operation is compared exactly"}, operating(podRule, registrationv1.Update), creating(), admission.RuleOperations},
		{row{"operation in other letters", "S-112: the case counts"}, operating(podRule, "create"), creating(), admission.RuleOperations},
		{row{"operation, wildcard second", "S-112: * counts anywhere in the list"}, operating(podRule, "UPDATE", "*"), creating(), admission.RuleMatched},
		{row{"no operations", "an empty list matches nothing"}, operating(podRule), creating(), admission.RuleOperations},
		{row{"group", "S-112: the group is compared exactly"}, rule("apps", "v1", "pods"), creating(), admission.RuleGroups},
		{row{"core group is not any group", "S-112: an empty group is the core group"}, rule("", "v1", "deployments"), creating(at(deployments)), admission.RuleGroups},
		{row{"group is no pattern", "S-112: only a lone * is special"}, rule("app*", "v1", "deployments"), creating(at(deployments)), admission.RuleGroups},
		{row{"version", "S-112: the version is compared exactly"}, rule("", "v2", "pods"), creating(), admission.RuleVersions},
		{row{"resource", "S-113: the resource is compared exactly"}, rule("", "v1", "nodes"), creating(), admission.RuleResources},
		{row{"first part is named", "S-110: the parts are compared in order"}, scoped("Galaxy", nothing), creating(), admission.RuleScope},
		{row{"second part is named", "S-110: the parts are compared in order"}, nothing, creating(), admission.RuleOperations},
		{row{"third part is named", "S-110: the parts are compared in order"}, rule("apps", "v2", "nodes"), creating(), admission.RuleGroups},
		{row{"fourth part is named", "S-110: the parts are compared in order"}, rule("", "v2", "nodes"), creating(), admission.RuleVersions},
	})
}

func TestRuleResources(t *testing.T) {
	t.Parallel()
	status := creating(func(a *testRequest) { a.subresource = "status" })
	yes, no := admission.RuleMatched, admission.RuleResources
	runRules(t, []ruleCase{
		{row{"pods, pods", "S-113: the resource itself"}, rule("", "v1", "pods"), creating(), yes},
		{row{"pods, pods/status", "S-113: a resource does not include what is below it"}, rule("", "v1", "pods"), status, no},
		{row{"pods/status, pods/status", "S-113: a subresource is named in full"}, rule("", "v1", "pods/status"), status, yes},
		{row{"pods/status, pods", "S-113: and does not include the resource"}, rule("", "v1", "pods/status"), creating(), no},
		{row{"pods/log, pods/status", "S-113: nor another subresource"}, rule("", "v1", "pods/log"), status, no},
		{row{"pods/*, pods", "S-113: r/* includes r"}, rule("", "v1", "pods/*"), creating(), yes},
		{row{"pods/*, pods/status", "S-113: and all below it"}, rule("", "v1", "pods/*"), status, yes},
		{row{"*, pods", "S-113: * is every resource"}, rule("", "v1", "*"), creating(), yes},
		{row{"*, pods/status", "S-113: without its subresources"}, rule("", "v1", "*"), status, no},
		{row{"*/*, pods", "S-113: */* is everything"}, rule("", "v1", "*/*"), creating(), yes},
		{row{"*/*, pods/status", "S-113: */* is everything"}, rule("", "v1", "*/*"), status, yes},
		{row{"*/status, pods/status", "S-113: a subresource of every resource"}, rule("", "v1", "*/status"), status, yes},
		{row{"*/status, pods", "S-113: without the resources themselves"}, rule("", "v1", "*/status"), creating(), no},
		{row{"nodes/*, pods/status", "S-113: the resource still counts"}, rule("", "v1", "nodes/*"), status, no},
		{row{"pods/, pods", "S-113: an empty subresource is none"}, rule("", "v1", "pods/"), creating(), yes},
		{row{"pods/, pods/status", "S-113: an empty subresource is not every one"}, rule("", "v1", "pods/"), status, no},
		{row{"pods/status/x, pods/status", "S-113: only the first slash splits"}, rule("", "v1", "pods/status/x"), status, no},
		{row{"pods/status/x, the same", "S-113: only the first slash splits"}, rule("", "v1", "pods/status/x"), creating(func(a *testRequest) { a.subresource = "status/x" }), yes},
		{row{"/status, pods/status", "S-113: an empty resource is not every one"}, rule("", "v1", "/status"), status, no},
		{row{"second entry", "S-113: any entry will do"}, rule("", "v1", "nodes", "pods"), creating(), yes},
		{row{"entries do not mix", "S-113: both halves have to match in one entry"}, rule("", "v1", "nodes/status", "pods"), status, no},
		{row{"no entries", "an empty list matches nothing"}, rule("", "v1"), creating(), no},
	})
}

// at moves a request to another resource.
func at(gvr schema.GroupVersionResource) func(*testRequest) {
	return func(a *testRequest) { a.resource = gvr }
}
