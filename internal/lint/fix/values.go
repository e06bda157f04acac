package fix

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"time"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/lint/outage"
	"example.com/gatehouse/internal/message"
)

// lowersTimeout returns a remedy that sets timeoutSeconds.
func lowersTimeout(seconds int64) remedy {
	return ofWebhook(func(c *lint.Cluster, _ *lint.Finding, w *inventory.Webhook) []edit {
		return []edit{lowerTimeout(c, w, seconds)}
	})
}

// lowerTimeout sets timeoutSeconds, unless it is lower. The default is 10.
func lowerTimeout(c *lint.Cluster, w *inventory.Webhook, seconds int64) edit {
	return editWebhook(c, w, func(webhook map[string]any) {
		if now, ok := webhook["timeoutSeconds"].(int64); !ok || now > seconds {
			webhook["timeoutSeconds"] = seconds
		}
	})
}

// lowersSum lowers the timeouts of all webhooks that receive the witnesses, so that even
// all of them together leave a second of the deadline. Validating webhooks wait at the
// same time and count as one.
func lowersSum(c *lint.Cluster, f *lint.Finding) []edit {
	var edits []edit
	for _, witness := range f.Witnesses {
		i := slices.IndexFunc(c.Matrix.Rows, func(r outage.Row) bool {
			return r.Request == witness.Request
		})
		if i < 0 {
			return nil // unreachable: the witnesses are rows
		}
		called := calledFor(c, &c.Matrix.Rows[i])
		serial, parallel := 0, 0
		for _, w := range called {
			if w.Phase == admission.Mutating {
				serial++
			} else {
				parallel = 1
			}
		}
		limit := int64(witness.Request.Deadline/time.Second-1) / int64(serial+parallel)
		if limit < 1 {
			return nil // too many webhooks
		}
		for _, w := range called {
			edits = append(edits, lowerTimeout(c, w, limit))
		}
	}
	return edits
}

// calledFor returns the webhooks that receive a request, each once.
func calledFor(c *lint.Cluster, row *outage.Row) []*inventory.Webhook {
	var all []*inventory.Webhook
	for _, w := range c.Webhooks {
		if lint.Receives(row.Result, w) {
			all = append(all, w)
		}
	}
	return all
}

// keepsLeases exempts leases, or lowers the timeout of a webhook that is for leases.
func keepsLeases(c *lint.Cluster, f *lint.Finding) []edit {
	if edits := excludesResources(c, f); edits != nil {
		return edits
	}
	return lowersTimeout(3)(c, f)
}

// setsPort sets the port of a Service that has one.
var setsPort = ofWebhook(func(c *lint.Cluster, _ *lint.Finding, w *inventory.Webhook) []edit {
	s := c.Service(w.Backend)
	if s == nil || len(s.Spec.Ports) != 1 {
		return nil
	}
	return []edit{editWebhook(c, w, func(webhook map[string]any) {
		child(child(webhook, "clientConfig"), "service")["port"] = int64(s.Spec.Ports[0].Port)
	})}
})

// copiesCA sets the caBundle of another webhook of the configuration that has the same
// backend: the same certificate.
var copiesCA = ofWebhook(func(c *lint.Cluster, _ *lint.Finding, w *inventory.Webhook) []edit {
	for _, other := range c.Webhooks {
		bundle := other.ClientConfig.CABundle
		if other.Document != w.Document || other.Backend != w.Backend || len(bundle) == 0 {
			continue
		}
		return []edit{editWebhook(c, w, func(webhook map[string]any) {
			child(webhook, "clientConfig")["caBundle"] = base64.StdEncoding.EncodeToString(bundle)
		})}
	}
	return nil
})

// corrects names of resources in a rule that are those of a kind, or almost right.
var corrects = ofWebhook(func(c *lint.Cluster, f *lint.Finding, w *inventory.Webhook) []edit {
	var edits []edit
	for i, rule := range w.Rules {
		if f.Field != fmt.Sprintf("%s.rules[%d].resources", w.Field, i) {
			continue
		}
		for j, resource := range rule.Resources {
			if right := nearest(c, rule, resource); right != "" {
				edits = append(edits, editWebhook(c, w, func(webhook map[string]any) {
					items(webhook, "rules")[i]["resources"].([]any)[j] = right
				}))
			}
		}
	}
	return edits
})

