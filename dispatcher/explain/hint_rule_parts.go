package explain

import (
	"fmt"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"example.com/gatehouse/matching"
)

func scopeClause(scope registrationv1.ScopeType, query *matching.RuleQuery) string {
	what := printableWord(query.Resource.Resource)
	switch {
	case scope != registrationv1.NamespacedScope && scope != registrationv1.ClusterScope:
		return fmt.Sprintf("has the invalid scope %s: write Namespaced, Cluster or *",
			printableWord(string(scope)))
	case query.Scope() == registrationv1.NamespacedScope:
		return fmt.Sprintf(
			"has scope Cluster, the request for %s is in a namespace: write Namespaced or *", what)
	case query.Namespaced:
		return "has scope Namespaced, and namespaces themselves are cluster-scoped: write Cluster or *"
	}
	return fmt.Sprintf(
		"has scope Namespaced, the request for %s is in no namespace: write Cluster or *", what)
}

// operationAliases explains words that are no operations of webhooks but are
// used as such.
var operationAliases = map[string]string{
	"PATCH":            "a PATCH counts as UPDATE, or as CREATE if it creates",
	"APPLY":            "an apply counts as UPDATE, or as CREATE if it creates",
	"DELETECOLLECTION": "deletecollection counts as a DELETE of each object",
	"EXEC":             "exec, attach, port-forward and proxy count as CONNECT",
	"GET":              "webhooks receive no reads",
	"LIST":             "webhooks receive no reads",
	"WATCH":            "webhooks receive no reads",
}

func operationClause(list []registrationv1.OperationType, operation string) string {
	if len(list) == 0 {
		return "has no operations: add " + printableWord(operation)
	}
	clause := fmt.Sprintf("is for %s, the request is %s", listWords(list), withArticle(operation))
	for _, o := range list[:min(len(list), longList)] {
		word := string(o)
		switch upper := strings.ToUpper(word); {
		case looksLike(word, operation):
			return fmt.Sprintf("%s: write %s, not %s", clause, printableWord(operation), printableWord(word))
		case operationAliases[upper] != "":
			return clause + ": " + operationAliases[upper]
		}
	}
	return clause + ": add " + printableWord(operation)
}

// groupClause compares a rule's apiGroups with the requested group, and
// recognizes common mistakes.
func groupClause(list []string, group string) string {
	if len(list) == 0 {
		return "has no apiGroups: add " + formatGroup(group)
	}
	for _, word := range list[:min(len(list), longList)] {
		if problem := misspelledGroup(word, group); problem != "" {
			return fmt.Sprintf("has apiGroups [%s]: %s", listWords(list), problem)
		}
	}
	return fmt.Sprintf("has apiGroups [%s], the request's is %s: add it", listWords(list),
		formatGroup(group))
}

func misspelledGroup(word, group string) string {
	name, version, versioned := strings.Cut(word, "/")
	switch {
	case group == "" && (word == "core" || looksLikeVersion(word)):
		return `the core group is written ""`
	case versioned && (name == group || group == "" && name == "core"):
		return fmt.Sprintf("write the group alone, %s, and the version %s in apiVersions",
			formatGroup(group), printableWord(version))
	case word != "" && strings.HasPrefix(group, word+"."):
		return fmt.Sprintf("the whole name of the group is %s", printableWord(group))
	case strings.Contains(word, "*"):
		return fmt.Sprintf("* is a wildcard only as the whole entry: add %s", formatGroup(group))
	case looksLike(word, group):
		return fmt.Sprintf("write %s", printableWord(group))
	}
	return ""
}

func formatGroup(group string) string {
	if group == "" {
		return `"" (the core group)`
	}
	return printableWord(group)
}

// versionClause compares a rule's apiVersions with the requested version, and
// recognizes common mistakes.
func versionClause(list []string, r schema.GroupVersionResource) string {
	if len(list) == 0 {
		return "has no apiVersions: add " + printableWord(r.Version)
	}
	for _, word := range list[:min(len(list), longList)] {
		problem := ""
		switch {
		case word == r.Group+"/"+r.Version:
			problem = fmt.Sprintf("write the version alone, %s, and the group in apiGroups",
				printableWord(r.Version))
		case looksLike(word, r.Version):
			problem = "write " + printableWord(r.Version)
		case len(word) > 1 && strings.Contains(word, "*"):
			problem = fmt.Sprintf("* is a wildcard only as the whole entry: add %s",
				printableWord(r.Version))
		}
		if problem != "" {
			return fmt.Sprintf("has apiVersions [%s]: %s", listWords(list), problem)
		}
	}
	return fmt.Sprintf("has apiVersions [%s], the request's is %s: add it", listWords(list),
		printableWord(r.Version))
}

// looksLikeVersion reports whether a word has the form of v1 or v1beta1.
func looksLikeVersion(word string) bool {
	return len(word) >= 2 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9' &&
		!strings.Contains(word, "/")
}
