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

// advice tells the log about configurations whose rules name resources that no
// webhook sees, when they come and when they change (S-066). One goroutine at a
// time may use it.
type excludedRuleWarnings struct {
	phase    admission.Phase
	excluded sets.Set[schema.GroupResource]
	// given has the first webhook of each configuration that was looked at; a
	// configuration that was compiled again has another one.
	logged map[string]*matching.Webhook
}

// newAdvice returns advice about what is excluded now; with the feature gate off
// there is nothing to say.
func (b *base) newExcludedRuleWarnings() *excludedRuleWarnings {
	a := &excludedRuleWarnings{phase: b.phase, excluded: sets.New[schema.GroupResource]()}
	if b.exclude {
		a.excluded = b.excluded.Clone()
	}
	return a
}

// give looks at the configurations of a snapshot that are new in it.
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

// collect adds the excluded resources that rules name. A rule with a wildcard
// means no resource in particular.
func (a *excludedRuleWarnings) collect(rules []registrationv1.RuleWithOperations, named sets.Set[string]) {
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
