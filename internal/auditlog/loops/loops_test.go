package loops_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/testutil/audittest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// find returns the loops in a log, one per line.
func find(t *testing.T, log *audittest.Log) string {
	t.Helper()
	var all []string
	for _, l := range found(t, log.Text()) {
		line := fmt.Sprintf("%s %s %s %d %s", l.Kind, l.Webhook, l.Resource, l.Times, strings.Join(l.Paths, ","))
		for _, p := range l.Undoers {
			line += fmt.Sprintf(" by %s%s/%s", p.Webhook, p.User, p.Manager)
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

func found(t *testing.T, text string) []loops.Loop {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f := loops.New(loops.Config{})
	stats, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{path}}, func(e *auditlog.Event) error {
		f.Add(e)
		return nil
	})
	if err != nil || stats.Broken > 0 {
		t.Fatal(err, stats.Problems)
	}
	return f.Loops()
}

// labels returns a Deployment with labels, such as "team":"a".
func labels(text string) string {
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{` + text + `}}}`
}

const (
	team = `"team":"a"`
	// addTeam is the patch of a webhook that adds the label.
	addTeam = `[{"op":"add","path":"/metadata/labels/team","value":"a"}]`
	hook    = "label.example.com"
)

type guilty struct {
	row
	events func(*audittest.Log)
	want   string
}

func times(n int, each func(i int)) {
	for i := range n {
		each(i)
	}
}

func TestLoops(t *testing.T) {
	t.Parallel()
	const both = "label.example.com/label.example.com"
	testtable.Run(t, []guilty{{
		row: row{"controller removes a label", "the first sign of the page: the object has a field updated and reverted again and again"},
		events: func(l *audittest.Log) {
			times(4, func(int) {
				l.Add("update", "operator", labels(``), audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
			})
		},
		want: "undone " + both + " deployments.apps 3 metadata.labels.team by operator/manager",
	}, {
		row: row{"removed in other requests", "the webhook does not need to see the request that undoes its change"},
		events: func(l *audittest.Log) {
			times(4, func(int) {
				l.Add("update", "ann", labels(``), audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
				l.Add("patch", "cleaner", `[{"op":"remove","path":"/metadata/labels/team"}]`, audittest.Answer(labels(``)))
				l.Add("patch", "cleaner", `{"metadata":{"labels":{"team":null}}}`, audittest.Answer(labels(``)))
			})
		},
		want: "undone " + both + " deployments.apps 3 metadata.labels.team by cleaner/manager",
	}, {
		row: row{"applied value", "a GitOps tool and a webhook want different images"},
		events: func(l *audittest.Log) {
			times(5, func(int) {
				l.Add("patch", "gitops", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"labels":{"team":"b"}}}`,
					audittest.Answer(labels(team)), audittest.Query("fieldManager=argocd&force=true"),
					audittest.Called(0, hook, `[{"op":"replace","path":"/metadata/labels/team","value":"a"}]`))
			})
		},
		want: "undone " + both + " deployments.apps 4 metadata.labels.team by gitops/argocd",
	}, {
		row: row{"two webhooks", "they wake each other in each request"},
		events: func(l *audittest.Log) {
			times(4, func(int) {
				l.Add("update", "ann", labels(`"team":"b"`), audittest.Called(0, hook, addTeam),
					audittest.Called(1, "z", `[{"op":"add","path":"/metadata/labels/team","value":"b"}]`))
			})
		},
		want: "undone " + both + " deployments.apps 3 metadata.labels.team by z/z/\n" +
			"undone z/z deployments.apps 3 metadata.labels.team by " + both + "/",
	}, {
		row: row{"same patch", "the second sign of the page; nothing in the log undoes it"},
		events: func(l *audittest.Log) {
			times(5, func(int) {
				l.Add("patch", "kubelet", `{"status":{"replicas":1}}`, audittest.Subresource("status"),
					audittest.Answer(labels(``)), audittest.Called(0, hook, addTeam))
			})
		},
		want: "repeated " + both + " deployments.apps 4 metadata.labels.team",
	}, {
		row: row{"both rounds", "the webhook adds what it added in the first round"},
		events: func(l *audittest.Log) {
			const sidecar = `[{"op":"add","path":"/spec/template/spec/tolerations/-","value":{"key":"a"}}]`
			times(3, func(i int) {
				l.Add("create", "ann", labels(``), audittest.Of("apps", "deployments", "shop", fmt.Sprint("web", i)),
					audittest.Called(0, hook, sidecar), audittest.CalledIn(1, 0, hook, sidecar))
			})
		},
		want: "doubled " + both + " deployments.apps 3 spec.template.spec.tolerations",
	}, {
		row: row{"item of a list", "a sidecar that an operator removes"},
		events: func(l *audittest.Log) {
			const containers = `{"spec":{"containers":[%s]}}`
			times(4, func(int) {
				l.Add("update", "operator", fmt.Sprintf(containers, `{"name":"web"}`), audittest.Called(0, hook,
					`[{"op":"add","path":"/spec/containers/-","value":{"name":"proxy","image":"p"}}]`))
			})
		},
		want: "undone " + both + " deployments.apps 3 spec.containers by operator/manager",
	}, {
		row: row{"scale", "an autoscaler and a webhook on the subresource"},
		events: func(l *audittest.Log) {
			times(4, func(int) {
				l.Add("update", "hpa", `{"spec":{"replicas":10}}`, audittest.Subresource("scale"),
					audittest.Called(0, hook, `[{"op":"replace","path":"/spec/replicas","value":5}]`))
			})
		},
		want: "undone " + both + " deployments.apps/scale 3 spec.replicas by hpa/manager",
	}}, func(t *testing.T, tc guilty) {
		var log audittest.Log
		tc.events(&log)
		if got := find(t, &log); got != tc.want {
			t.Errorf("got\n%s\nwant\n%s", got, tc.want)
		}
	})
}

