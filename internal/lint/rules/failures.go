package rules

import (
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/critical"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
)

const exclude = "Exclude the namespace with a namespaceSelector, or the request with a matchCondition."

// failureRules are about requests that are refused while a backend refuses connections.
var failureRules = []*lint.Rule{
	{
		ID: "blocks-own-pods", Level: lint.Error,
		Title:   "The API server rejects the webhook's own pods while the webhook is down.",
		Why:     "If all pods of the webhook stop, no new one can be created, bound or become ready: the webhook cannot start again.",
		Fix:     "Exclude the namespace of the webhook with a namespaceSelector.",
		Sources: []string{selfMutation, "topolvm/topolvm#395", "kyverno/kyverno#16177"},
		Check:   checkOwnPods,
	},
	{
		ID: "deadlock", Level: lint.Error,
		Title:   "Webhooks wait for each other after an outage.",
		Why:     "While one webhook is down, the API server rejects requests that another one needs to start. If all of them are down, none can start again.",
		Fix:     "Exclude the namespaces of the other webhooks.",
		Sources: []string{loops, "defenseunicorns/uds-core#1509"},
		Check:   checkDeadlock,
	},
	refuses("blocks-system-pods", lint.Error,
		"Pods of the system cannot start while the webhook is down.",
		"If a pod of the cluster's DNS, network or storage stops, it is not replaced.",
		exclude, []string{limitScope, gardener, gke, "topolvm/topolvm#57"},
		all(in("kube-system"), isAny("pods", "deployments.apps", "daemonsets.apps"))),
	refuses("blocks-system-objects", lint.Warning,
		"Configuration of the system cannot change while the webhook is down.",
		"Administrators and components of the control plane cannot write ConfigMaps, Secrets, service accounts and roles in kube-system.",
		exclude, []string{gardener, gke},
		all(in("kube-system"), isAny("configmaps", "secrets", "serviceaccounts", "roles.rbac.authorization.k8s.io",
			"endpoints", "endpointslices.discovery.k8s.io", "services"))),
	refuses("blocks-nodes", lint.Error,
		"Nodes cannot join or report while the webhook is down.",
		"New nodes do not register, and nodes cannot be updated, tainted or drained.",
		"Do not intercept nodes, their status, CSINodes or CertificateSigningRequests.",
		[]string{gardener, "projectcapsule/capsule#1135"},
		isAny("nodes", "nodes/status", "csinodes.storage.k8s.io", "certificatesigningrequests.certificates.k8s.io",
			"certificatesigningrequests.certificates.k8s.io/status", "certificatesigningrequests.certificates.k8s.io/approval")),
	refuses("blocks-node-leases", lint.Error,
		"Nodes lose their leases while the webhook is down.",
		"After 40 seconds all nodes count as not ready, and their pods are evicted.",
		"Do not intercept leases, or exclude the namespace kube-node-lease.", []string{limitScope, gke, gardener},
		in("kube-node-lease")),
	refuses("blocks-leader-election", lint.Error,
		"Controllers lose their leader election while the webhook is down.",
		"kube-controller-manager, kube-scheduler and other controllers restart again and again.",
		"Do not intercept leases.", []string{gke, "open-policy-agent/gatekeeper#3829"},
		all(not(in("kube-node-lease")), isAny("leases.coordination.k8s.io"))),
	refuses("blocks-rbac", lint.Warning,
		"Permissions of the cluster cannot change while the webhook is down.",
		"The API server repairs its ClusterRoles when it starts, and the controller for aggregated roles needs to write them.",
		"Exclude roles that begin with system: with a matchCondition, or intercept namespaced roles only.",
		[]string{gardener},
		isAny("clusterroles.rbac.authorization.k8s.io", "clusterrolebindings.rbac.authorization.k8s.io")),
	refuses("blocks-definitions", lint.Warning,
		"New kinds cannot be installed or established while the webhook is down.",
		"Administrators and the API server write CustomResourceDefinitions and their status.",
		"Do not intercept CustomResourceDefinitions, or exclude the API server's user.", []string{gardener},
		isAny("customresourcedefinitions.apiextensions.k8s.io", "customresourcedefinitions.apiextensions.k8s.io/status")),
	refuses("blocks-priority", lint.Warning,
		"Priority classes and flow control cannot be repaired while the webhook is down.",
		"The API server creates and repairs them when it starts.",
		"Do not intercept PriorityClasses and FlowSchemas of the system.", []string{gardener},
		isAny("priorityclasses.scheduling.k8s.io", "flowschemas.flowcontrol.apiserver.k8s.io")),
	refuses("blocks-kubernetes-service", lint.Error,
		"The API server cannot publish its own address while the webhook is down.",
		"If the address of the API server changes, pods do not find it.",
		"Exclude the namespace default, or the user system:apiserver.", []string{gardener},
		all(in("default"), named("kubernetes"))),
	refuses("blocks-endpoints", lint.Error,
		"Services lose their endpoints while the webhook is down.",
		"Endpoints and EndpointSlices are not updated, so Services send requests to pods that are gone.",
		"Do not intercept Endpoints and EndpointSlices.", []string{gardener},
		all(not(in("default")), not(in("kube-system")), isAny("endpoints", "endpointslices.discovery.k8s.io"))),
	refuses("blocks-scheduling", lint.Error,
		"No pod can be scheduled while the webhook is down.",
		"The scheduler binds a pod with a separate request, to pods/binding.",
		"Intercept pods rather than pods/*, or exclude the user system:kube-scheduler.",
		[]string{"SlinkyProject/slurm-operator#189", limitScope},
		isAny("pods/binding")),
	refuses("blocks-pod-status", lint.Error,
		"No pod can become ready while the webhook is down.",
		"Kubelets report the status of pods with pods/status.",
		"Intercept pods rather than pods/*, or exclude the group system:nodes.", []string{limitScope},
		all(isAny("pods/status"))),
	refuses("blocks-pod-tokens", lint.Error,
		"No pod gets its token while the webhook is down.",
		"For each pod that starts, the kubelet requests a token of the service account.",
		"Do not intercept serviceaccounts/token.", []string{limitScope},
		isAny("serviceaccounts/token")),
	refuses("blocks-namespace-deletion", lint.Warning,
		"Namespaces cannot be deleted while the webhook is down.",
		"The namespace controller deletes the content of a namespace through admission.",
		"Exclude DELETE requests of the user system:serviceaccount:kube-system:namespace-controller.",
		[]string{limitScope},
		isAny("namespaces/finalize", "namespaces/status")),
	refuses("blocks-system-namespaces", lint.Info,
		"Namespaces of the system cannot be written while the webhook is down.",
		"API servers create them if they are missing. Some distributions update them whenever a control plane node starts; such a node does not come back.",
		"Exclude the namespaces that begin with kube- with a matchCondition.",
		[]string{"open-policy-agent/gatekeeper#1296", limitScope},
		all(isAny("namespaces"), func(r *critical.Request) bool { return r.As == "apiserver" })),
	refuses("blocks-pod-deletion", lint.Warning,
		"Pods that ended cannot be removed while the webhook is down.",
		"Kubelets and controllers delete pods through admission. Pods of lost nodes remain, and are not replaced.",
		"Exclude the users that begin with system: with a matchCondition, or do not intercept DELETE.",
		[]string{"kyverno/kyverno#3039"},
		all(isAny("pods"), func(r *critical.Request) bool {
			return r.Operation == admissionv1.Delete && strings.HasPrefix(r.User.Username, "system:")
		})),
	refuses("blocks-workload-status", lint.Warning,
		"Controllers cannot report the state of workloads while the webhook is down.",
		"Rollouts, Jobs, autoscaling and quotas depend on the status that their controllers write.",
		"Intercept resources rather than RESOURCE/*, or exclude the users that begin with system:.",
		[]string{limitScope},
		isAny("deployments.apps/status", "jobs.batch/status", "horizontalpodautoscalers.autoscaling/status",
			"resourcequotas/status")),
	refuses("blocks-drain", lint.Warning,
		"Nodes cannot be drained while the webhook is down.",
		"To drain a node, for example for an upgrade, users evict its pods.",
		"Do not intercept pods/eviction, or let failures pass.", []string{limitScope},
		isAny("pods/eviction")),
	refuses("blocks-storage", lint.Warning,
		"Volumes cannot be provisioned or attached while the webhook is down.",
		"Pods with volumes do not start.",
		"Exclude the controllers of volumes.", []string{gardener},
		isAny("volumeattachments.storage.k8s.io", "volumeattachments.storage.k8s.io/status", "persistentvolumes",
			"persistentvolumeclaims/status")),
}

