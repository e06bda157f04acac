package explain

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// analyzer derives the reasons, hints and causes for the webhooks of one request. It
// keeps the parts of objects that it has read, because objects may be large and webhooks
// many, so use one analyzer for all webhooks. The Explanation must not change in the
// meantime. An analyzer is for one goroutine.
type analyzer struct {
	e *Explanation
	// sent, stored and final hold the metadata of the objects; nil until it is needed.
	sent, stored, final *objectMetadata
	// changedLabels caches changesLabels.
	changedLabels map[*Call]bool
	// round0 has the webhooks of the first mutating round by UID; nil until it is
	// needed.
	round0 map[string]*Webhook
	calls  *callHistory
	// equivalentResources are the equivalents of the request's resource, if
	// equivalentsKnown. equivalentsRead is set when both have been looked up.
	equivalentResources []resourceID
	equivalentsKnown    bool
	equivalentsRead     bool
}

func newAnalyzer(e *Explanation) *analyzer { return &analyzer{e: e, changedLabels: map[*Call]bool{}} }

// laterStages has, for each stage, the later stages that a hint looks ahead to.
// Conditions are not among them: matching has not evaluated them.
var laterStages = map[string][]string{
	stageNamespaceSelector: {stageObjectSelector, stageRules, stageReinvocation},
	stageObjectSelector:    {stageRules, stageReinvocation},
	stageRules:             {stageReinvocation},
	stageConditions:        {stageReinvocation},
}

// hint describes the smallest change that would have had w called in the round r; empty
// if w was called, or if no such change is known. The hint covers the stage that
// excluded w, and each later stage that would have excluded it, as far as the records
// show.
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

// blockingStageHint covers the stage that excluded the webhook.
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

// excludedHint covers the resources that kube-apiserver excludes by default (S-011), and
// others that an embedder excludes.
func excludedHint(q *Request) string {
	if g := q.Resource.Group; g == "authentication.k8s.io" || g == "authorization.k8s.io" {
		return "no configuration of a webhook changes that; on the server, " +
			"the feature gate ExcludeAdmissionWebhookVirtualResources does"
	}
	return fmt.Sprintf("no configuration of a webhook changes that: the server keeps %s from all of them", groupResource(q.Resource))
}

// laterStageHint covers a stage that matching did not reach; empty if the webhook would
// have passed it, or if the records do not show that.
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

// laterObjectSelectorHint evaluates the selector against the labels that the object had
// when the webhook was matched.
func (a *analyzer) laterObjectSelectorHint(r *Round, w *Webhook) string {
	selector, err := metav1.LabelSelectorAsSelector(w.Spec.ObjectSelector)
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

// laterReinvocationHint is empty if the same stage excluded the webhook in round 0: its
// hint applies to both rounds.
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
