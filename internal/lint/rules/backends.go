package rules

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
)

const availability = goodPractices + "#ha-deployment"

// backendRules are about the Services and pods that answer for webhooks.
var backendRules = []*lint.Rule{
	perWebhook(lint.Rule{
		ID: "service-missing", Level: lint.Error, Needs: []string{"Service"},
		Title:   "The Service of the webhook does not exist.",
		Why:     "Every call fails: service not found.",
		Fix:     "Correct the name or the namespace in clientConfig.service, or create the Service.",
		Sources: []string{clusterlint},
	}, sharing(backend("Service"), serviceMissing)),
	perWebhook(lint.Rule{
		ID: "service-port-missing", Level: lint.Error, Needs: []string{"Service"},
		Title:   "The Service does not have the port of the webhook.",
		Why:     "Every call fails: the API server looks up the port in the Service. It is the port of the Service, not of the pods, and 443 by default.",
		Fix:     "Set clientConfig.service.port to a port of the Service.",
		Sources: []string{clusterlint},
	}, sharing(backend("port"), servicePort)),
	perWebhook(lint.Rule{
		ID: "service-without-pods", Level: lint.Error, Needs: []string{"Deployment", "StatefulSet", "DaemonSet", "Pod"},
		Title:   "The Service of the webhook selects no pods.",
		Why:     "A Service without endpoints refuses connections.",
		Fix:     "Let the selector of the Service match the labels of the pods.",
		Sources: []string{clusterlint},
	}, sharing(backend("endpoints"), serviceWithoutPods)),
	perWebhook(lint.Rule{
		ID: "service-without-endpoints", Level: lint.Error, Needs: []string{"EndpointSlice"},
		Title:   "No endpoint of the webhook's Service is ready.",
		Why:     "A Service without ready endpoints refuses connections: the webhook is down now.",
		Fix:     "Find out why the pods are not ready.",
		Sources: []string{clusterlint},
	}, sharing(backend("endpoints"), serviceWithoutEndpoints)),
	perWebhook(lint.Rule{
		ID: "namespace-missing", Level: lint.Error, Needs: []string{"Namespace"},
		Title:   "The namespace of the webhook's Service does not exist.",
		Why:     "Every call fails.",
		Fix:     "Correct the namespace in clientConfig.service.",
		Sources: []string{clusterlint},
	}, sharing(func(w *inventory.Webhook) lint.Cause {
		return lint.Cause{What: "Namespace " + w.Backend.Namespace}
	}, namespaceMissing)),
	perDeployment(lint.Rule{
		ID: "one-replica", Level: lint.Warning,
		Title:   "The webhook has only one pod.",
		Why:     "While it moves or restarts, the API server rejects requests or admits them unchecked.",
		Fix:     "Run two or more replicas.",
		Sources: []string{availability},
	}, func(_ *lint.Cluster, d *appsv1.Deployment) (field, problem string) {
		if n := replicas(d); n <= 1 {
			return "spec.replicas", fmt.Sprintf("The Deployment has %d.", n)
		}
		return "", ""
	}),
	perDeployment(lint.Rule{
		ID: "no-disruption-budget", Level: lint.Info,
		Title:   "No PodDisruptionBudget protects the pods of the webhook.",
		Why:     "A drain of nodes may evict all of its pods at once.",
		Fix:     "Create a PodDisruptionBudget with maxUnavailable: 1.",
		Sources: []string{availability},
	}, noBudget),
	perDeployment(lint.Rule{
		ID: "stops-all-pods", Level: lint.Warning,
		Title:   "An update of the webhook stops all of its pods.",
		Why:     "Until the new pods are ready, the API server rejects requests or admits them unchecked.",
		Fix:     "Use the strategy RollingUpdate with maxUnavailable: 0.",
		Sources: []string{availability, "openchoreo/openchoreo#3723"},
	}, stopsAll),
	perDeployment(lint.Rule{
		ID: "update-stops-pods", Level: lint.Info,
		Title:   "An update of the webhook stops pods before the new ones are ready.",
		Why:     "Until the new pods are ready, the remaining pods serve all requests. If they fail too, the webhook is down.",
		Fix:     "Set maxUnavailable: 0 in the strategy of the Deployment.",
		Sources: []string{"openchoreo/openchoreo#3723", availability},
	}, func(_ *lint.Cluster, d *appsv1.Deployment) (field, problem string) {
		if n, replicas := unavailable(d); n > 0 && n < replicas && replicas <= few {
			return "spec.strategy.rollingUpdate.maxUnavailable", fmt.Sprintf("%d of %d replicas may be unavailable.", n, replicas)
		}
		return "", ""
	}),
	perDeployment(lint.Rule{
		ID: "pods-together", Level: lint.Info,
		Title:   "All pods of the webhook may run on one node.",
		Why:     "When the node fails, the webhook is down until its pods run elsewhere.",
		Fix:     "Add a topologySpreadConstraint or a podAntiAffinity over kubernetes.io/hostname.",
		Sources: []string{"defenseunicorns/uds-core#1509", availability},
	}, func(_ *lint.Cluster, d *appsv1.Deployment) (field, problem string) {
		spec := &d.Spec.Template.Spec
		spread := len(spec.TopologySpreadConstraints) > 0 ||
			spec.Affinity != nil && spec.Affinity.PodAntiAffinity != nil
		if !spread && replicas(d) > 1 {
			return "spec.template.spec", fmt.Sprintf("Nothing keeps the %d replicas on different nodes.", replicas(d))
		}
		return "", ""
	}),
	perDeployment(lint.Rule{
		ID: "no-readiness-probe", Level: lint.Warning,
		Title:   "Pods of the webhook count as ready before they serve.",
		Why:     "Without a readiness probe, a pod becomes an endpoint when its process starts. Calls fail until the process listens.",
		Fix:     "Add a readinessProbe on the port of the webhook.",
		Sources: []string{availability},
	}, func(_ *lint.Cluster, d *appsv1.Deployment) (field, problem string) {
		if !slices.ContainsFunc(d.Spec.Template.Spec.Containers, func(c corev1.Container) bool {
			return c.ReadinessProbe != nil
		}) {
			return "spec.template.spec.containers", "No container has a readinessProbe."
		}
		return "", ""
	}),
	perDeployment(lint.Rule{
		ID: "no-pre-stop", Level: lint.Info,
		Title:   "Pods of the webhook stop before all nodes remove them as endpoints.",
		Why:     "A terminating pod still receives connections for some seconds, until every kube-proxy has removed it.",
		Fix:     "Add a preStop hook that sleeps for some seconds, or let the process wait after SIGTERM.",
		Sources: []string{availability, "https://kubernetes.io/docs/tutorials/services/pods-and-endpoint-termination-flow/"},
	}, func(_ *lint.Cluster, d *appsv1.Deployment) (field, problem string) {
		if !slices.ContainsFunc(d.Spec.Template.Spec.Containers, func(c corev1.Container) bool {
			return c.Lifecycle != nil && c.Lifecycle.PreStop != nil
		}) {
			return "spec.template.spec.containers", "No container has a preStop hook."
		}
		return "", ""
	}),
	perDeployment(lint.Rule{
		ID: "no-priority", Level: lint.Info,
		Title:   "Pods of the webhook have no priority.",
		Why:     "If the nodes are full, other pods may take the capacity, although they cannot be created without the webhook.",
		Fix:     "Set priorityClassName to system-cluster-critical or to your own class.",
		Sources: []string{availability},
	}, func(_ *lint.Cluster, d *appsv1.Deployment) (field, problem string) {
		if d.Spec.Template.Spec.PriorityClassName == "" {
			return "spec.template.spec", "There is no priorityClassName."
		}
		return "", ""
	}),
}

