package webhooks

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// behaviourTwins do alone what they should not.
func behaviourTwins() []Twin {
	return []Twin{
		{"C-IDEMPOTENT", "It adds the proxy also where there is one.", func(s *Server) {
			s.sidecar.before(func(q *question) {
				if q.pod != nil && hasProxy(q.pod) {
					q.pod.Spec.Containers = slices.DeleteFunc(q.pod.Spec.Containers, isProxy)
				}
			})
		}},
		{"C-DRY-RUN", "It allows everything in dry runs, of which nothing comes.", func(s *Server) {
			s.policy.then(func(q *question, v *verdict) {
				if q.isDryRun() {
					v.denial = ""
				}
			})
		}},
		{"C-SIDE-EFFECTS", "It keeps its ledger also in dry runs.", func(s *Server) {
			s.sidecar.record = s.ledger.count
		}},
		{"C-LATENCY", "It may take two seconds, and every fortieth time it takes more than half of what it is given.", func(s *Server) {
			s.configure("timeoutSeconds: 5", "timeoutSeconds: 2")
			var calls atomic.Int64
			s.policy.wrap(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
				given, _ := time.ParseDuration(r.URL.Query().Get("timeout"))
				if calls.Add(1)%40 == 0 {
					time.Sleep(min(given, 2*time.Second)/2 + 100*time.Millisecond)
				}
				next.ServeHTTP(w, r)
			})
		}},
	}
}

// togetherTwins do together what they should not. Each webhook alone does nothing wrong.
func togetherTwins() []Twin {
	opposite := map[string]string{"": "yes", "no": "yes", "yes": "no"}
	return []Twin{
		{"C-ORDER", "The sidecar gives pods a team as well, and whoever comes first wins.", func(s *Server) {
			s.sidecar.then(func(q *question, v *verdict) {
				if q.pod != nil && !isMirror(q.pod) {
					v.patch = append(v.patch, label(q.pod, teamLabel, "mesh")...)
				}
			})
		}},
		{"C-REINVOCATION", "Once a pod has its team and its proxy, the defaults label it as ready; but they are not asked again.", func(s *Server) {
			s.configure("reinvocationPolicy: IfNeeded", "reinvocationPolicy: Never")
			s.defaults.then(whenComplete(func(q *question, v *verdict) { v.set(q.pod, "ready", "yes") }))
		}},
		{"C-FIXPOINT", "Once a pod has its team and its proxy, the two count to six in turns.", func(s *Server) {
			s.defaults.then(whenComplete(countIf(0)))
			s.sidecar.then(whenComplete(countIf(1)))
		}},
		{"C-COLLECTION", "Once a pod has its team and its proxy, the one wants two labels to be equal, and the other wants them to differ.", func(s *Server) {
			s.defaults.then(whenComplete(func(q *question, v *verdict) {
				v.set(q.pod, "left", cmp.Or(q.pod.Labels["right"], "no"))
			}))
			s.sidecar.then(whenComplete(func(q *question, v *verdict) {
				v.set(q.pod, "right", opposite[q.pod.Labels["left"]])
			}))
		}},
	}
}

// whenComplete has something done to pods that came with their team and their proxy, which
// no webhook alone gives them.
func whenComplete(change func(*question, *verdict)) func(*question, *verdict) {
	return func(q *question, v *verdict) {
		if q.pod != nil && q.pod.Labels[teamLabel] != "" && hasProxy(q.pod) {
			change(q, v)
		}
	}
}

// countIf counts further in a label if the rest of what is there, divided by two, is as
// given; up to six.
func countIf(rest int) func(*question, *verdict) {
	return func(q *question, v *verdict) {
		if n, _ := strconv.Atoi(q.pod.Labels["step"]); n%2 == rest && n < 6 {
			v.set(q.pod, "step", strconv.Itoa(n+1))
		}
	}
}

// set sets a label, whatever there is, of a pod that has some labels.
func (v *verdict) set(pod *corev1.Pod, key, value string) {
	if pod.Labels[key] != value {
		v.patch = append(v.patch, add("/metadata/labels/"+key, value))
	}
}

// objectTwins spoil what is not theirs.
func objectTwins() []Twin {
	return []Twin{
		{"C-IDENTITY", "It puts the team in front of the names of pods.", func(s *Server) {
			s.defaults.then(func(q *question, v *verdict) {
				prefix := q.Namespace + "-"
				if len(v.patch) > 0 && q.pod.Name != "" && !strings.HasPrefix(q.pod.Name, prefix) {
					v.patch = append(v.patch, add("/metadata/name", prefix+q.pod.Name))
				}
			})
		}},
		{"C-MIRROR-PODS", "It does not spare mirror pods.", func(s *Server) {
			s.sidecar.before(func(q *question) {
				if q.pod != nil {
					delete(q.pod.Annotations, corev1.MirrorPodAnnotationKey)
				}
			})
		}},
		{"C-MANAGED-FIELDS", "It takes away what it thinks is clutter.", func(s *Server) {
			s.defaults.then(func(q *question, v *verdict) {
				if len(q.pod.ManagedFields) > 0 {
					v.patch = append(v.patch, operation{Op: "remove", Path: "/metadata/managedFields"})
				}
			})
		}},
		{"C-MINIMAL-PATCH", "It replaces the list of containers to add one.", func(s *Server) {
			s.sidecar.then(func(q *question, v *verdict) {
				for i := range v.patch {
					var pod struct{ Spec struct{ Containers []any } } // with all that is in them
					_ = json.Unmarshal(q.Object.Raw, &pod)            // which look has read already
					v.patch[i] = operation{"replace", "/spec/containers", append(pod.Spec.Containers, v.patch[i].Value)}
				}
			})
		}},
	}
}
