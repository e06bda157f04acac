package fix

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
)

// excludesNamespace returns a remedy that exempts the requests of a namespace.
func excludesNamespace(name string) remedy {
	return ofWebhook(func(c *lint.Cluster, _ *lint.Finding, w *inventory.Webhook) []edit {
		return []edit{excludeNamespace(c, w, name)}
	})
}

// excludeNamespace adds a namespace to those that the namespaceSelector leaves out.
func excludeNamespace(c *lint.Cluster, w *inventory.Webhook, name string) edit {
	return editWebhook(c, w, func(webhook map[string]any) {
		selector := child(webhook, "namespaceSelector")
		for _, e := range items(selector, "matchExpressions") {
			if e["key"] == corev1.LabelMetadataName && e["operator"] == string(metav1.LabelSelectorOpNotIn) {
				add(e, "values", name)
				return
			}
		}
		add(selector, "matchExpressions", map[string]any{
			"key": corev1.LabelMetadataName, "operator": string(metav1.LabelSelectorOpNotIn),
			"values": []any{name},
		})
	})
}

// freesBackend exempts the pods of a backend from its own webhooks. All of them have to
// be exempt, although the finding is about the first that refuses them.
var freesBackend = ofWebhook(func(c *lint.Cluster, _ *lint.Finding, w *inventory.Webhook) []edit {
	return exclusions(c, func(e outage.Exclusion) bool {
		return inventory.BackendOf(e.Webhook) == w.Backend && e.Namespace == w.Backend.Namespace
	})
})

// freesAll exempts what the deadlock needs.
func freesAll(c *lint.Cluster, _ *lint.Finding) []edit {
	return exclusions(c, func(outage.Exclusion) bool { return true })
}

func exclusions(c *lint.Cluster, chosen func(outage.Exclusion) bool) []edit {
	if c.Deadlock == nil {
		return nil
	}
	var edits []edit
	for _, e := range c.Deadlock.Exclusions {
		for _, w := range c.Webhooks {
			if chosen(e) && w.Phase == e.Webhook.Phase && w.UID == e.Webhook.UID {
				edits = append(edits, excludeNamespace(c, w, e.Namespace))
			}
		}
	}
	return edits
}

// excludesResources exempts the resources of the witnesses by a condition for each.
// There are no edits if a rule of the webhook names one of them.
var excludesResources = ofWebhook(
	func(c *lint.Cluster, f *lint.Finding, w *inventory.Webhook) []edit {
		var resources []schema.GroupResource
		subresources := map[schema.GroupResource][]string{}
		for _, witness := range f.Witnesses {
			r := witness.Request
			if names(w, r.Resource.Resource, r.Subresource) {
				return nil
			}
			group := schema.GroupResource{Group: r.Resource.Group, Resource: r.Resource.Resource}
			if subresources[group] == nil {
				resources = append(resources, group)
			}
			if !slices.Contains(subresources[group], r.Subresource) {
				subresources[group] = append(subresources[group], r.Subresource)
			}
		}
		var edits []edit
		for _, r := range resources {
			edits = append(edits, addCondition(c, w, conditionName(r, subresources[r]),
				resourceCondition(r, subresources[r])))
		}
		return edits
	})

// names reports whether a rule of a webhook names a resource, and not only a wildcard.
func names(w *inventory.Webhook, resource, subresource string) bool {
	if subresource != "" {
		resource += "/" + subresource
	}
	for _, rule := range w.Rules {
		if slices.Contains(rule.Resources, resource) {
			return true
		}
	}
	return false
}

// conditionName returns the name of resourceCondition. It has the subresources unless the
// resource itself is exempt, or the name is too long with them.
func conditionName(r schema.GroupResource, subresources []string) string {
	name := "exclude-" + r.String()
	if slices.Contains(subresources, "") {
		return name
	}
	long := name + "-" + strings.Join(subresources, "-")
	if len(validation.IsQualifiedName(long)) > 0 {
		return name
	}
	return long
}

// resourceCondition returns an expression that is false for subresources of a resource.
// The subresource "" is the resource itself.
func resourceCondition(r schema.GroupResource, subresources []string) string {
	var clauses, listed []string
	for _, s := range subresources {
		if s == "" {
			clauses = append(clauses, "!has(request.subResource)")
			continue
		}
		listed = append(listed, fmt.Sprintf("%q", s))
	}
	if len(listed) > 0 {
		sub := fmt.Sprintf("request.subResource in [%s]", strings.Join(listed, ", "))
		if len(clauses) == 0 {
			sub = "has(request.subResource) && " + sub
		}
		clauses = append(clauses, sub)
	}
	sub := strings.Join(clauses, " || ")
	if len(clauses) > 1 {
		sub = "(" + sub + ")"
	}
	return fmt.Sprintf("!(request.resource.group == %q && request.resource.resource == %q && %s)",
		r.Group, r.Resource, sub)
}

// excludesUsers exempts the users of the witnesses if all of them are components of the
// control plane.
var excludesUsers = ofWebhook(func(c *lint.Cluster, f *lint.Finding, w *inventory.Webhook) []edit {
	var users []string
	for _, witness := range f.Witnesses {
		user := witness.Request.User.Username
		if !isComponent(user) {
			return nil
		}
		if !slices.Contains(users, user) {
			users = append(users, user)
		}
	}
	var edits []edit
	for _, user := range users {
		short := user[strings.LastIndex(user, ":")+1:]
		edits = append(edits, addCondition(c, w, "exclude-"+short,
			fmt.Sprintf("request.userInfo.username != %q", user)))
	}
	return edits
})

// isComponent reports whether a user is a component of the control plane.
func isComponent(user string) bool {
	return strings.HasPrefix(user, "system:serviceaccount:kube-system:") ||
		strings.HasPrefix(user, "system:kube-") || user == "system:apiserver"
}

// excludesMirrorPods exempts the mirror pods of static pods.
var excludesMirrorPods = ofWebhook(
	func(c *lint.Cluster, _ *lint.Finding, w *inventory.Webhook) []edit {
		return []edit{addCondition(c, w, "exclude-mirror-pods",
			fmt.Sprintf(`!(request.resource.resource == "pods" && object != null && `+
				`has(object.metadata) && has(object.metadata.annotations) && `+
				`%q in object.metadata.annotations)`, corev1.MirrorPodAnnotationKey))}
	})

// excludesDeletions exempts pods that kubelets and the control plane delete.
var excludesDeletions = ofWebhook(
	func(c *lint.Cluster, _ *lint.Finding, w *inventory.Webhook) []edit {
		return []edit{addCondition(c, w, "exclude-system-deletions",
			`!(request.operation == "DELETE" && request.resource.resource == "pods" && `+
				`["system:node:", "system:kube-", "system:serviceaccount:kube-system:"].exists(`+
				`prefix, request.userInfo.username.startsWith(prefix)))`)}
	})

// addCondition adds a matchCondition, unless there is one with its name.
func addCondition(c *lint.Cluster, w *inventory.Webhook, name, expression string) edit {
	return editWebhook(c, w, func(webhook map[string]any) {
		for _, other := range items(webhook, "matchConditions") {
			if other["name"] == name {
				return
			}
		}
		add(webhook, "matchConditions", map[string]any{"name": name, "expression": expression})
	})
}
