package dispatcher_test

import (
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/admission"
)

func missRows() []missRow {
	return slices.Concat(missedOperationRows(), missedGroupRows(), missedResourceRows(), missedScopeRows(), missedVersionRows(), missedNamespaceRows(),
		missedObjectRows(), firstStageRows(), unmetRows(), undueRows(), closedRows())
}

func missedOperationRows() []missRow {
	return []missRow{{
		row:  row{"other operation", "the most common of all misses"},
		hook: asksFor("UPDATE", "", "v1", "pods"), stage: "rules",
		hint:  "rules[0] is for UPDATE, the request is a CREATE: add CREATE",
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}, {
		row:  row{"operation in lower case", "API servers refuse it, but manifests are tested before"},
		hook: asksFor("create", "", "v1", "pods"), stage: "rules",
		hint:  "rules[0] is for create, the request is a CREATE: write CREATE, not create",
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}, {
		row:  row{"PATCH", "S-216: there is no such operation"},
		hook: asksFor("PATCH", "", "v1", "pods"), ask: updating, stage: "rules",
		hint:  "rules[0] is for PATCH, the request is an UPDATE: a PATCH counts as UPDATE, or as CREATE if it creates",
		helps: fixes(asksFor("UPDATE", "", "v1", "pods")),
	}, {
		row:  row{"collection", "S-217: one call for each object"},
		hook: asksFor("DELETECOLLECTION", "", "v1", "pods"), ask: deleting, stage: "rules",
		hint:  "rules[0] is for DELETECOLLECTION, the request is a DELETE: deletecollection counts as a DELETE of each object",
		helps: fixes(asksFor("DELETE", "", "v1", "pods")),
	}, {
		row:  row{"exec is no CREATE", "S-001: it is a POST, and still a CONNECT"},
		hook: asksFor("CREATE", "", "v1", "pods/exec"), ask: executing, stage: "rules",
		hint:  "rules[0] is for CREATE, the request is a CONNECT: add CONNECT",
		helps: fixes(asksFor("CONNECT", "", "v1", "pods/exec")),
	}, {
		row:  row{"no operations", "an empty list matches nothing"},
		hook: func(w *admission.Webhook) { w.Rules[0].Operations = nil }, stage: "rules",
		hint:  "rules[0] has no operations: add CREATE",
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}}
}

func missedGroupRows() []missRow {
	deployments := deploying(admissionv1.Create, "")
	return []missRow{{
		row:  row{"core", "S-112: the core group has no name"},
		hook: asksFor("CREATE", "core", "v1", "pods"), stage: "rules",
		hint:  `rules[0] has apiGroups [core]: the core group is written ""`,
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}, {
		row:  row{"version in the group", "as apiVersion is written in manifests"},
		hook: asksFor("CREATE", "apps/v1", "v1", "deployments"), ask: deployments, stage: "rules",
		hint:  "rules[0] has apiGroups [apps/v1]: write the group alone, apps, and the version v1 in apiVersions",
		helps: fixes(asksFor("CREATE", "apps", "v1", "deployments")),
	}, {
		row:  row{"group in the version", "as apiVersion is written in manifests"},
		hook: asksFor("CREATE", "apps", "apps/v1", "deployments"), ask: deployments, stage: "rules",
		hint:  "rules[0] has apiVersions [apps/v1]: write the version alone, v1, and the group in apiGroups",
		helps: fixes(asksFor("CREATE", "apps", "v1", "deployments")),
	}, {
		row:  row{"no group", "deployments are in none of the core group"},
		hook: asksFor("CREATE", "", "v1", "deployments"), ask: deployments, stage: "rules",
		hint:  `rules[0] has apiGroups [""], the request's is apps: add it`,
		helps: fixes(asksFor("CREATE", "apps", "v1", "deployments")),
	}, {
		row:  row{"group of old", "deployments were in extensions for years"},
		hook: asksFor("CREATE", "extensions", "v1", "deployments"), ask: deployments, stage: "rules",
		hint:  "rules[0] has apiGroups [extensions], the request's is apps: add it",
		helps: fixes(asksFor("CREATE", "apps", "v1", "deployments")),
	}, {
		row:  row{"half of a group", "only whole names match"},
		hook: asksFor("CREATE", "toys", "v1", "trains"), ask: toy, stage: "rules",
		hint:  "rules[0] has apiGroups [toys]: the whole name of the group is toys.example.com",
		helps: fixes(asksFor("CREATE", toys, "v1", "trains")),
	}, {
		row:  row{"pattern of groups", "S-112: * is no pattern"},
		hook: asksFor("CREATE", "*.example.com", "v1", "trains"), ask: toy, stage: "rules",
		hint:  "rules[0] has apiGroups [*.example.com]: * is a wildcard only as the whole entry: add toys.example.com",
		helps: fixes(asksFor("CREATE", toys, "v1", "trains")),
	}, {
		row:  row{"version in upper case", "words are compared letter by letter"},
		hook: asksFor("CREATE", "", "V1", "pods"), stage: "rules",
		hint:  "rules[0] has apiVersions [V1]: write v1",
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}}
}

