package model

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/test/internal/soak/cluster"
)

// The labels of namespaces: what namespaceSelectors read, and the revision.
const (
	tierLabel    = prefix + "tier"
	versionLabel = prefix + "version"
)

// Namespaces are the names of those in which requests are.
func Namespaces() []string { return []string{"soak-0", "soak-1", "soak-2", "soak-3"} }

// Namespace returns a namespace at a revision. It is golden at every second
// one.
func Namespace(name string, revision int64) cluster.Object {
	labels := map[string]string{versionLabel: strconv.FormatInt(revision, 10)}
	if revision%2 == 0 {
		labels[tierLabel] = "gold"
	}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
}

func goldenSelector() map[string]string { return map[string]string{tierLabel: "gold"} }

func golden(labels map[string]string) bool { return labels[tierLabel] == "gold" }

// goldenIn returns whether a namespace is golden in states: once each of the
// answers that there are.
func goldenIn(states []State, namespace string) []bool {
	var is [2]bool
	for _, s := range states {
		if at, found := s.find(namespace); found && s[at].Golden {
			is[1] = true
		} else {
			is[0] = true
		}
	}
	var answers []bool
	for answer, given := range is {
		if given {
			answers = append(answers, answer == 1)
		}
	}
	return answers
}
