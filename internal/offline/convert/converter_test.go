package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

func TestConvert(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		from, want string
	}
	rows := []test{
		{row{"strategy", "the oldest Deployments replace one pod at a time, and take their selector from the template"},
			`{apiVersion: extensions/v1beta1, kind: Deployment, spec: {template: {metadata: {labels: {a: b}}}}}`,
			`{apiVersion: apps/v1, kind: Deployment, metadata: {labels: {a: b}}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}},
			  revisionHistoryLimit: 2147483647, progressDeadlineSeconds: 2147483647, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}}}`},
		{row{"strategy back", "and today's a quarter of them"},
			`{apiVersion: apps/v1, kind: Deployment, spec: {selector: {matchLabels: {a: b}}}}`,
			`{apiVersion: extensions/v1beta1, kind: Deployment, spec: {selector: {matchLabels: {a: b}},
			  revisionHistoryLimit: 10, progressDeadlineSeconds: 600, strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}}}`},
		{row{"history", "apps/v1beta1 kept two revisions; what is written stays"},
			`{apiVersion: apps/v1beta1, kind: Deployment, spec: {replicas: 3, progressDeadlineSeconds: 5, strategy: {type: Recreate}}}`,
			`{apiVersion: apps/v1beta2, kind: Deployment, spec: {replicas: 3, progressDeadlineSeconds: 5, revisionHistoryLimit: 2, strategy: {type: Recreate}}}`},
		{row{"unused step", "the internal type has no absent step"},
			`{apiVersion: apps/v1, kind: Deployment, spec: {revisionHistoryLimit: 1, progressDeadlineSeconds: 5, strategy: {type: Recreate, rollingUpdate: {maxSurge: 2}}}}`,
			`{apiVersion: apps/v1beta2, kind: Deployment, spec: {revisionHistoryLimit: 1, progressDeadlineSeconds: 5, strategy: {type: Recreate, rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}}}`},
		{row{"rollback", "a field that became an annotation"},
			`{apiVersion: apps/v1beta1, kind: Deployment, metadata: {annotations: {x: z}}, spec: {rollbackTo: {revision: 7}, revisionHistoryLimit: 1, progressDeadlineSeconds: 5, strategy: {type: Recreate}}}`,
			`{apiVersion: apps/v1, kind: Deployment, metadata: {annotations: {x: z, deprecated.deployment.rollback.to: "7"}}, spec: {revisionHistoryLimit: 1, progressDeadlineSeconds: 5, strategy: {type: Recreate}}}`},
		{row{"rollback back", "and is no annotation any more"},
			`{apiVersion: apps/v1beta2, kind: Deployment, metadata: {annotations: {deprecated.deployment.rollback.to: "7"}}, spec: {revisionHistoryLimit: 1, progressDeadlineSeconds: 5, strategy: {type: Recreate}}}`,
			`{apiVersion: extensions/v1beta1, kind: Deployment, spec: {rollbackTo: {revision: 7}, revisionHistoryLimit: 1, progressDeadlineSeconds: 5, strategy: {type: Recreate}}}`},
		{row{"empty rollback", "an empty annotation is no rollback, and goes"},
			`{apiVersion: apps/v1beta2, kind: Deployment, metadata: {annotations: {deprecated.deployment.rollback.to: ""}}, spec: {revisionHistoryLimit: 1, progressDeadlineSeconds: 5, strategy: {type: Recreate}}}`,
			`{apiVersion: apps/v1, kind: Deployment, spec: {revisionHistoryLimit: 1, progressDeadlineSeconds: 5, strategy: {type: Recreate}}}`},
		{row{"generation", "the oldest DaemonSets wait for pods to be deleted"},
			`{apiVersion: extensions/v1beta1, kind: DaemonSet, spec: {templateGeneration: 4}}`,
			`{apiVersion: apps/v1, kind: DaemonSet, metadata: {annotations: {deprecated.daemonset.template.generation: "4"}}, spec: {updateStrategy: {type: OnDelete}}}`},
		{row{"no generation", "zero is written as well"},
			`{apiVersion: apps/v1beta2, kind: DaemonSet}`,
			`{apiVersion: apps/v1, kind: DaemonSet, metadata: {annotations: {deprecated.daemonset.template.generation: "0"}}, spec: {updateStrategy: {type: RollingUpdate}}}`},
		{row{"replicas", "the oldest ReplicaSets take their selector from the template"},
			`{apiVersion: extensions/v1beta1, kind: ReplicaSet, metadata: {labels: {own: c}}, spec: {template: {metadata: {labels: {a: b}}}}}`,
			`{apiVersion: apps/v1, kind: ReplicaSet, metadata: {labels: {own: c}}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}}}}`},
		{row{"stateful", "another strategy, a status that is a pointer, and claims that say what they are"},
			`{apiVersion: apps/v1beta1, kind: StatefulSet, spec: {volumeClaimTemplates: [{metadata: {name: x}}]}, status: {observedGeneration: 3}}`,
			`{apiVersion: apps/v1, kind: StatefulSet, spec: {updateStrategy: {type: OnDelete}, volumeClaimTemplates: [{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: x}}]}, status: {observedGeneration: 3}}`},
		{row{"scale", "the text of the selector is made from its map"},
			`{apiVersion: extensions/v1beta1, kind: Scale, spec: {replicas: 2}, status: {replicas: 1, selector: {b: c, a: b}}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 2}, status: {replicas: 1, selector: "a=b,b=c"}}`},
		{row{"scale text", "the text wins over the map"},
			`{apiVersion: apps/v1beta1, kind: Scale, status: {selector: {a: b}, targetSelector: "a in (b,c)"}}`,
			`{apiVersion: apps/v1beta2, kind: Scale, status: {targetSelector: "a in (b,c)"}}`},
		{row{"scale map", "a simple selector is a map, too"},
			`{apiVersion: autoscaling/v1, kind: Scale, status: {selector: a=b}}`,
			`{apiVersion: apps/v1beta2, kind: Scale, status: {selector: {a: b}, targetSelector: a=b}}`},
		{row{"cron", "one shape"},
			`{apiVersion: batch/v1beta1, kind: CronJob, spec: {schedule: "@daily", jobTemplate: {spec: {completions: 2}}}}`,
			`{apiVersion: batch/v1, kind: CronJob, spec: {schedule: "@daily", jobTemplate: {spec: {completions: 2}}}}`},
		{row{"no pods", "the empty selector selects nothing in v1beta1"},
			`{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, spec: {selector: {}}}`,
			`{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {matchExpressions: [{key: pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match, operator: Exists}]}}}`},
		{row{"all pods", "and everything in v1"},
			`{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {}}}`,
			`{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, spec: {selector: {matchExpressions: [{key: pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match, operator: DoesNotExist}]}}}`},
		{row{"all pods back", "to the plain form"},
			`{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, spec: {selector: {matchExpressions: [{key: pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match, operator: DoesNotExist}]}}}`,
			`{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {}}}`},
		{row{"no pods back", "to the plain form"},
			`{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {matchExpressions: [{key: pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match, operator: Exists}]}}}`,
			`{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, spec: {selector: {}}}`},
		{row{"marker", "the marker never stands beside what a user selects"},
			`{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, spec: {selector: {matchLabels: {a: b}, matchExpressions: [{key: pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match, operator: Exists}]}}}`,
			`{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {matchLabels: {a: b}}}}`},
		{row{"marker in v1", "nor in the other direction"},
			`{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {matchLabels: {a: b}, matchExpressions: [{key: pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match, operator: Exists}]}}}`,
			`{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, spec: {selector: {matchLabels: {a: b}}}}`},
		{row{"subjects", "v1alpha1 has versions where the others have groups, and a user for everybody"},
			`{apiVersion: rbac.authorization.k8s.io/v1alpha1, kind: ClusterRoleBinding, subjects: [{kind: User, name: "*"}, {kind: ServiceAccount, apiVersion: x/v1, name: a}, {kind: Robot, apiVersion: x/v1, name: r}, {kind: Robot, apiVersion: a/b/c}]}`,
			`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "system:authenticated"}, {kind: ServiceAccount, name: a}, {kind: Robot, apiGroup: x, name: r}, {kind: Robot}]}`},
		{row{"subjects back", "a missing group is that of users, and groups that are not known have no version"},
			`{apiVersion: rbac.authorization.k8s.io/v1beta1, kind: RoleBinding, subjects: [{kind: User, name: u}, {kind: Group, name: g}, {kind: ServiceAccount, name: a}, {kind: Robot, apiGroup: x, name: r}]}`,
			`{apiVersion: rbac.authorization.k8s.io/v1alpha1, kind: RoleBinding, subjects: [{kind: User, apiVersion: rbac.authorization.k8s.io/v1alpha1, name: u}, {kind: Group, apiVersion: rbac.authorization.k8s.io/v1alpha1, name: g}, {kind: ServiceAccount, apiVersion: v1, name: a}, {kind: Robot, apiVersion: x/, name: r}]}`},
		{row{"ingress", "renamed fields, and the type that a path has if it says none"},
			`{apiVersion: networking.k8s.io/v1beta1, kind: Ingress, spec: {backend: {serviceName: s, servicePort: 80}, rules: [{host: h}, {http: {paths: [{path: /a, backend: {serviceName: t, servicePort: web}}, {backend: {resource: {kind: Bucket, name: b}}}]}}]}}`,
			`{apiVersion: networking.k8s.io/v1, kind: Ingress, spec: {defaultBackend: {service: {name: s, port: {number: 80}}}, rules: [{host: h}, {http: {paths: [{path: /a, pathType: ImplementationSpecific, backend: {service: {name: t, port: {name: web}}}}, {pathType: ImplementationSpecific, backend: {resource: {kind: Bucket, name: b}}}]}}]}}`},
		{row{"ingress back", "the same in the oldest group"},
			`{apiVersion: networking.k8s.io/v1, kind: Ingress, spec: {defaultBackend: {resource: {kind: Bucket, name: b}}, rules: [{http: {paths: [{pathType: Exact, backend: {service: {name: t, port: {name: web}}}}]}}]}}`,
			`{apiVersion: extensions/v1beta1, kind: Ingress, spec: {backend: {resource: {kind: Bucket, name: b}}, rules: [{http: {paths: [{pathType: Exact, backend: {serviceName: t, servicePort: web}}]}}]}}`},
		{row{"network policy", "one shape in two groups"},
			`{apiVersion: extensions/v1beta1, kind: NetworkPolicy, spec: {podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]}}`,
			`{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]}}`},
		{row{"event", "one kind in two groups, with other names"},
			`{apiVersion: v1, kind: Event, involvedObject: {name: p}, message: m, count: 3, source: {host: h}, firstTimestamp: "2020-01-01T00:00:00Z", lastTimestamp: "2021-01-01T00:00:00Z", reportingComponent: c, reportingInstance: i, reason: r, series: {count: 2}}`,
			`{apiVersion: events.k8s.io/v1, kind: Event, regarding: {name: p}, note: m, deprecatedCount: 3, deprecatedSource: {host: h}, deprecatedFirstTimestamp: "2020-01-01T00:00:00Z", deprecatedLastTimestamp: "2021-01-01T00:00:00Z", reportingController: c, reportingInstance: i, reason: r, series: {count: 2}}`},
		{row{"autoscaler", "the field for the CPU is a metric"},
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 50}, status: {currentReplicas: 2, currentCPUUtilizationPercentage: 40}}`,
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]},
			  status: {currentReplicas: 2, currentMetrics: [{type: Resource, resource: {name: cpu, current: {averageUtilization: 40}}}]}}`},
		{row{"autoscaler back", "and without any metric there is one of 80 percent"},
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3}}`,
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 80}}`},
		{row{"autoscaler annotations", "other metrics come first, and what cannot be read is dropped"},
			`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {annotations: {a: b, autoscaling.alpha.kubernetes.io/behavior: "x", autoscaling.alpha.kubernetes.io/metrics: '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1"}}]'}}, spec: {targetCPUUtilizationPercentage: 50}}`,
			`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {annotations: {a: b}}, spec: {metrics: [{type: Pods, pods: {metric: {name: m}, target: {type: AverageValue, averageValue: 1}}}, {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}`},
		{row{"same version", "nothing changes"},
			`{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {}}}`,
			`{apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {selector: {}}}`},
	}
	testtable.Run(t, rows, func(t *testing.T, test test) {
		want := decode(t, test.want)
		got, err := New().Convert(decode(t, test.from), want.GetObjectKind().GroupVersionKind())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestConvertErrors(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		from     runtime.Object
		to, want string
	}
	pod := &corev1.Pod{}
	pod.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Pod"))
	custom := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment"}}
	rows := []test{
		{row{"kind", "a kind with one version"}, pod, "v2/Pod",
			"cannot convert v1 Pod to v2 Pod: the kind is not one of those that can be converted"},
		{row{"nameless", "objects out of a decoder often do not say what they are"}, &corev1.Pod{}, "v2/Pod",
			"cannot convert *v1.Pod to v2 Pod: the kind is not one of those that can be converted"},
		{row{"unstructured", "the caller decodes first"}, custom, "apps/v1beta1/Deployment",
			"cannot convert apps/v1 Deployment to apps/v1beta1 Deployment: the kind is not one of those that can be converted"},
		{row{"nothing", "no object at all"}, nil, "apps/v1/Deployment",
			"cannot convert nothing to apps/v1 Deployment: the kind is not one of those that can be converted"},
		{row{"nil", "a pointer to none"}, (*appsv1.Deployment)(nil), "apps/v1beta1/Deployment",
			"cannot convert apps/v1 Deployment to apps/v1beta1 Deployment: there is no object"},
		{row{"nil pod", "and to none of a kind that is not known"}, (*corev1.Pod)(nil), "v1/Pod",
			"cannot convert *v1.Pod to v1 Pod: the kind is not one of those that can be converted"},
		{row{"version", "a version that never was"}, &appsv1.Deployment{}, "apps/v2/Deployment",
			"cannot convert apps/v1 Deployment to apps/v2 Deployment: they are not known as versions of one kind"},
		{row{"other kind", "similar is not the same"}, &appsv1.Deployment{}, "apps/v1/ReplicaSet",
			"cannot convert apps/v1 Deployment to apps/v1 ReplicaSet: they are not known as versions of one kind"},
		{row{"rollback", "an annotation that holds a field, and is no number"},
			decode(t, `{apiVersion: apps/v1, kind: Deployment, metadata: {annotations: {deprecated.deployment.rollback.to: x}}}`), "apps/v1beta2/Deployment",
			`cannot convert apps/v1 Deployment to apps/v1beta2 Deployment: reading annotation deprecated.deployment.rollback.to: strconv.ParseInt: parsing "x": invalid syntax`},
		{row{"generation", "for DaemonSets, not even if it is empty"},
			decode(t, `{apiVersion: apps/v1, kind: DaemonSet, metadata: {annotations: {deprecated.daemonset.template.generation: ""}}}`), "extensions/v1beta1/DaemonSet",
			`cannot convert apps/v1 DaemonSet to extensions/v1beta1 DaemonSet: reading annotation deprecated.daemonset.template.generation: strconv.ParseInt: parsing "": invalid syntax`},
		{row{"two targets", "one field for two metrics"},
			decode(t, `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 1}}}, {type: Resource, resource: {name: cpu, target: {averageUtilization: 2}}}]}}`), "autoscaling/v1/HorizontalPodAutoscaler",
			`cannot convert autoscaling/v2 HorizontalPodAutoscaler to autoscaling/v1 HorizontalPodAutoscaler: spec.metrics has the utilization of the CPU twice`},
		{row{"selector", "a selector that has no other form"},
			decode(t, `{apiVersion: autoscaling/v1, kind: Scale, status: {selector: "a!=b"}}`), "apps/v1beta1/Scale",
			`cannot convert autoscaling/v1 Scale to apps/v1beta1 Scale: reading status.selector: "!=" is not a valid label selector operator`},
	}
	testtable.Run(t, rows, func(t *testing.T, test test) {
		got, err := New().Convert(test.from, kind(test.to))
		if got != nil || err == nil || err.Error() != test.want {
			t.Errorf("got %v and error\n%v\nwant\n%s", got, err, test.want)
		}
	})
}

func TestConvertCopies(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"apps/v1/Deployment", "apps/v1beta1/Deployment"} {
		from := &appsv1.Deployment{}
		from.Labels = map[string]string{"a": "b"}
		from.Spec.Template.Spec.Containers = []corev1.Container{{Name: "c"}}
		got, err := New().Convert(from, kind(to))
		if err != nil {
			t.Fatal(err)
		}
		switch got := got.(type) {
		case *appsv1.Deployment:
			got.Labels["a"], got.Spec.Template.Spec.Containers[0].Name = "x", "x"
		case *appsv1beta1.Deployment:
			got.Labels["a"], got.Spec.Template.Spec.Containers[0].Name = "x", "x"
		default:
			t.Fatalf("got a %T", got)
		}
		if from.Labels["a"] != "b" || from.Spec.Template.Spec.Containers[0].Name != "c" {
			t.Errorf("%s shares memory with its source", to)
		}
	}
}