func missedResourceRows() []missRow {
	scale := deploying(admissionv1.Update, "scale")
	return []missRow{{
		row:  row{"subresource", "S-113: who names a resource does not name what is below it"},
		hook: asksFor("UPDATE", "apps", "v1", "deployments"), ask: scale, stage: "rules",
		hint:  "rules[0] lists deployments, the request is for deployments/scale: add deployments/scale or deployments/*",
		helps: fixes(asksFor("UPDATE", "apps", "v1", "deployments/*")),
	}, {
		row:  row{"star and subresource", "S-113: one of the surprises in examples"},
		hook: asksFor("CONNECT", "*", "*", "*"), ask: executing, stage: "rules",
		hint:  "rules[0] lists *, the request is for pods/exec: * does not include subresources, so add pods/exec, pods/* or */*",
		helps: fixes(asksFor("CONNECT", "*", "*", "*/*")),
	}, {
		row:  row{"resource of a subresource", "S-113: who names what is below does not name what it is below of"},
		hook: asksFor("CREATE", "", "v1", "pods/status", "pods/exec"), stage: "rules",
		hint:  "rules[0] lists pods/status, pods/exec, the request is for pods: add pods",
		helps: fixes(asksFor("CREATE", "", "v1", "pods/status", "pods")),
	}, {
		row:  row{"other subresource", "S-113: each is named, or all are"},
		hook: asksFor("CONNECT", "", "v1", "pods/attach"), ask: executing, stage: "rules",
		hint:  "rules[0] lists pods/attach, the request is for pods/exec: add pods/exec or pods/*",
		helps: fixes(asksFor("CONNECT", "", "v1", "pods/exec")),
	}, {
		row:  row{"misspelled subresource", "what is nearly right is replaced, not added to"},
		hook: asksFor("UPDATE", "apps", "v1", "deployments/scales"), ask: scale, stage: "rules",
		hint:  "rules[0] lists deployments/scales, the request is for deployments/scale: write deployments/scale",
		helps: fixes(asksFor("UPDATE", "apps", "v1", "deployments/scale")),
	}, {
		row:  row{"kind", "manifests name kinds, rules resources"},
		hook: asksFor("CREATE", "", "v1", "Pod"), stage: "rules",
		hint:  "rules[0] lists Pod, the request is for pods: Pod is the kind, and rules name resources in the plural; write pods",
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}, {
		row:  row{"singular", "kubectl takes it, rules do not"},
		hook: asksFor("CREATE", "", "v1", "pod"), stage: "rules",
		hint:  "rules[0] lists pod, the request is for pods: pod is the singular, and rules name resources in the plural; write pods",
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}, {
		row:  row{"short name", "kubectl takes it, rules do not"},
		hook: asksFor("CREATE", "apps", "v1", "deploy"), ask: deploying(admissionv1.Create, ""), stage: "rules",
		hint:  "rules[0] lists deploy, the request is for deployments: deploy is a short name, which only kubectl knows; write deployments",
		helps: fixes(asksFor("CREATE", "apps", "v1", "deployments")),
	}, {
		row:  row{"upper case", "words are compared letter by letter"},
		hook: asksFor("CREATE", "", "v1", "Pods"), stage: "rules",
		hint:  "rules[0] lists Pods, the request is for pods: resources are written in lower case; write pods",
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}, {
		row:  row{"with its group", "kubectl takes it, rules do not"},
		hook: asksFor("CREATE", "apps", "v1", "deployments.apps"), ask: deploying(admissionv1.Create, ""), stage: "rules",
		hint:  "rules[0] lists deployments.apps, the request is for deployments: write the group of deployments.apps in apiGroups; write deployments",
		helps: fixes(asksFor("CREATE", "apps", "v1", "deployments")),
	}, {
		row:  row{"typing error", "it is easily overlooked in a list"},
		hook: asksFor("CREATE", "apps", "v1", "deplyoments"), ask: deploying(admissionv1.Create, ""), stage: "rules",
		hint:  "rules[0] lists deplyoments, the request is for deployments: deplyoments is misspelled; write deployments",
		helps: fixes(asksFor("CREATE", "apps", "v1", "deployments")),
	}, {
		row:  row{"pattern of resources", "S-113: * is no pattern"},
		hook: asksFor("CREATE", "", "v1", "po*"), stage: "rules",
		hint:  "rules[0] lists po*, the request is for pods: * is a wildcard only as the whole entry; write pods",
		helps: fixes(asksFor("CREATE", "", "v1", "*")),
	}, {
		row: row{"nearest of several", "a rule that needs one word is nearer than one that needs three"},
		hook: func(w *admission.Webhook) {
			w.Rules = []registrationv1.RuleWithOperations{
				ruleFor("DELETE", "apps", "v1", "deployments"), ruleFor("CREATE", "", "v1", "services"), ruleFor("UPDATE", "", "v1", "pods"),
			}
		}, stage: "rules",
		hint:  "rules[2] is for UPDATE, the request is a CREATE: add CREATE",
		helps: fixes(func(w *admission.Webhook) { w.Rules[2].Operations = []registrationv1.OperationType{"*"} }),
	}, {
		row:  row{"two parts", "one without the other would not help"},
		hook: asksFor("CREATE", "apps", "v1", "deployments"), ask: scale, stage: "rules",
		hint: "rules[0] is for CREATE, the request is an UPDATE: add UPDATE; it lists deployments, the request is for deployments/scale: " +
			"add deployments/scale or deployments/*",
		helps: fixes(asksFor("UPDATE", "apps", "v1", "deployments/scale")),
	}, {
		row:  row{"no rules", "such a webhook is never called"},
		hook: func(w *admission.Webhook) { w.Rules = nil }, stage: "rules",
		hint:  "add a rule: a webhook without rules is never called",
		helps: fixes(asksFor("CREATE", "", "v1", "pods")),
	}}
}

