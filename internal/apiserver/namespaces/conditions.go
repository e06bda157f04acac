package namespaces

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// report writes the conditions of a Terminating namespace to its status, if
// they differ, and returns the namespace. Compat: the texts are those of
// kube-controller-manager, whose groups end in a dot if they are empty.
func (d namespacedResourcesDeleter) report(
	ctx context.Context, namespace *corev1.Namespace, left remaining,
) (*corev1.Namespace, error) {
	changed := false
	for _, c := range left.conditions() {
		changed = setCondition(&namespace.Status, c) || changed
	}
	if !changed {
		return namespace, nil
	}
	return d.Typed.CoreV1().Namespaces().UpdateStatus(ctx, namespace, metav1.UpdateOptions{})
}

// conditions returns all conditions. The status of those without a problem is
// False.
func (r *remaining) conditions() []corev1.NamespaceCondition {
	const removed, allRemoved = "ContentRemoved", "All content successfully removed"
	all := []corev1.NamespaceCondition{
		{
			Type: corev1.NamespaceDeletionDiscoveryFailure, Reason: "ResourcesDiscovered",
			Message: "All resources successfully discovered",
		},
		{
			Type: corev1.NamespaceDeletionGVParsingFailure, Reason: "ParsedGroupVersions",
			Message: "All legacy kube types successfully parsed",
		},
		{
			Type: corev1.NamespaceDeletionContentFailure, Reason: "ContentDeleted",
			Message: "All content successfully deleted, may be waiting on finalization",
		},
		{Type: corev1.NamespaceContentRemaining, Reason: removed, Message: allRemoved},
		{Type: corev1.NamespaceFinalizersRemaining, Reason: removed, Message: allRemoved},
	}
	for i := range all {
		all[i].Status = corev1.ConditionFalse
		if reason, message := r.problem(all[i].Type); reason != "" {
			all[i].Status, all[i].Reason, all[i].Message = corev1.ConditionTrue, reason, message
		}
	}
	return all
}

// problem returns the reason and the message of a condition that is True, and
// "" if it is not.
func (r *remaining) problem(condition corev1.NamespaceConditionType) (reason, message string) {
	switch {
	case condition == corev1.NamespaceDeletionDiscoveryFailure && r.discovery != nil:
		return "DiscoveryFailed", r.discovery.Error()
	case condition == corev1.NamespaceDeletionContentFailure && len(r.deletion) > 0:
		var texts []string
		for _, err := range r.deletion {
			texts = append(texts, err.Error())
		}
		slices.Sort(texts)
		return "ContentDeletionFailed", fmt.Sprintf(
			"Failed to delete all resource types, %d remaining: %s", len(texts), strings.Join(texts, ", "))
	case condition == corev1.NamespaceContentRemaining && len(r.objects) > 0:
		name := func(r schema.GroupResource) string { return r.Resource + "." + r.Group + " has" }
		return "SomeResourcesRemain", "Some resources are remaining: " + counts(r.objects, name)
	case condition == corev1.NamespaceFinalizersRemaining && len(r.finalizers) > 0:
		name := func(finalizer string) string { return finalizer + " in" }
		return "SomeFinalizersRemain", "Some content in the namespace has finalizers remaining: " +
			counts(r.finalizers, name)
	}
	return "", ""
}

// counts returns the numbers of objects as text.
func counts[K comparable](objects map[K]int, name func(K) string) string {
	var texts []string
	for key := range objects {
		texts = append(texts, fmt.Sprintf("%s %d resource instances", name(key), objects[key]))
	}
	slices.Sort(texts)
	return strings.Join(texts, ", ")
}

// setCondition sets a condition and reports whether that changes the status.
func setCondition(status *corev1.NamespaceStatus, c corev1.NamespaceCondition) bool {
	c.LastTransitionTime = metav1.Now()
	i := slices.IndexFunc(status.Conditions, func(old corev1.NamespaceCondition) bool {
		return old.Type == c.Type
	})
	if i < 0 {
		status.Conditions = append(status.Conditions, c)
		return true
	}
	old := &status.Conditions[i]
	if old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
	}
	changed := *old != c
	*old = c
	return changed
}
