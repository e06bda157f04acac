package policy

import (
	"slices"
	"strings"

	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"sigs.k8s.io/yaml"
)

// document is an audit policy, with the fields in the usual order.
type document struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	OmitStages []string `json:"omitStages"`
	Rules      []rule   `json:"rules"`
}

type rule struct {
	Level     auditv1.Level            `json:"level"`
	Verbs     []string                 `json:"verbs,omitempty"`
	Resources []auditv1.GroupResources `json:"resources,omitempty"`
}

// Text returns the audit policy for the needs, as YAML. It does not log other requests.
func Text(needs []Need) ([]byte, error) {
	d := document{APIVersion: "audit.k8s.io/v1", Kind: "Policy",
		OmitStages: []string{string(auditv1.StageRequestReceived)}}
	if slices.ContainsFunc(needs, Need.coversSensitive) {
		d.Rules = append(d.Rules, rule{Level: auditv1.LevelMetadata, Resources: sensitive})
	}
	for _, level := range []auditv1.Level{auditv1.LevelRequestResponse, auditv1.LevelMetadata} {
		d.Rules = append(d.Rules, rulesOf(needs, level)...)
	}
	d.Rules = append(d.Rules, rule{Level: auditv1.LevelNone})
	return yaml.Marshal(d)
}

// rulesOf returns the rules of a level: one for all resources with the same verbs.
func rulesOf(needs []Need, level auditv1.Level) []rule {
	type resource struct{ group, name string }
	var order []resource
	byResource := map[resource][]string{}
	for _, n := range needs {
		if n.Level != level {
			continue
		}
		r := resource{n.Group, n.Resource}
		if byResource[r] == nil {
			order = append(order, r)
		}
		byResource[r] = append(byResource[r], n.Verb)
	}
	var rules []rule
	for _, r := range order {
		verbs := byResource[r]
		i := slices.IndexFunc(rules, func(other rule) bool { return slices.Equal(other.Verbs, verbs) })
		if i < 0 {
			rules = append(rules, rule{Level: level, Verbs: verbs})
			i = len(rules) - 1
		}
		rules[i].Resources = appendResource(rules[i].Resources, r.group, r.name)
	}
	slices.SortStableFunc(rules, func(a, b rule) int {
		return strings.Compare(strings.Join(a.Verbs, ","), strings.Join(b.Verbs, ","))
	})
	return rules
}

// appendResource adds a resource to those of its group. "*" stands for all of them.
func appendResource(all []auditv1.GroupResources, group, name string) []auditv1.GroupResources {
	i := slices.IndexFunc(all, func(g auditv1.GroupResources) bool { return g.Group == group })
	if i < 0 {
		return append(all, auditv1.GroupResources{Group: group, Resources: []string{name}})
	}
	switch {
	case slices.Contains(all[i].Resources, "*"):
	case name == "*":
		all[i].Resources = []string{name}
	default:
		all[i].Resources = append(all[i].Resources, name)
	}
	return all
}