func missedScopeRows() []missRow {
	scope := func(s registrationv1.ScopeType) func(*admission.Webhook) {
		return func(w *admission.Webhook) { w.Rules[0].Scope = &s; w.Rules[0].Resources = []string{"*"} }
	}
	return []missRow{{
		row:  row{"cluster-scoped only", "S-111: pods are in namespaces"},
		hook: scope(registrationv1.ClusterScope), stage: "rules",
		hint:  "rules[0] has scope Cluster, the request for pods is in a namespace: write Namespaced or *",
		helps: fixes(scope(registrationv1.NamespacedScope)),
	}, {
		row:  row{"namespaced only", "S-111: nodes are in none"},
		hook: scope(registrationv1.NamespacedScope), ask: joining, stage: "rules",
		hint:  "rules[0] has scope Namespaced, the request for nodes is in no namespace: write Cluster or *",
		helps: fixes(scope(registrationv1.ClusterScope)),
	}, {
		row:  row{"namespaces themselves", "S-111: requests for them have a namespace and still are cluster-scoped"},
		hook: scope(registrationv1.NamespacedScope), ask: founding(nil), stage: "rules",
		hint:  "rules[0] has scope Namespaced, and namespaces themselves are cluster-scoped: write Cluster or *",
		helps: fixes(scope(registrationv1.ClusterScope)),
	}, {
		row:  row{"unknown scope", "S-111: nothing is in it"},
		hook: scope("namespaced"), stage: "rules",
		hint:  "rules[0] has the invalid scope namespaced: write Namespaced, Cluster or *",
		helps: fixes(scope(registrationv1.NamespacedScope)),
	}}
}