func TestEquivalents(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		of, want string
	}
	rows := []test{
		{row{"deployments", "two groups, the present one first"}, "apps/v1beta1/deployments", "apps/v1 apps/v1beta2 apps/v1beta1 extensions/v1beta1"},
		{row{"oldest", "the same list from everywhere"}, "extensions/v1beta1/deployments", "apps/v1 apps/v1beta2 apps/v1beta1 extensions/v1beta1"},
		{row{"daemonsets", "a kind that skipped a version"}, "apps/v1/daemonsets", "apps/v1 apps/v1beta2 extensions/v1beta1"},
		{row{"events", "the core group"}, "v1/events", "events.k8s.io/v1 events.k8s.io/v1beta1 v1"},
		{row{"ingresses", "three versions"}, "networking.k8s.io/v1/ingresses", "networking.k8s.io/v1 networking.k8s.io/v1beta1 extensions/v1beta1"},
		{row{"pods", "not in the table"}, "v1/pods", ""},
		{row{"version", "a version that never was"}, "apps/v2/deployments", ""},
		{row{"bodies", "Scale is a kind and no resource"}, "autoscaling/v1/scales", ""},
	}
	testtable.Run(t, rows, func(t *testing.T, test test) {
		of := kind(test.of)
		var got []string
		for _, e := range New().Equivalents(of.GroupVersion().WithResource(of.Kind)) {
			if e.Resource != of.Kind {
				t.Errorf("got %v", e)
			}
			got = append(got, e.GroupVersion().String())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	})
}