func serviceMissing(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if w.Backend.Service != "" && c.Service(w.Backend) == nil {
		report(lint.Of(w, "clientConfig.service", fmt.Sprintf("There is no Service %s among the inputs.", w.Backend)))
	}
}

func namespaceMissing(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	if w.Backend.Service != "" && !hasNamespace(c, w.Backend.Namespace) {
		report(lint.Of(w, "clientConfig.service.namespace",
			fmt.Sprintf("There is no Namespace %s among the inputs.", w.Backend.Namespace)))
	}
}

func servicePort(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	s := c.Service(w.Backend)
	if s == nil {
		return
	}
	port := int32(443)
	if p := w.ClientConfig.Service.Port; p != nil {
		port = *p
	}
	var ports []int32
	for _, p := range s.Spec.Ports {
		ports = append(ports, p.Port)
	}
	if !slices.Contains(ports, port) {
		report(lint.Of(w, "clientConfig.service", fmt.Sprintf("The port is %d, and the Service has %d.", port, ports)))
	}
}

func serviceWithoutPods(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	s := c.Service(w.Backend)
	if s == nil || len(s.Spec.Selector) == 0 {
		return
	}
	selector := labels.SelectorFromSet(s.Spec.Selector)
	for _, n := range c.Needs {
		if n.Backend == w.Backend && !n.Assumed {
			return
		}
	}
	for _, p := range inventory.Objects[*corev1.Pod](c.Inventory) {
		if p.Object.Namespace == s.Namespace && selector.Matches(labels.Set(p.Object.Labels)) {
			return
		}
	}
	report(lint.Of(w, "clientConfig.service", fmt.Sprintf("Nothing in namespace %s has pods with %s.", s.Namespace, selector)))
}

