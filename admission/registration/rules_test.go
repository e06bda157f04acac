package registration

import (
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

// ruleCase is one corner of one rule of creation.
type ruleCase struct {
	row
	given []hook
	want  string
}

// TestRules goes through the rules one by one, also where kube-apiserver's own
// tests do not look.
func TestRules(t *testing.T) {
	t.Parallel()
	rows := append(rulesOfNames(), rulesOfRules()...)
	rows = append(rows, rulesOfResources()...)
	rows = append(rows, rulesOfPolicies()...)
	rows = append(rows, rulesOfSelectors()...)
	rows = append(rows, rulesOfClients()...)
	rows = append(rows, rulesOfConditions()...)
	testtable.Run(t, rows, func(t *testing.T, tc ruleCase) {
		for _, c := range bothKinds(config(), tc.given) {
			wantText(t, c, Validate(c), tc.want)
		}
	})
}

func rulesOfNames() []ruleCase {
	const (
		second = `webhooks[1].name: Duplicate value: "webhook.k8s.io"`
		third  = `webhooks[2].name: Duplicate value: "webhook.k8s.io"`
		at     = `webhooks[0].name: Invalid value: `
	)
	long := strings.Repeat("a", 252) + ".b.c"
	return []ruleCase{
		{row{"no webhooks", "a configuration may be empty"}, nil, ""},
		{row{"three parts", "R-021: enough"}, hooks(fine(named("a.b.c"))), ""},
		{row{"upper case", "R-021: a subdomain first, and only then its parts"}, hooks(fine(named("A.b"))), at + `"A.b": ` + subdomainRule},
		{row{"long name", "R-021: two messages about one name are one error, without a space between them"},
			hooks(fine(named(long + "_"))), at + `"` + long + `_": must be no more than 253 characters,` + subdomainRule},
		{row{"name three times", "R-038: every one but the first"}, hooks(fine(), fine(), fine()), list(second, third)},
		{row{"names", "R-038: different ones"}, hooks(fine(), fine(named("b.k8s.io.io"))), ""},
		{row{"two without a name", "R-038: being empty is the only problem"}, hooks(fine(named("")), fine(named(""))),
			list(`webhooks[0].name: Required value`, `webhooks[1].name: Required value`)},
	}
}

func rulesOfRules() []ruleCase {
	const (
		at       = `webhooks[0].rules[0].`
		groups   = at + `apiGroups: `
		versions = at + `apiVersions: `
	)
	with := func(change func(*registrationv1.RuleWithOperations)) []hook { return hooks(fine(rule(change))) }
	groupsOf := func(g ...string) []hook { return with(func(r *registrationv1.RuleWithOperations) { r.APIGroups = g }) }
	versionsOf := func(v ...string) []hook {
		return with(func(r *registrationv1.RuleWithOperations) { r.APIVersions = v })
	}
	scope := func(s registrationv1.ScopeType) []hook {
		return with(func(r *registrationv1.RuleWithOperations) { r.Scope = &s })
	}
	return []ruleCase{
		{row{"operations", "R-022: all four are known"}, hooks(fine(operations("CREATE", "UPDATE", "DELETE", "CONNECT"))), ""},
		{row{"every operation", "R-022: alone"}, hooks(fine(operations("*"))), ""},
		{row{"operation in lower case", "R-022: names are exact"}, hooks(fine(operations("create"))),
			at + `operations[0]: Unsupported value: "create": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`},
		{row{"every operation twice", "R-022: also beside itself"}, hooks(fine(operations("*", "*"))),
			at + `operations: Invalid value: ["*","*"]: if '*' is present, must not specify other operations`},
		{row{"groups", "R-023: the empty group is that of pods"}, groupsOf("", "apps"), ""},
		{row{"no groups", "R-023: an absent list is not the empty group"}, groupsOf(), groups + `Required value`},
		{row{"every group and one", "R-023: one of the two is not meant"}, groupsOf("apps", "*"),
			groups + `Invalid value: ["apps","*"]: if '*' is present, must not specify other API groups`},
		{row{"versions", "R-024: several"}, versionsOf("v1", "v1beta1"), ""},
		{row{"no versions", "R-024: versions have no default"}, versionsOf(), versions + `Required value`},
		{row{"empty version", "R-024: there is no version without a name"}, versionsOf("v1", ""), at + `apiVersions[1]: Required value`},
		{row{"every version, one and none", "R-024: the list first, then its entries"}, versionsOf("*", ""),
			list(versions+`Invalid value: ["*",""]: if '*' is present, must not specify other API versions`, at+`apiVersions[1]: Required value`)},
		{row{"scope", "R-026: cluster"}, scope("Cluster"), ""},
		{row{"scope of namespaces", "R-026: namespaced"}, scope("Namespaced"), ""},
		{row{"every scope", "R-026: what is the default"}, scope("*"), ""},
		{row{"empty scope", "R-026: present but empty is not absent"}, scope(""),
			at + `scope: Unsupported value: "": supported values: "*", "Cluster", "Namespaced"`},
		{row{"empty rule", "R-022 to R-025: in this order"}, with(func(r *registrationv1.RuleWithOperations) { *r = registrationv1.RuleWithOperations{} }),
			list(at+`operations: Required value`, groups+`Required value`, versions+`Required value`, at+`resources: Required value`)},
	}
}

func rulesOfResources() []ruleCase {
	const (
		at     = `webhooks[0].rules[0].resources`
		plain  = `if '*' is present, must not specify other resources without subresources`
		double = `if '*/*' is present, must not specify other resources`
		self   = at + `[1]: Invalid value: "a/*": if 'a/*' is present, must not specify a/*`
	)
	return []ruleCase{
		{row{"resources", "R-025: plain and sub"}, hooks(fine(resources("pods", "pods/status"))), ""},
		{row{"no resources", "R-025: an absent list"}, hooks(fine(resources())), at + `: Required value`},
		{row{"empty resource", "R-025: entries have names"}, hooks(fine(resources("a", ""))), at + `[1]: Required value`},
		{row{"everything alone", "R-025: nothing beside it"}, hooks(fine(resources("*/*"))), ""},
		{row{"everything and an empty one", "R-025: the empty entry counts for the length"}, hooks(fine(resources("*/*", ""))),
			list(at+`[1]: Required value`, at+`: Invalid value: ["*/*",""]: `+double)},
		{row{"everything twice", "R-025: covered by itself in two ways, which are the same text"}, hooks(fine(resources("*/*", "*/*"))),
			list(at+`[1]: Invalid value: "*/*": if '*/*' is present, must not specify */*`, at+`: Invalid value: ["*/*","*/*"]: `+double)},
		{row{"covered by two", "R-025: both are named, the resource first"}, hooks(fine(resources("a/*", "*/b", "a/b"))),
			list(at+`[2]: Invalid value: "a/b": if 'a/*' is present, must not specify a/b`, at+`[2]: Invalid value: "a/b": if '*/b' is present, must not specify a/b`)},
		{row{"wildcard twice", "R-025: the second is covered by the first"}, hooks(fine(resources("a/*", "a/*"))), self},
		{row{"subresource before all of them", "R-025: only earlier wildcards count"}, hooks(fine(resources("a/x", "a/*"))), ""},
		{row{"subresource before that of all", "R-025: only earlier wildcards count"}, hooks(fine(resources("x/a", "*/a"))), ""},
		{row{"plain resource before all", "R-025: only the last plain entry counts"}, hooks(fine(resources("a", "*"))), ""},
		{row{"plain resource after all", "R-025: then the last one is no wildcard"}, hooks(fine(resources("*", "a", "b/c"))),
			at + `: Invalid value: ["*","a","b/c"]: ` + plain},
		{row{"all between plain resources", "R-025: the last one counts"}, hooks(fine(resources("a", "*", "b"))),
			at + `: Invalid value: ["a","*","b"]: ` + plain},
		{row{"two slashes", "R-025: all behind the first is the subresource"}, hooks(fine(resources("*/b/c", "a/b/c"))),
			at + `[1]: Invalid value: "a/b/c": if '*/b/c' is present, must not specify a/b/c`},
	}
}