// choice selects requests.
type choice func(*critical.Request) bool

func in(namespace string) choice {
	return func(r *critical.Request) bool { return r.Namespace == namespace }
}

func named(name string) choice {
	return func(r *critical.Request) bool { return r.Name == name }
}

// isAny selects requests for resources, such as "deployments.apps/scale".
func isAny(resources ...string) choice {
	return func(r *critical.Request) bool {
		resource := r.Resource.GroupResource().String()
		if r.Subresource != "" {
			resource += "/" + r.Subresource
		}
		return slices.Contains(resources, resource)
	}
}

func not(c choice) choice { return func(r *critical.Request) bool { return !c(r) } }

func all(choices ...choice) choice {
	return func(r *critical.Request) bool {
		return !slices.ContainsFunc(choices, func(c choice) bool { return !c(r) })
	}
}

// refuses returns a rule about requests that are refused while the backend of a webhook
// refuses connections.
func refuses(
	id string, level lint.Level, title, why, fix string, sources []string, chosen choice,
) *lint.Rule {
	return &lint.Rule{
		ID: id, Level: level, Title: title, Why: why, Fix: fix, Sources: sources,
		Check: func(c *lint.Cluster, report func(lint.Finding)) {
			for _, w := range c.Webhooks {
				witnesses := c.Refusals(w, chosen)
				if len(witnesses) == 0 {
					continue
				}
				f := lint.Of(w, "failurePolicy", fmt.Sprintf("%s rejected while %s is down.",
					count(len(witnesses), "is", "are"), w.Backend))
				f.Witnesses, f.Cause = witnesses, receivesCause(c, w, witnesses)
				report(f)
			}
		},
	}
}

