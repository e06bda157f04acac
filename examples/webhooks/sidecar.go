package webhooks

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
)

const (
	// proxyName is the name of the injected container.
	proxyName = "proxy"
	// proxyImage comes from the registry that the policy requires.
	proxyImage = registry + "proxy:1.2"
	// optOut is the annotation with which a pod opts out; its value is "no".
	optOut = "example.com/sidecar"
)

// inject adds the proxy to a new pod, unless the pod has it or opts out.
func inject(q *question) *verdict {
	switch {
	case q.pod == nil, q.Operation != admissionv1.Create, isMirror(q.pod),
		q.pod.Annotations[optOut] == "no", hasProxy(q.pod),
		len(q.pod.Spec.Containers) == 0: // there is no list to append to, and the pod is invalid
		return &verdict{}
	}
	proxy := corev1.Container{Name: proxyName, Image: proxyImage}
	return &verdict{patch: []operation{add("/spec/containers/-", proxy)}}
}

func hasProxy(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Spec.Containers, isProxy)
}

func isProxy(c corev1.Container) bool { return c.Name == proxyName }

// ledger counts the sidecar's requests. It is the webhook's side effect, which
// its configuration declares with sideEffects NoneOnDryRun.
type ledger struct {
	mu     sync.Mutex
	counts map[string]int
}

// record counts a request, unless it is a dry run.
func (l *ledger) record(q *question) {
	if !q.isDryRun() {
		l.count(q)
	}
}

func (l *ledger) count(q *question) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[string(q.Operation)+" in "+q.Namespace]++
}

// ServeHTTP sends the counts.
func (l *ledger) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(l.counts) // fails only if the client is gone
}
