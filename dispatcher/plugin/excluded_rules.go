package plugin

import (
	"slices"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/klog/v2"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/matching"
)

// excludedRuleWarnings logs configurations whose rules name excluded resources,
// when a configuration is added and when it changes (S-066). It is not safe for
// concurrent use.
type excludedRuleWarnings struct {
	phase    admission.Phase
	excluded sets.Set[schema.GroupResource]
	// logged holds the first webhook of each configuration of the last
	// snapshot. A configuration that has changed has another one, because it
	// was compiled again.
	logged map[string]*matching.Webhook
}

// newExcludedRuleWarnings returns warnings for the resources that are excluded
// now, which are none if the feature gate is off.
func (b *base) newExcludedRuleWarnings() *excludedRuleWarnings {
	a := &excludedRuleWarnings{phase: b.phase, excluded: sets.New[schema.GroupResource]()}
	if b.exclude {
		a.excluded = b.excluded.Clone()
	}
	return a
}

// log checks the configurations of a snapshot that were not in the last one.
func (a *excludedRuleWarnings) log(logger klog.Logger, snapshot *matching.Snapshot) {
	if len(a.excluded) == 0 {
		return
	}
	first := map[string]*matching.Webhook{}
	named := map[string]sets.Set[string]{}
	var order []string
	for _, w := range snapshot.Webhooks(a.phase) {
		name := w.Configuration
		if first[name] == nil {
			first[name], named[name] = w, sets.New[string]()
			order = append(order, name)
		}
		a.collect(w.Rules, named[name])
	}
	for _, name := range order {
		if resources := named[name]; len(resources) > 0 && a.logged[name] != first[name] {
			logger.Info("Admission webhook configuration names resources that are excluded from admission webhooks; the matching rules will have no effect",
				"kind", a.kind(), "name", name, "excludedResources", sets.List(resources))
		}
	}
	a.logged = first
}

// collect adds the excluded resources that rules name. It ignores rules with a
// wildcard, which name no resource.
func (a *excludedRuleWarnings) collect(
	rules []registrationv1.RuleWithOperations, named sets.Set[string],
) {
	for _, r := range rules {
		if slices.Contains(r.APIGroups, "*") || slices.Contains(r.Resources, "*") {
			continue
		}
		for _, group := range r.APIGroups {
			for _, resource := range r.Resources {
				if gr := (schema.GroupResource{Group: group, Resource: resource}); a.excluded.Has(gr) {
					named.Insert(gr.String())
				}
			}
		}
	}
}

func (a *excludedRuleWarnings) kind() string {
	if a.phase == admission.Mutating {
		return "MutatingWebhookConfiguration"
	}
	return "ValidatingWebhookConfiguration"
}