// count returns how many requests something happens to, with a verb in both numbers.
func count(n int, one, several string) string {
	if n == 1 {
		return "1 request that a cluster depends on " + one
	}
	return fmt.Sprintf("%d requests that a cluster depends on %s", n, several)
}

func checkOwnPods(c *lint.Cluster, report func(lint.Finding)) {
	for i := range c.Cold.Stuck {
		s := c.Cold.Stuck[i].Alone
		if s == nil || len(s.Outcome.Failed) == 0 { // other webhooks or a policy reject them
			continue
		}
		w := webhookOf(c, s.Outcome.Failed[0])
		if isGuess(c, w) {
			continue
		}
		f := lint.Of(w, "namespaceSelector", fmt.Sprintf("%s causes the rejection of a request that it needs to start: %s",
			s.Backend, s.Request.Does))
		f.Witnesses = []lint.Witness{
			{Request: s.Request, Down: lint.Refusing(s.Backend), Outcome: s.Outcome},
		}
		report(f)
	}
}

// isGuess reports whether the inputs do not say what decides that a webhook receives its
// own pods: the labels of the pods, or those of their namespace.
func isGuess(c *lint.Cluster, w *inventory.Webhook) bool {
	return isUncertain(c, outage.Edge{Backend: w.Backend, Webhooks: []*admission.Webhook{w.Webhook}})
}

// isAssumed reports whether the inputs do not have the pods of a backend.
func isAssumed(c *lint.Cluster, b inventory.Backend) bool {
	return slices.ContainsFunc(c.Needs, func(n outage.Needs) bool {
		return n.Backend == b && n.Assumed
	})
}

// readsLabels reports whether a selector reads other labels than the name of the
// namespace.
func readsLabels(s *metav1.LabelSelector) bool {
	if s == nil {
		return false
	}
	for key := range s.MatchLabels {
		if key != corev1.LabelMetadataName {
			return true
		}
	}
	return slices.ContainsFunc(s.MatchExpressions, func(e metav1.LabelSelectorRequirement) bool {
		return e.Key != corev1.LabelMetadataName
	})
}

// webhookOf returns a webhook of the inputs.
func webhookOf(c *lint.Cluster, found *admission.Webhook) *inventory.Webhook {
	i := slices.IndexFunc(c.Webhooks, func(w *inventory.Webhook) bool {
		return w.Phase == found.Phase && w.UID == found.UID
	})
	return c.Webhooks[i]
}

func checkDeadlock(c *lint.Cluster, report func(lint.Finding)) {
	if c.Deadlock == nil || len(c.Deadlock.Cycle) < 2 {
		return
	}
	first := c.Deadlock.Cycle[0]
	w := inventoryWebhook(c, first)
	if slices.ContainsFunc(c.Deadlock.Cycle, func(e outage.Edge) bool { return isUncertain(c, e) }) {
		return
	}
	f := lint.Of(w, "namespaceSelector", fmt.Sprintf("%s cannot start before %s, nor %s before %[1]s.",
		first.Backend, first.Blocker, first.Blocker))
	for _, e := range c.Deadlock.Cycle {
		f.Evidence = append(f.Evidence, fmt.Sprintf("%s needs %s: %s", e.Backend, e.Blocker, e.Request.Does))
	}
	for _, e := range c.Deadlock.Exclusions {
		f.Evidence = append(f.Evidence, fmt.Sprintf("exempting namespace %s from %s/%s helps",
			e.Namespace, e.Webhook.Configuration, e.Webhook.Name))
	}
	report(f)
}

// isUncertain reports whether the inputs do not say what decides that a webhook receives
// the pods of a backend.
func isUncertain(c *lint.Cluster, e outage.Edge) bool {
	w := inventoryWebhook(c, e)
	return !hasNamespace(c, e.Backend.Namespace) && readsLabels(w.NamespaceSelector) ||
		isAssumed(c, e.Backend) && !emptySelector(w.ObjectSelector)
}

func inventoryWebhook(c *lint.Cluster, e outage.Edge) *inventory.Webhook {
	return webhookOf(c, e.Webhooks[len(e.Webhooks)-1])
}
