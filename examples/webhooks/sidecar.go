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
	// proxyName is the name of the container that is added.
	proxyName = "proxy"
	// proxyImage comes from where the policy wants images to come from.
	proxyImage = registry + "proxy:1.2"
	// optOut is the annotation of pods that want no proxy: its value is "no".
	optOut = "example.com/sidecar"
)

// inject adds the proxy to a new pod, unless the pod has it or does not want it.
func inject(q *question) *verdict {
	switch {
	case q.pod == nil, q.Operation != admissionv1.Create, isMirror(q.pod),
		q.pod.Annotations[optOut] == "no", hasProxy(q.pod),
		len(q.pod.Spec.Containers) == 0: // there is no list to add to, and the pod will be refused
		return &verdict{}
	}
	proxy := corev1.Container{Name: proxyName, Image: proxyImage}
	return &verdict{patch: []operation{add("/spec/containers/-", proxy)}}
}

func hasProxy(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Spec.Containers, isProxy)
}

func isProxy(c corev1.Container) bool { return c.Name == proxyName }

// ledger counts what the sidecar was asked about. It is the side effect of that webhook,
// which its configuration owns up to: sideEffects is NoneOnDryRun.
type ledger struct {
	mu     sync.Mutex
	counts map[string]int
}

// record counts a request, unless nothing comes of it.
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

// ServeHTTP shows the counts.
func (l *ledger) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(l.counts) // fails only when the client has gone
}