// maxResource is the longest name of a resource: that of a DNS label.
const maxResource = 63

// nearest returns the resource of the groups of a rule that a name means; empty if it is
// right, or if there are several.
func nearest(c *lint.Cluster, rule registrationv1.RuleWithOperations, name string) string {
	parent, sub, hasSub := strings.Cut(name, "/")
	if len(parent) > maxResource {
		return ""
	}
	var found []string
	for r := range c.Kinds.Resources() {
		if !slices.Contains(rule.APIGroups, r.Group) {
			continue
		}
		if r.Resource == parent {
			return ""
		}
		if message.Distance(strings.ToLower(parent), r.Resource) <= 1 &&
			!slices.Contains(found, r.Resource) {
			found = append(found, r.Resource)
		}
	}
	switch {
	case len(found) != 1:
		return ""
	case hasSub:
		return found[0] + "/" + sub
	}
	return found[0]
}

// ofSpec returns a remedy that edits the spec of the object.
func ofSpec(apply func(spec map[string]any)) remedy {
	return func(_ *lint.Cluster, f *lint.Finding) []edit {
		return []edit{{f.Document, func(object map[string]any) { apply(child(object, "spec")) }}}
	}
}

// addsReplica runs two pods, unless they share a volume that one node at a time may have.
func addsReplica(c *lint.Cluster, f *lint.Finding) []edit {
	for _, d := range inventory.Objects[*appsv1.Deployment](c.Inventory) {
		if d.Document == f.Document && slices.ContainsFunc(d.Object.Spec.Template.Spec.Volumes,
			func(v corev1.Volume) bool { return v.PersistentVolumeClaim != nil }) {
			return nil
		}
	}
	return ofSpec(func(spec map[string]any) { spec["replicas"] = int64(2) })(c, f)
}

// keepsPods lets an update start pods before it stops others. The strategy Recreate stays:
// its author may have a reason.
func keepsPods(c *lint.Cluster, f *lint.Finding) []edit {
	if f.Field != "spec.strategy.rollingUpdate.maxUnavailable" {
		return nil
	}
	return ofSpec(func(spec map[string]any) {
		rolling := child(child(spec, "strategy"), "rollingUpdate")
		rolling["maxUnavailable"] = int64(0)
		if surge := rolling["maxSurge"]; surge == int64(0) || surge == "0%" {
			rolling["maxSurge"] = int64(1) // both must not be 0
		}
	})(c, f)
}

// migrates writes a configuration in v1, with the defaults of the old version where they
// differ. A webhook without v1's sideEffects stays.
func migrates(c *lint.Cluster, f *lint.Finding) []edit {
	var edits []edit
	for _, w := range c.Webhooks {
		if w.Document != f.Document {
			continue
		}
		if s := w.SideEffects; s == nil || *s != registrationv1.SideEffectClassNone &&
			*s != registrationv1.SideEffectClassNoneOnDryRun {
			return nil
		}
		edits = append(edits, editWebhook(c, w, func(webhook map[string]any) {
			setOldDefaults(webhook, w)
		}))
	}
	return append(edits, edit{f.Document, func(object map[string]any) {
		object["apiVersion"] = registrationv1.SchemeGroupVersion.String()
	}})
}

func setOldDefaults(webhook map[string]any, w *inventory.Webhook) {
	versions := []any{}
	for _, v := range w.AdmissionReviewVersions {
		versions = append(versions, v)
	}
	for name, value := range map[string]any{
		"failurePolicy": string(*w.FailurePolicy), "matchPolicy": string(*w.MatchPolicy),
		"timeoutSeconds": int64(*w.TimeoutSeconds), "admissionReviewVersions": versions,
	} {
		if webhook[name] == nil {
			webhook[name] = value
		}
	}
}
