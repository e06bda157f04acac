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

// behaviourTwins have a defect in the behaviour of one webhook.
func behaviourTwins() []Twin {
	return []Twin{
		{"C-IDEMPOTENT", "It adds the proxy even if there is one.", func(s *Server) {
			s.sidecar.before(func(q *question) {
				if q.pod != nil && hasProxy(q.pod) {
					q.pod.Spec.Containers = slices.DeleteFunc(q.pod.Spec.Containers, isProxy)
				}
			})
		}},
		{"C-DRY-RUN", "It allows everything in dry runs.", func(s *Server) {
			s.policy.then(func(q *question, v *verdict) {
				if q.isDryRun() {
					v.denial = ""
				}
			})
		}},
		{"C-SIDE-EFFECTS", "It updates its ledger even in dry runs.", func(s *Server) {
			s.sidecar.record = s.ledger.count
		}},
		{"C-LATENCY", "Every fortieth call takes more than half of its timeout.",
			func(s *Server) {
				var calls atomic.Int64
				s.policy.wrap(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
					given, _ := time.ParseDuration(r.URL.Query().Get("timeout"))
					if calls.Add(1)%40 == 0 {
						time.Sleep(given/2 + 100*time.Millisecond)
					}
					next.ServeHTTP(w, r)
				})
			}},
	}
}

// togetherTwins have a defect in the interaction of webhooks. Each webhook
// alone is correct.
func togetherTwins() []Twin {
	opposite := map[string]string{"": "yes", "no": "yes", "yes": "no"}
	return []Twin{
		{"C-ORDER", "The sidecar gives pods a team as well, and the first webhook wins.",
			func(s *Server) {
				s.sidecar.then(func(q *question, v *verdict) {
					if q.pod != nil && !isMirror(q.pod) {
						v.patch = append(v.patch, label(q.pod, teamLabel, "mesh")...)
					}
				})
			}},
		{"C-REINVOCATION", "The defaults label a complete pod, but are not reinvoked.", func(s *Server) {
			s.configure("reinvocationPolicy: IfNeeded", "reinvocationPolicy: Never")
			s.defaults.then(whenComplete(func(q *question, v *verdict) { v.set(q.pod, "ready", "yes") }))
		}},
		{"C-FIXPOINT", "In a complete pod, two webhooks count to six in turns.",
			func(s *Server) {
				s.defaults.then(whenComplete(countIf(0)))
				s.sidecar.then(whenComplete(countIf(1)))
			}},
		{"C-COLLECTION", "Two webhooks disagree on whether two labels are equal.", func(s *Server) {
			s.defaults.then(whenComplete(func(q *question, v *verdict) {
				v.set(q.pod, "left", cmp.Or(q.pod.Labels["right"], "no"))
			}))
			s.sidecar.then(whenComplete(func(q *question, v *verdict) {
				v.set(q.pod, "right", opposite[q.pod.Labels["left"]])
			}))
		}},
	}
}

// whenComplete applies the change to pods that arrive with team and proxy,
// which no webhook alone sets.
func whenComplete(change func(*question, *verdict)) func(*question, *verdict) {
	return func(q *question, v *verdict) {
		if q.pod != nil && q.pod.Labels[teamLabel] != "" && hasProxy(q.pod) {
			change(q, v)
		}
	}
}

// countIf increments a number in a label if the remainder of its division by
// two is rest, up to six.
func countIf(rest int) func(*question, *verdict) {
	return func(q *question, v *verdict) {
		if n, _ := strconv.Atoi(q.pod.Labels["step"]); n%2 == rest && n < 6 {
			v.set(q.pod, "step", strconv.Itoa(n+1))
		}
	}
}

// set overwrites a label of a pod that has some labels.
func (v *verdict) set(pod *corev1.Pod, key, value string) {
	if pod.Labels[key] != value {
		v.patch = append(v.patch, add("/metadata/labels/"+key, value))
	}
}

// objectTwins damage other parts of the object.
func objectTwins() []Twin {
	return []Twin{
		{"C-IDENTITY", "It prefixes the names of pods with the team.", func(s *Server) {
			s.defaults.then(func(q *question, v *verdict) {
				prefix := q.Namespace + "-"
				if len(v.patch) > 0 && q.pod.Name != "" && !strings.HasPrefix(q.pod.Name, prefix) {
					v.patch = append(v.patch, add("/metadata/name", prefix+q.pod.Name))
				}
			})
		}},
		{"C-MIRROR-PODS", "It changes mirror pods.", func(s *Server) {
			s.sidecar.before(func(q *question) {
				if q.pod != nil {
					delete(q.pod.Annotations, corev1.MirrorPodAnnotationKey)
				}
			})
		}},
		{"C-MANAGED-FIELDS", "It removes managedFields.", func(s *Server) {
			s.defaults.then(func(q *question, v *verdict) {
				if len(q.pod.ManagedFields) > 0 {
					v.patch = append(v.patch, operation{Op: "remove", Path: "/metadata/managedFields"})
				}
			})
		}},
		{"C-MINIMAL-PATCH", "It replaces the list of containers to add one.", func(s *Server) {
			s.sidecar.then(func(q *question, v *verdict) {
				for i := range v.patch {
					var pod struct{ Spec struct{ Containers []any } } // with all their fields
					_ = json.Unmarshal(q.Object.Raw, &pod)            // look has decoded it before
					v.patch[i] = operation{"replace", "/spec/containers",
						append(pod.Spec.Containers, v.patch[i].Value)}
				}
			})
		}},
	}
}
