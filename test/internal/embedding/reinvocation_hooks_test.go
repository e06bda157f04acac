package embedding

import (
	"encoding/json"
	"sync"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
)

// changes are what the webhooks of I-R do to a pod, by path. Empty is nothing.
func changes() map[string]func(*corev1.Pod) string {
	always := func(patch string) func(*corev1.Pod) string { return func(*corev1.Pod) string { return patch } }
	when := func(patch string, fits func(*corev1.Pod) bool) func(*corev1.Pod) string {
		return func(pod *corev1.Pod) string {
			if fits(pod) {
				return patch
			}
			return ""
		}
	}
	return map[string]func(*corev1.Pod) string{
		"noop":                always(""),
		"addlabel":            when(addA, func(pod *corev1.Pod) bool { return pod.Labels["a"] != "true" }),
		"conditionaladdlabel": when(addB, func(pod *corev1.Pod) bool { return pod.Labels["a"] != "" }),
		"settrue":             always(fightTrue),
		"setfalse":            always(fightNot),
		// The priority is there, for the plugin runs first.
		"setpriority":        when(raise, func(pod *corev1.Pod) bool { return pod.Spec.PriorityClassName != "high-priority" }),
		"setinvalidpriority": always(mistake),
	}
}

// tally counts calls by path.
type tally struct {
	mu    sync.Mutex
	calls map[string]int
}

// take returns the calls since the last take.
func (c *tally) take() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.calls
	c.calls = nil
	return taken
}

func (c *tally) count(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls == nil {
		c.calls = map[string]int{}
	}
	c.calls[path]++
}

// counted is a webhook that counts its calls and does what its path names.
func (c *tally) counted(path string) answer {
	change := changes()[path]
	return func(r *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		c.count(path)
		pod := &corev1.Pod{}
		if err := json.Unmarshal(r.Object.Raw, pod); err != nil {
			return deny(err.Error())(r)
		}
		if operations := change(pod); operations != "" {
			return patch(operations)(r)
		}
		return allow(r)
	}
}