func TestSiblings(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		of, want, resource string
	}
	rows := []test{
		{row{"deployments", "the order of the resources"}, "apps/v1beta1/Deployment", "apps/v1 apps/v1beta2 apps/v1beta1 extensions/v1beta1", "deployments"},
		{row{"core", "a group without a name"}, "v1/Event", "events.k8s.io/v1 events.k8s.io/v1beta1 v1", "events"},
		{row{"body", "a kind that is no resource has versions all the same"}, "apps/v1beta2/Scale", "autoscaling/v1 apps/v1beta2 apps/v1beta1 extensions/v1beta1", ""},
		{row{"pod", "not in the table"}, "v1/Pod", "", ""},
		{row{"version", "a version that never was"}, "apps/v2/Deployment", "", ""},
	}
	c := New()
	testtable.Run(t, rows, func(t *testing.T, test test) {
		of := kind(test.of)
		var got []string
		for _, k := range c.Siblings(of) {
			if k.Kind != of.Kind {
				t.Errorf("got %v", k)
			}
			got = append(got, k.GroupVersion().String())
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		resource, ok := c.Resource(of)
		if ok != (test.resource != "") || ok && resource != of.GroupVersion().WithResource(test.resource) || !ok && !resource.Empty() {
			t.Errorf("got resource %v, %t, want %q", resource, ok, test.resource)
		}
	})
}

// TestKinds holds the list of kinds against what can be asked about each.
func TestKinds(t *testing.T) {
	t.Parallel()
	c := New()
	kinds := c.Kinds()
	for i := 0; i < len(kinds); {
		siblings := c.Siblings(kinds[i])
		if len(siblings) == 0 {
			t.Fatalf("%v has no siblings, not even itself", kinds[i])
		}
		if diff := cmp.Diff(siblings, kinds[i:i+len(siblings)]); diff != "" {
			t.Errorf("siblings stand together (-want +got):\n%s", diff)
		}
		i += len(siblings)
	}
	kinds[0].Kind = "changed"
	if c.Kinds()[0].Kind == "changed" {
		t.Error("the list is shared")
	}
}

// kind reads for example "apps/v1/Deployment".
func kind(s string) schema.GroupVersionKind {
	cut := strings.LastIndex(s, "/")
	return schema.FromAPIVersionAndKind(s[:cut], s[cut+1:])
}

func decode(t *testing.T, text string) runtime.Object {
	t.Helper()
	data, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return object
}