// missedVersionRows are about versions and matchPolicy.
func missedVersionRows() []missRow {
	deployments := deploying(admissionv1.Create, "")
	policy := func(p registrationv1.MatchPolicyType, version string) func(*admission.Webhook) {
		return func(w *admission.Webhook) {
			asksFor("CREATE", "apps", version, "deployments")(w)
			w.MatchPolicy = &p
		}
	}
	// An earlier webhook looked up the equivalents, so they are known.
	informed := func(s *testRequest) {
		s.webhooks = append(s.webhooks, hook(admission.Validating, "other", policy(registrationv1.Equivalent, "v3")))
	}
	return []missRow{{
		row:  row{"other version under Exact", "S-083: another version may be equivalent; the mapper was not called"},
		hook: policy(registrationv1.Exact, "v1beta1"), ask: deployments, stage: "rules",
		hint: "rules[0] has apiVersions [v1beta1], the request's is v1: add it; " +
			"or use matchPolicy Equivalent instead of Exact, if the server knows deployments in such a version",
		helps: fixes(policy(registrationv1.Exact, "v1")),
	}, {
		row:  row{"equivalent under Exact", "S-120: Equivalent would have had it called"},
		hook: policy(registrationv1.Exact, "v1beta1"), ask: deployments, more: informed, stage: "rules",
		hint: "rules[0] has apiVersions [v1beta1], the request's is v1: add it; " +
			"or use matchPolicy Equivalent instead of Exact: deployments are known as apps/v1beta1 too",
		helps: fixes(policy(registrationv1.Equivalent, "v1beta1")),
	}, {
		row:  row{"no equivalent under Exact", "S-120: Equivalent would not have helped, and is not advised"},
		hook: policy(registrationv1.Exact, "v2"), ask: deployments, more: informed, stage: "rules",
		hint:  "rules[0] has apiVersions [v2], the request's is v1: add it",
		helps: fixes(policy(registrationv1.Exact, "v1")),
	}, {
		row:  row{"no equivalent", "S-120: what was tried is told"},
		hook: policy(registrationv1.Equivalent, "v2"), ask: deployments, stage: "rules",
		hint:  "rules[0] has apiVersions [v2], the request's is v1: add it (tried as apps/v1beta1 too)",
		helps: fixes(policy(registrationv1.Equivalent, "v1beta1")),
	}, {
		row: row{"other operation on an equivalent", "S-120: the version is none of the differences"},
		hook: func(w *admission.Webhook) {
			policy(registrationv1.Equivalent, "v1beta1")(w)
			w.Rules[0].Operations[0] = registrationv1.Delete
		}, ask: deployments, stage: "rules",
		hint:  "rules[0] is for DELETE, the request is a CREATE: add CREATE",
		helps: fixes(policy(registrationv1.Equivalent, "v1beta1")),
	}}
}

func updating(r *admission.Request) {
	r.Operation, r.OldObject = admissionv1.Update, pod("app", "web")
}

func deleting(r *admission.Request) {
	r.Operation, r.Object, r.OldObject = admissionv1.Delete, nil, pod("app", "web")
}

func toy(r *admission.Request) {
	r.Kind, r.Resource = toysV1.WithKind("Train"), toysV1.WithResource("trains")
	r.Object = custom(r.Kind, nil)
}

func joining(r *admission.Request) {
	r.Kind, r.Resource, r.Namespace = corev1.SchemeGroupVersion.WithKind("Node"), corev1.SchemeGroupVersion.WithResource("nodes"), ""
	r.Object = custom(r.Kind, nil)
}

// founding is the creation of the namespace "web" with labels.
func founding(labels map[string]any) func(*admission.Request) {
	return func(r *admission.Request) {
		r.Kind, r.Resource = corev1.SchemeGroupVersion.WithKind("Namespace"), corev1.SchemeGroupVersion.WithResource("namespaces")
		r.Namespace, r.Object = "web", custom(r.Kind, labels)
	}
}