func serviceWithoutEndpoints(c *lint.Cluster, w *inventory.Webhook, report func(lint.Finding)) {
	found := false
	for _, s := range inventory.Objects[*discoveryv1.EndpointSlice](c.Inventory) {
		if s.Object.Namespace != w.Backend.Namespace ||
			s.Object.Labels[discoveryv1.LabelServiceName] != w.Backend.Service {
			continue
		}
		found = true
		if slices.ContainsFunc(s.Object.Endpoints, func(e discoveryv1.Endpoint) bool {
			return e.Conditions.Ready == nil || *e.Conditions.Ready
		}) {
			return
		}
	}
	if found {
		report(lint.Of(w, "clientConfig.service", fmt.Sprintf("No endpoint of %s is ready.", w.Backend)))
	}
}

// perDeployment returns a rule that examines the Deployments that answer for webhooks,
// each once. of returns the field and what is wrong; empty if nothing is.
func perDeployment(
	r lint.Rule, of func(c *lint.Cluster, d *appsv1.Deployment) (field, problem string),
) *lint.Rule {
	r.Needs = []string{"Deployment"}
	r.Check = func(c *lint.Cluster, report func(lint.Finding)) {
		for _, d := range inventory.Objects[*appsv1.Deployment](c.Inventory) {
			if !answers(c, d.Object) {
				continue
			}
			if field, problem := of(c, d.Object); problem != "" {
				report(lint.Finding{
					Subject:  "Deployment " + d.Object.Namespace + "/" + d.Object.Name,
					Document: d.Document, Field: field, Message: problem,
				})
			}
		}
	}
	return &r
}

// answers reports whether the Service of a webhook selects the pods of a Deployment.
func answers(c *lint.Cluster, d *appsv1.Deployment) bool {
	return slices.ContainsFunc(c.Webhooks, func(w *inventory.Webhook) bool {
		s := c.Service(w.Backend)
		return s != nil && s.Namespace == d.Namespace && len(s.Spec.Selector) > 0 &&
			labels.SelectorFromSet(s.Spec.Selector).Matches(labels.Set(d.Spec.Template.Labels))
	})
}

func noBudget(c *lint.Cluster, d *appsv1.Deployment) (field, problem string) {
	for _, b := range inventory.Objects[*policyv1.PodDisruptionBudget](c.Inventory) {
		selector, err := metav1.LabelSelectorAsSelector(b.Object.Spec.Selector)
		if err == nil && b.Object.Namespace == d.Namespace &&
			selector.Matches(labels.Set(d.Spec.Template.Labels)) {
			return "", ""
		}
	}
	return "spec", "No PodDisruptionBudget selects its pods."
}

// stopsAll computes how many pods an update may stop as the deployment controller does.
func stopsAll(_ *lint.Cluster, d *appsv1.Deployment) (field, problem string) {
	if d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		return "spec.strategy.type", "The strategy is Recreate."
	}
	if n, replicas := unavailable(d); n > 0 && n >= replicas {
		return "spec.strategy.rollingUpdate.maxUnavailable",
			fmt.Sprintf("%d of %d replicas may be unavailable.", n, replicas)
	}
	return "", ""
}

// few are the replicas of most webhooks. An update that stops one of more is no danger.
const few = 3

// replicas returns the number of pods; 1 by default.
func replicas(d *appsv1.Deployment) int {
	if d.Spec.Replicas == nil {
		return 1
	}
	return int(*d.Spec.Replicas)
}

// unavailable returns how many of the replicas an update may stop: maxUnavailable, rounded
// down. If no pod may be added either, it is one, so that the update can go on.
func unavailable(d *appsv1.Deployment) (n, of int) {
	of = replicas(d)
	n, surge := of/4, 1 // by default 25 %, and 25 % more, rounded up
	if r := d.Spec.Strategy.RollingUpdate; r != nil {
		n, surge = scaled(r.MaxUnavailable, of, n, false), scaled(r.MaxSurge, of, surge, true)
	}
	if n == 0 && surge == 0 {
		n = min(1, of)
	}
	return n, of
}

// scaled returns a number of pods; without a value, the default.
func scaled(value *intstr.IntOrString, of, byDefault int, up bool) int {
	if value == nil {
		return byDefault
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(value, of, up)
	if err != nil { // the API server refuses it
		return byDefault
	}
	return n
}