type innocent struct {
	row
	events func(*audittest.Log)
}

// TestInnocent has what clusters do all day.
func TestInnocent(t *testing.T) {
	t.Parallel()
	testtable.Run(t, append(innocents(), innocentsOfSystems()...), func(t *testing.T, tc innocent) {
		var log audittest.Log
		tc.events(&log)
		if got := find(t, &log); got != "" || len(log.Lines()) < 2 {
			t.Errorf("found in %d events:\n%s", len(log.Lines()), got)
		}
	})
}

func innocents() []innocent {
	return []innocent{{
		row: row{"idempotent second round", "the webhook is called again and changes nothing"},
		events: func(l *audittest.Log) {
			times(6, func(int) {
				l.Add("update", "ann", labels(team), audittest.Called(0, hook, ""), audittest.CalledIn(1, 0, hook, ""),
					audittest.Called(1, "other", ""))
			})
		},
	}, {
		row: row{"created again", "a pod of a StatefulSet has the same name each time"},
		events: func(l *audittest.Log) {
			times(6, func(int) {
				l.Add("create", "sts", labels(``), audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
				l.Add("delete", "sts", ``)
			})
		},
	}, {
		row: row{"edit and undo", "a user tries something, once"},
		events: func(l *audittest.Log) {
			l.Add("create", "ann", labels(``), audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
			l.Add("update", "ann", labels(`"team":"b"`), audittest.Called(0, hook, ""))
			l.Add("update", "ann", labels(``), audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
		},
	}, {
		row: row{"dry runs", "a GitOps tool compares with the server every three minutes"},
		events: func(l *audittest.Log) {
			l.Step = 3 * time.Minute
			times(20, func(int) {
				l.Add("patch", "gitops", labels(``), audittest.Query("dryRun=All&fieldManager=argocd"), audittest.Called(0, hook, addTeam))
			})
		},
	}, {
		row: row{"apply that changes nothing", "what the webhook wrote is not among the applied fields"},
		events: func(l *audittest.Log) {
			l.Add("patch", "gitops", labels(`"app":"web"`), audittest.Query("fieldManager=argocd"), audittest.Called(0, hook, addTeam))
			times(20, func(int) {
				l.Add("patch", "gitops", labels(`"app":"web"`), audittest.Query("fieldManager=argocd"), audittest.Called(0, hook, ""))
			})
		},
	}, {
		row: row{"refused", "nothing was stored"},
		events: func(l *audittest.Log) {
			times(9, func(int) {
				l.Add("update", "operator", labels(``), audittest.Called(0, hook, addTeam), audittest.Refused(409, "conflict"))
			})
		},
	}, {
		row: row{"time of the last change", "the webhook writes another value each time"},
		events: func(l *audittest.Log) {
			times(9, func(i int) {
				l.Add("update", "ann", labels(``), audittest.Called(0, hook, fmt.Sprintf(`[{"op":"add","path":"/metadata/labels","value":{}},{"op":"add","path":"/metadata/labels/at","value":"%d"}]`, i)))
			})
		},
	}, {
		row: row{"deployments of a manifest", "a pipeline replaces the object by a manifest without the label, once a day"},
		events: func(l *audittest.Log) {
			l.Step = 24 * time.Hour
			times(9, func(int) {
				l.Add("update", "pipeline", labels(``), audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
			})
		},
	}, {
		row: row{"same patch at times", "in between the webhook sees that its value is there"},
		events: func(l *audittest.Log) {
			times(9, func(int) {
				l.Add("patch", "ann", `{"spec":{"paused":true}}`, audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
				l.Add("patch", "ann", `{"spec":{"paused":false}}`, audittest.Answer(labels(team)), audittest.Called(0, hook, ""))
			})
		},
	}, {
		row: row{"status without labels", "an update of the status changes nothing else, whatever it sends"},
		events: func(l *audittest.Log) {
			times(9, func(i int) {
				l.Add("patch", "ann", `{"spec":{"paused":true}}`, audittest.Answer(labels(team)), audittest.Called(0, hook,
					fmt.Sprintf(`[{"op":"add","path":"/metadata/labels/team","value":"a"},{"op":"add","path":"/metadata/annotations/at","value":"%d"}]`, i)))
				l.Add("update", "controller", `{"metadata":{"labels":{}},"status":{}}`, audittest.Subresource("status"), audittest.Answer(labels(team)))
			})
		},
	}, {
		row: row{"whole patch each time", "S-314: a patch that changes nothing is in the log, too"},
		events: func(l *audittest.Log) {
			times(9, func(int) {
				l.Add("update", "ann", labels(team), audittest.Called(0, hook, addTeam), audittest.Called(0, hook, ""))
			})
		},
	}}
}

// innocentsOfSystems are the controllers of Kubernetes.
func innocentsOfSystems() []innocent {
	const system = "system:serviceaccount:kube-system:"
	return []innocent{{
		row: row{"horizontal autoscaler", "it changes the number of replicas up and down"},
		events: func(l *audittest.Log) {
			times(12, func(i int) {
				l.Add("update", system+"horizontal-pod-autoscaler", fmt.Sprintf(`{"spec":{"replicas":%d}}`, 2+i%2), audittest.Subresource("scale"), audittest.Called(0, hook, ""))
			})
		},
	}, {
		row: row{"status of a Deployment", "the object of the cache has the webhook's label, and the status changes to and fro"},
		events: func(l *audittest.Log) {
			l.Add("create", "ann", labels(``), audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
			times(12, func(i int) {
				l.Add("update", system+"deployment-controller", fmt.Sprintf(`{"metadata":{"labels":{}},"status":{"replicas":%d}}`, i%2), audittest.Subresource("status"), audittest.Called(0, hook, ""))
			})
		},
	}, {
		row: row{"leases", "two candidates of a leader election"},
		events: func(l *audittest.Log) {
			lease := audittest.Of("coordination.k8s.io", "leases", "kube-system", "manager")
			l.Add("create", "a", labels(``), lease, audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
			times(20, func(i int) {
				body := fmt.Sprintf(`{"metadata":{"labels":{"team":"a"}},"spec":{"holderIdentity":"%d","renewTime":"%d"}}`, i%2, i)
				l.Add("update", fmt.Sprint("candidate-", i%2), body, lease, audittest.Called(0, hook, ""))
			})
		},
	}, {
		row: row{"status of pods", "the kubelet patches it"},
		events: func(l *audittest.Log) {
			times(12, func(i int) {
				l.Add("patch", "system:node:a", fmt.Sprintf(`{"status":{"phase":"%d"}}`, i%2), audittest.Of("", "pods", "shop", "web-1"), audittest.Subresource("status"), audittest.Called(0, hook, ""))
			})
		},
	}, {
		row: row{"pods of a ReplicaSet", "the names are generated: the reference has none"},
		events: func(l *audittest.Log) {
			times(12, func(i int) {
				l.Add("create", system+"replicaset-controller", `{"metadata":{"generateName":"web-"}}`, audittest.Of("", "pods", "shop", ""),
					audittest.Answer(fmt.Sprintf(`{"metadata":{"name":"web-%d"}}`, i)), audittest.Called(0, hook, addTeam))
			})
		},
	}, {
		row: row{"rolling deployment", "the image changes, and the label stays"},
		events: func(l *audittest.Log) {
			l.Add("create", "ann", labels(``), audittest.Answer(labels(team)), audittest.Called(0, hook, addTeam))
			times(6, func(i int) {
				l.Add("patch", "ann", fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"web:%d"}]}}}}`, i), audittest.Answer(labels(team)), audittest.Called(0, hook, ""))
			})
		},
	}, {
		row: row{"endpoint slices", "the controller replaces them with each pod"},
		events: func(l *audittest.Log) {
			slice := audittest.Of("discovery.k8s.io", "endpointslices", "shop", "web-x")
			times(12, func(i int) {
				l.Add("update", system+"endpointslice-controller", fmt.Sprintf(`{"endpoints":[{"addresses":["10.0.0.%d"]}]}`, i%3), slice)
			})
		},
	}, {
		row: row{"certificate renewal", "the webhook writes the hash of the new certificate"},
		events: func(l *audittest.Log) {
			times(6, func(i int) {
				l.Add("update", "cert-manager", fmt.Sprintf(`{"data":{"tls.crt":"%d"}}`, i), audittest.Of("", "secrets", "shop", "tls"),
					audittest.Called(0, hook, fmt.Sprintf(`[{"op":"add","path":"/metadata/annotations/hash","value":"%d"}]`, i)))
			})
		},
	}, {
		row: row{"garbage collector", "it removes owner references and finalizers"},
		events: func(l *audittest.Log) {
			l.Add("create", "ann", labels(``), audittest.Called(0, hook, addTeam))
			times(6, func(int) {
				l.Add("patch", system+"generic-garbage-collector", `{"metadata":{"uid":"1","ownerReferences":[{"$patch":"delete","uid":"2"}]}}`, audittest.Called(0, hook, ""))
			})
		},
	}, {
		row: row{"tokens", "creating a subresource is not creating the object"},
		events: func(l *audittest.Log) {
			times(9, func(int) {
				l.Add("create", "system:node:a", `{"spec":{"audiences":["a"]}}`, audittest.Of("", "serviceaccounts", "shop", "web"),
					audittest.Subresource("token"), audittest.Called(0, hook, `[{"op":"add","path":"/spec/expirationSeconds","value":600}]`))
			})
		},
	}, {
		row: row{"level Metadata", "there are no patches, so nothing can be said"},
		events: func(l *audittest.Log) {
			times(9, func(int) {
				l.Add("update", "operator", labels(``), audittest.Called(0, hook, addTeam), audittest.AtMetadata())
			})
		},
	}}
}
