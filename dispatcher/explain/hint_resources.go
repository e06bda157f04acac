package explain

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/matching"
)

// resourceClause compares a rule's resources with the requested one.
func resourceClause(list []string, query *matching.RuleQuery, kind string) string {
	want := printableWord(query.Resource.Resource)
	if query.Subresource != "" {
		want += "/" + printableWord(query.Subresource)
	}
	if len(list) == 0 {
		return "lists no resources: add " + want
	}
	clause := fmt.Sprintf("lists %s, the request is for %s", listWords(list), want)
	for _, entry := range list[:min(len(list), longList)] {
		resource, subresource, _ := strings.Cut(entry, "/")
		if problem := misspelledResource(resource, query, kind); problem != "" {
			return fmt.Sprintf("%s: %s; write %s", clause, problem, want)
		}
		if resource == query.Resource.Resource && looksLike(subresource, query.Subresource) {
			return fmt.Sprintf("%s: write %s", clause, want)
		}
	}
	return clause + ": " + missingEntry(list, query, want)
}

// missingEntry names the entries to add to a list whose entries are all spelled
// correctly.
func missingEntry(list []string, query *matching.RuleQuery, want string) string {
	if query.Subresource == "" {
		return "add " + want
	}
	below := printableWord(query.Resource.Resource) + "/*"
	if slices.Contains(list, "*") {
		return fmt.Sprintf("* does not include subresources, so add %s, %s or */*", want, below)
	}
	return fmt.Sprintf("add %s or %s", want, below)
}

// misspelledResource describes the mistake in an entry that was meant to be the
// resource; empty if there is none.
func misspelledResource(word string, query *matching.RuleQuery, kind string) string {
	resource := query.Resource.Resource
	lower := strings.ToLower(word)
	switch {
	case word == resource || word == "" || word == "*" || len(word) > shortText:
		return ""
	case lower == resource:
		return "resources are written in lower case"
	case word == kind || word != lower && plural(lower) == resource:
		return fmt.Sprintf("%s is the kind, and rules name resources in the plural", printableWord(word))
	case plural(lower) == resource:
		return fmt.Sprintf("%s is the singular, and rules name resources in the plural",
			printableWord(word))
	case shortNames[lower] == resource:
		return fmt.Sprintf("%s is a short name, which only kubectl knows", printableWord(word))
	case strings.HasPrefix(lower, resource+"."):
		return fmt.Sprintf("write the group of %s in apiGroups", printableWord(word))
	case strings.Contains(word, "*"):
		return "* is a wildcard only as the whole entry"
	case looksLike(word, resource):
		return fmt.Sprintf("%s is misspelled", printableWord(word))
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
