package explain

import (
	"fmt"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
)

func scopeClause(scope registrationv1.ScopeType, to *asked) string {
	what := inWords(to.resource.Resource)
	switch {
	case scope != registrationv1.NamespacedScope && scope != registrationv1.ClusterScope:
		return fmt.Sprintf("has scope %s, which is none: write Namespaced, Cluster or *", inWords(string(scope)))
	case to.scope() == registrationv1.NamespacedScope:
		return fmt.Sprintf("has scope Cluster, the request for %s is in a namespace: write Namespaced or *", what)
	case to.namespaced:
		return "has scope Namespaced, and namespaces themselves are cluster-scoped: write Cluster or *"
	}
	return fmt.Sprintf("has scope Namespaced, the request for %s is in no namespace: write Cluster or *", what)
}

// instead are what people write for operations that webhooks know by another name.
var instead = map[string]string{
	"PATCH":            "a PATCH counts as UPDATE, or as CREATE if it creates",
	"APPLY":            "an apply counts as UPDATE, or as CREATE if it creates",
	"DELETECOLLECTION": "of a collection every object counts as a DELETE",
	"EXEC":             "exec, attach, port-forward and proxy count as CONNECT",
	"GET":              "webhooks see no reads",
	"LIST":             "webhooks see no reads",
	"WATCH":            "webhooks see no reads",
}

func operationClause(list []registrationv1.OperationType, operation string) string {
	if len(list) == 0 {
		return "is for no operation: add " + inWords(operation)
	}
	clause := fmt.Sprintf("is for %s, the request is %s", some(list), article(operation))
	for _, o := range list[:min(len(list), longList)] {
		word := string(o)
		switch upper := strings.ToUpper(word); {
		case resembles(word, operation):
			return fmt.Sprintf("%s: write %s, not %s", clause, inWords(operation), inWords(word))
		case instead[upper] != "":
			return clause + ": " + instead[upper]
		}
	}
	return clause + ": add " + inWords(operation)
}

// groupClause knows how API groups are misspelled.
func groupClause(list []string, group string) string {
	if len(list) == 0 {
		return "has no apiGroups: add " + shownGroup(group)
	}
	for _, word := range list[:min(len(list), longList)] {
		if problem := misspelledGroup(word, group); problem != "" {
			return fmt.Sprintf("has apiGroups [%s]: %s", some(list), problem)
		}
	}
	return fmt.Sprintf("has apiGroups [%s], the request's is %s: add it", some(list), shownGroup(group))
}

func misspelledGroup(word, group string) string {
	name, version, versioned := strings.Cut(word, "/")
	switch {
	case group == "" && (word == "core" || plausibleVersion(word)):
		return `the core group is written ""`
	case versioned && (name == group || group == "" && name == "core"):
		return fmt.Sprintf("write the group alone, %s, and the version %s in apiVersions", shownGroup(group), inWords(version))
	case word != "" && strings.HasPrefix(group, word+"."):
		return fmt.Sprintf("the whole name of the group is %s", inWords(group))
	case strings.Contains(word, "*"):
		return fmt.Sprintf("* stands for every group only if it stands alone: add %s", shownGroup(group))
	case resembles(word, group):
		return fmt.Sprintf("write %s", inWords(group))
	}
	return ""
}

func shownGroup(group string) string {
	if group == "" {
		return `"" (the core group)`
	}
	return inWords(group)
}

// versionClause knows how versions are misspelled.
func versionClause(list []string, r resourceID) string {
	if len(list) == 0 {
		return "has no apiVersions: add " + inWords(r.Version)
	}
	for _, word := range list[:min(len(list), longList)] {
		problem := ""
		switch {
		case word == r.Group+"/"+r.Version:
			problem = fmt.Sprintf("write the version alone, %s, and the group in apiGroups", inWords(r.Version))
		case resembles(word, r.Version):
			problem = "write " + inWords(r.Version)
		case len(word) > 1 && strings.Contains(word, "*"):
			problem = fmt.Sprintf("* stands for every version only if it stands alone: add %s", inWords(r.Version))
		}
		if problem != "" {
			return fmt.Sprintf("has apiVersions [%s]: %s", some(list), problem)
		}
	}
	return fmt.Sprintf("has apiVersions [%s], the request's is %s: add it", some(list), inWords(r.Version))
}

// plausibleVersion reports whether a word looks like v1 or v1beta1.
func plausibleVersion(word string) bool {
	return len(word) >= 2 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9' && !strings.Contains(word, "/")
}
