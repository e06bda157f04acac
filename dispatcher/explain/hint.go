package explain

import (
	"fmt"
)

// analyzer derives the reasons, hints and causes for the webhooks of one
// request. It keeps the parts of objects that it has read, because objects may
// be large and webhooks many, so use one analyzer for all webhooks. The
// Explanation must not change in the meantime. An analyzer is for one
// goroutine.
type analyzer struct {
	e *Explanation
	// sent and final hold the metadata of the objects; nil until it is needed.
	sent, final *objectMetadata
	calls       *callHistory
}

func newAnalyzer(e *Explanation) *analyzer { return &analyzer{e: e} }

// hint describes the smallest change that would have had w pass the stage that
// excluded it in the round r; empty if w was called, or if no such change is
// known.
func (a *analyzer) hint(r *Round, w *Webhook) string {
	if w.Called {
		return ""
	}
	switch w.Stage {
	case stageExempt:
		return "only static webhooks receive this: those of manifests in the server's staticManifestsDir, " +
			"with clientConfig.url, in configurations with a name that ends in .static.k8s.io"
	case stageExcluded:
		return excludedHint(&a.e.Request)
	case stageNamespaceSelector:
		return a.namespaceHint(w)
	case stageObjectSelector:
		return a.objectHint(r, w)
	case stageRules:
		return a.rulesHint(w)
	case stageConditions:
		return a.conditionsHint(w)
	case stageReinvocation:
		return a.reinvocationHint(r, w)
	}
	return ""
}

// excludedHint covers the resources that kube-apiserver excludes by default
// (S-011), and others that an embedder excludes.
func excludedHint(q *Request) string {
	if g := q.Resource.Group; g == "authentication.k8s.io" || g == "authorization.k8s.io" {
		return "no configuration of a webhook changes that; on the server, " +
			"the feature gate ExcludeAdmissionWebhookVirtualResources does"
	}
	return fmt.Sprintf("no configuration of a webhook changes that: the server sends no %s to webhooks", groupResource(q.Resource))
}
