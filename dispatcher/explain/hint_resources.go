package explain

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// resourceClause compares a rule's resources with the requested one.
func resourceClause(list []string, query *ruleQuery, kind string, d ruleDiff) string {
	want := printableWord(query.resource.Resource)
	if query.subresource != "" {
		want += "/" + printableWord(query.subresource)
	}
	if len(list) == 0 {
		return "lists no resources: add " + want
	}
	clause := fmt.Sprintf("lists %s, the request is for %s", listWords(list), want)
	for _, entry := range list[:min(len(list), longList)] {
		resource, subresource := splitEntry(entry)
		if problem := misspelledResource(resource, query, kind); problem != "" {
			return fmt.Sprintf("%s: %s; write %s", clause, problem, want)
		}
		if resource == query.resource.Resource && looksLike(subresource, query.subresource) {
			return fmt.Sprintf("%s: write %s", clause, want)
		}
	}
	return clause + ": " + missingEntry(list, query, want, d)
}

// missingEntry names the entries to add to a list whose entries are all spelled
// correctly.
func missingEntry(list []string, query *ruleQuery, want string, d ruleDiff) string {
	if query.subresource == "" {
		return "add " + want
	}
	below := printableWord(query.resource.Resource) + "/*"
	for _, entry := range list {
		if entry == "*" && d&diffResource == 0 {
			return fmt.Sprintf("* does not include subresources, so add %s, %s or */*", want, below)
		}
	}
	return fmt.Sprintf("add %s or %s", want, below)
}

// misspelledResource describes the mistake in an entry that was meant to be the
// resource; empty if there is none.
func misspelledResource(word string, query *ruleQuery, kind string) string {
	resource := query.resource.Resource
	lower := strings.ToLower(word)
	switch {
	case word == resource || word == "" || word == "*" || len(word) > shortText:
		return ""
	case lower == resource:
		return "resources are written in lower case"
	case word == kind || word != lower && plural(lower) == resource:
		return fmt.Sprintf("%s is the kind, and rules name resources in the plural", printableWord(word))
	case plural(lower) == resource:
		return fmt.Sprintf("%s is the singular, and rules name resources in the plural", printableWord(word))
	case shortNames[lower] == resource:
		return fmt.Sprintf("%s is short for kubectl only", printableWord(word))
	case strings.HasPrefix(lower, resource+"."):
		return fmt.Sprintf("the group of %s goes to apiGroups", printableWord(word))
	case strings.Contains(word, "*"):
		return "* stands for every resource only if it stands alone"
	case looksLike(word, resource):
		return fmt.Sprintf("there is a mistake in %s", printableWord(word))
	}
	return ""
}

// plural guesses the resource of a kind.
func plural(kind string) string {
	resource, _ := meta.UnsafeGuessKindToResource(schema.GroupVersionKind{Kind: kind})
	return resource.Resource
}

// shortNames are the short names of common resources in kubectl.
var shortNames = map[string]string{
	"cj": "cronjobs", "cm": "configmaps", "crd": "customresourcedefinitions", "crds": "customresourcedefinitions",
	"csr": "certificatesigningrequests", "deploy": "deployments", "ds": "daemonsets", "ep": "endpoints", "ev": "events",
	"hpa": "horizontalpodautoscalers", "ing": "ingresses", "limits": "limitranges", "netpol": "networkpolicies",
	"no": "nodes", "ns": "namespaces", "pc": "priorityclasses", "pdb": "poddisruptionbudgets", "po": "pods",
	"pv": "persistentvolumes", "pvc": "persistentvolumeclaims", "quota": "resourcequotas", "rc": "replicationcontrollers",
	"rs": "replicasets", "sa": "serviceaccounts", "sc": "storageclasses", "sts": "statefulsets", "svc": "services",
}
