package webhooks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// TestMutating applies the patches and compares the pods.
func TestMutating(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, why  string
		path       string
		pod        *corev1.Pod
		wantLabels map[string]string
		wantNames  []string
		wantPatch  bool
	}{
		{
			name:       "label without labels",
			why:        "the map has to be made first, or the patch would not apply",
			path:       "/label",
			pod:        newPod(nil, "one", "two"),
			wantLabels: map[string]string{"containers": "2"},
			wantNames:  []string{"a", "b"},
			wantPatch:  true,
		},
		{
			name:       "label beside others",
			why:        "the other labels must survive",
			path:       "/label",
			pod:        newPod(map[string]string{"app": "web"}, "one"),
			wantLabels: map[string]string{"app": "web", "containers": "1"},
			wantNames:  []string{"a"},
			wantPatch:  true,
		},
		{
			name:       "label that became wrong",
			why:        "this is what the second call is for",
			path:       "/label",
			pod:        newPod(map[string]string{"containers": "1"}, "one", "two"),
			wantLabels: map[string]string{"containers": "2"},
			wantNames:  []string{"a", "b"},
			wantPatch:  true,
		},
		{
			name:       "label that is right",
			why:        "a needless patch would count as a change",
			path:       "/label",
			pod:        newPod(map[string]string{"containers": "1"}, "one"),
			wantLabels: map[string]string{"containers": "1"},
			wantNames:  []string{"a"},
		},
		{
			name:      "inject",
			why:       "the proxy comes last: the first container is the one that kubectl logs shows",
			path:      "/inject",
			pod:       newPod(nil, "one"),
			wantNames: []string{"a", "proxy"},
			wantPatch: true,
		},
		{
			name:      "inject into nothing",
			why:       "a patch that does not apply would be an internal error for the user",
			path:      "/inject",
			pod:       newPod(nil),
			wantNames: []string{"proxy"},
			wantPatch: true,
		},
		{
			name: "inject again",
			why:  "container names are unique, and webhooks may be called twice",
			path: "/inject",
			pod: &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
				{Name: "proxy", Image: "mine"}, {Name: "a", Image: "one"},
			}}},
			wantNames: []string{"proxy", "a"},
		},
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row.why == "" || seen[row.name] {
			t.Fatalf("row %q: every row needs a unique name and a reason", row.name)
		}
		seen[row.name] = true
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			response := ask(t.Context(), t, row.path, row.pod)
			if !response.Allowed {
				t.Errorf("denied: %v", response.Result)
			}
			if got := response.Patch != nil; got != row.wantPatch {
				t.Errorf("patch %s, want one: %v (%s)", response.Patch, row.wantPatch, row.why)
			}
			patched := apply(t, row.pod, response)
			if diff := cmp.Diff(row.wantLabels, patched.Labels); diff != "" {
				t.Errorf("labels (-want +got), %s:\n%s", row.why, diff)
			}
			if diff := cmp.Diff(row.wantNames, names(patched)); diff != "" {
				t.Errorf("containers (-want +got), %s:\n%s", row.why, diff)
			}
		})
	}
}

// TestProxyIsAllowed runs a pod through all webhooks but the slow one: the
// policy must neither deny nor warn about the injected container.
func TestProxyIsAllowed(t *testing.T) {
	t.Parallel()
	pod := newPod(nil, "registry.example.com/web:1.0")
	for _, path := range []string{"/label", "/inject", "/label"} {
		pod = apply(t, pod, ask(t.Context(), t, path, pod))
	}
	if got := pod.Labels["containers"]; got != "2" {
		t.Errorf("label containers is %q after the second call, want 2", got)
	}
	if response := ask(t.Context(), t, "/images", pod); !response.Allowed || len(response.Warnings) > 0 {
		t.Errorf("the final pod is denied or warned about: %+v", response)
	}
}

func names(pod *corev1.Pod) []string {
	var names []string
	for _, c := range pod.Spec.Containers {
		names = append(names, c.Name)
	}
	return names
}
