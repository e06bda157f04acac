package explain

import (
	"fmt"
	"strings"
)

// advisor gives reasons, hints and causes for the webhooks of one request. It remembers
// what it has read, because objects may be large and webhooks many: whoever needs more
// than one of them keeps it. The Explanation must stay as it is for as long. It belongs to
// one goroutine.
type analyzer struct {
	e *Explanation
	// sent, stored and final are what selectors may look at; nil until they do.
	sent, stored, final *objectMetadata
	// relabeling remembers which calls may have changed labels.
	changedLabels map[*Call]bool
	// first finds the webhooks of the first mutating round by their UID, and past is
	// what happened in all of them; nil until somebody asks.
	round0 map[string]*Webhook
	calls  *callHistory
	// tried are the equivalents of the request's resource, if known is true.
	equivalentResources  []resourceID
	equivalentsKnown  bool
	equivalentsRead bool
}

func newAnalyzer(e *Explanation) *analyzer { return &analyzer{e: e, changedLabels: map[*Call]bool{}} }

// following are the stages after each stage that a hint can look ahead to. Conditions
// are not among them: nobody has evaluated them.
var laterStages = map[string][]string{
	stageNamespaceSelector: {stageObjectSelector, stageRules, stageReinvocation},
	stageObjectSelector:    {stageRules, stageReinvocation},
	stageRules:             {stageReinvocation},
	stageConditions:        {stageReinvocation},
}

// hint returns the smallest change that would have had w called in the round r, in words;
// empty if it was called, or if there is none. It is about the stage that stopped it, and
// about each later one that would have stopped it too, as far as that can be known.
func (a *analyzer) hint(r *Round, w *Webhook) string {
	if w.Called {
		return ""
	}
	first := a.blockingStageHint(r, w)
	if first == "" || w.Error != "" {
		return first
	}
	hints := []string{first}
	for _, stage := range laterStages[w.Stage] {
		if next := a.laterStageHint(r, w, stage); next != "" {
			hints = append(hints, next)
		}
	}
	return strings.Join(hints, "; and then ")
}

// obstacle is about the stage that stopped the webhook.
func (a *analyzer) blockingStageHint(r *Round, w *Webhook) string {
	switch w.Stage {
	case stageExempt:
		return "only a static webhook sees this: one in a manifest in the server's staticManifestsDir, " +
			"with clientConfig.url, in a configuration whose name ends in .static.k8s.io"
	case stageExcluded:
		return excludedHint(&a.e.Request)
	case stageNamespaceSelector:
		return a.namespaceHint(w)
	case stageObjectSelector:
		return a.objectHint(r, w, recordedLabels(w))
	case stageRules:
		return a.rulesHint(w)
	case stageConditions:
		return a.conditionsHint(w)
	case stageReinvocation:
		return a.reinvocationHint(r, w)
	}
	return ""
}

// excludedHint knows which resources kube-apiserver itself excludes (S-011). Other hosts
// may exclude more.
func excludedHint(q *Request) string {
	if g := q.Resource.Group; g == "authentication.k8s.io" || g == "authorization.k8s.io" {
		return "no configuration of a webhook changes that; on the server, " +
			"the feature gate ExcludeAdmissionWebhookVirtualResources does"
	}
	return fmt.Sprintf("no configuration of a webhook changes that: the server keeps %s from all of them", groupResource(q.Resource))
}

// foresee is about a stage that was not reached; empty if the webhook would have passed
// it, or if nobody can know.
func (a *analyzer) laterStageHint(r *Round, w *Webhook, stage string) string {
	switch stage {
	case stageObjectSelector:
		return a.laterObjectSelectorHint(r, w)
	case stageRules:
		return a.laterRulesHint(w)
	case stageReinvocation:
		return a.laterReinvocationHint(r, w)
	}
	return ""
}

// foreseeObjectSelector compares the selector with the labels as they were when it was
// the webhook's turn.
func (a *analyzer) laterObjectSelectorHint(r *Round, w *Webhook) string {
	selector, err := parseSelector(w.Spec.ObjectSelector)
	switch {
	case w.Spec.ObjectSelector == nil:
		return absentSelectorHint(stageObjectSelector)
	case err != nil:
		return invalidSelectorHint(stageObjectSelector, err)
	case selector.Empty():
		return ""
	}
	v, ok := a.labelsAtCall(r, w)
	if !ok || v.matches(selector) {
		return ""
	}
	return a.objectHint(r, w, v)
}

// foreseeReinvocation keeps silent if the same stage stopped the webhook in round 0: what
// helps in one round helps in both.
func (a *analyzer) laterReinvocationHint(r *Round, w *Webhook) string {
	if r.Phase != mutating || r.Round == 0 {
		return ""
	}
	first := a.inRound0(w)
	switch {
	case first == nil || first.Stage == w.Stage && !first.Called:
		return ""
	case !first.Called:
		return "it would still not be called in round 1, because it was not in round 0"
	case a.callHistory().due[w.UID] != nil:
		return ""
	}
	return a.reinvocationHint(r, w)
}
