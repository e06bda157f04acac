package convert

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"example.com/gatehouse/internal/testutil/testtable"
)

// FuzzConvert converts whatever JSON can say in one version to another, and back.
// Nothing panics, the source stays as it was, errors name both versions, and the
// law of TestRoundTrips holds for objects that could be valid. For the others a
// weaker one does: what is lost is lost on the first trip.
func FuzzConvert(f *testing.F) {
	c := New()
	kinds := c.Kinds()
	for i, source := range kinds {
		data, err := json.Marshal(example(c, source))
		if err != nil {
			f.Fatal(err)
		}
		for j := range c.Siblings(source) {
			f.Add(uint8(i), uint8(j), data)
		}
	}
	texts := strange()
	for _, of := range slices.Sorted(maps.Keys(texts)) {
		for j := range c.Siblings(kind(of)) {
			f.Add(uint8(slices.Index(kinds, kind(of))), uint8(j), []byte(texts[of]))
		}
	}
	f.Fuzz(func(t *testing.T, from, to uint8, data []byte) {
		source := kinds[int(from)%len(kinds)]
		siblings := c.Siblings(source)
		target := siblings[int(to)%len(siblings)]
		object := c.byKind[source].version.empty()
		if json.Unmarshal(data, object) != nil {
			t.Skip("it is no object of the kind")
		}
		checkTrips(t, c, object, source, target)
	})
}

// strange are objects, few of them valid, for which conversions have rules.
func strange() map[string]string {
	return map[string]string{
		"apps/v1/Deployment":                                    `{"metadata":{"annotations":{"deprecated.deployment.rollback.to":"x"}},"spec":{"strategy":{"type":"Recreate","rollingUpdate":{"maxSurge":"x"}}}}`,
		"extensions/v1beta1/Deployment":                         `{"spec":{"rollbackTo":{"revision":-9},"template":{"metadata":{"labels":{"a":"b"}}},"strategy":{"type":"Recreate","rollingUpdate":{}}}}`,
		"apps/v1/DaemonSet":                                     `{"metadata":{"annotations":{"deprecated.daemonset.template.generation":""}}}`,
		"apps/v1beta2/DaemonSet":                                `{"metadata":{"annotations":{"deprecated.daemonset.template.generation":"-007"}},"spec":{"selector":{}}}`,
		"extensions/v1beta1/DaemonSet":                          `{"metadata":{"labels":{"a":"b"},"annotations":{"deprecated.daemonset.template.generation":"5"}},"spec":{"selector":{},"templateGeneration":7}}`,
		"apps/v1beta1/Deployment":                               `{"metadata":{"labels":{"a":"b"},"annotations":{"deprecated.deployment.rollback.to":"5"}},"spec":{"selector":{}}}`,
		"apps/v1beta1/StatefulSet":                              `{"spec":{"volumeClaimTemplates":[{"kind":"x"},{}]},"status":{"observedGeneration":null}}`,
		"autoscaling/v1/Scale":                                  `{"status":{"selector":"a in (b),!c,d=e,"}}`,
		"apps/v1beta1/Scale":                                    `{"status":{"selector":{"a b":"c,d"},"targetSelector":""}}`,
		"policy/v1beta1/PodDisruptionBudget":                    `{"spec":{"selector":{"matchExpressions":[{"key":"pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match","operator":"Exists"}]}}}`,
		"policy/v1/PodDisruptionBudget":                         `{"spec":{"selector":{"matchLabels":{"a":"b"},"matchExpressions":[{"key":"pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match","operator":"DoesNotExist"}]}}}`,
		"autoscaling/v1/HorizontalPodAutoscaler":                `{"metadata":{"annotations":{"autoscaling.alpha.kubernetes.io/metrics":"[{\"type\":\"Object\",\"object\":{\"averageValue\":\"1\"}},{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"targetAverageUtilization\":3}}]","autoscaling.alpha.kubernetes.io/behavior":"{\"ScaleUp\":{\"Tolerance\":\"1n\",\"Policies\":[{}]}}","autoscaling.alpha.kubernetes.io/conditions":"[{}]","autoscaling.alpha.kubernetes.io/current-metrics":"x"}},"spec":{"targetCPUUtilizationPercentage":1},"status":{"currentCPUUtilizationPercentage":2}}`,
		"autoscaling/v2/HorizontalPodAutoscaler":                `{"spec":{"behavior":{"scaleUp":{},"scaleDown":{"policies":[{}],"tolerance":"0.1"}},"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"averageUtilization":1,"averageValue":"5"}}},{"type":"Object","object":{"target":{"value":"0","averageValue":"1"}}},{"type":"External","external":{"target":{"value":"1","averageValue":"1"}}},{"type":"Pods","resource":{}}]},"status":{"currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":1}}},{"type":"Pods","pods":{"current":{}}}],"conditions":[{"lastTransitionTime":"0001-01-01T00:00:00Z"}]}}`,
		"rbac.authorization.k8s.io/v1/RoleBinding":              `{"subjects":[{"kind":"User","name":"*"},{"kind":"ServiceAccount","apiGroup":"x"},{"kind":"Robot","apiGroup":"a/b"},{"kind":"Group"}]}`,
		"rbac.authorization.k8s.io/v1alpha1/ClusterRoleBinding": `{"subjects":[{"kind":"User","name":"*","apiVersion":"v1"},{"kind":"Robot","apiVersion":"a/b/c"},{"kind":"Robot","apiVersion":"a/"},{}]}`,
		"networking.k8s.io/v1/Ingress":                          `{"spec":{"defaultBackend":{"service":{}},"rules":[{},{"http":{"paths":[{"backend":{"service":{"name":"a","port":{"name":"b","number":7}}}},{"backend":{"resource":{"kind":"x"}}}]}}]}}`,
		"extensions/v1beta1/Ingress":                            `{"spec":{"backend":{},"rules":[{"http":{"paths":[{"backend":{"servicePort":"x"}},{"backend":{"serviceName":"y","servicePort":7}}]}}]}}`,
		"v1/Event":                                              `{"involvedObject":{"name":"x"},"firstTimestamp":"2020-01-01T00:00:00Z","eventTime":"2020-01-01T00:00:00.123456Z","series":{"count":1}}`,
	}
}

// TestAnyObject is FuzzConvert for objects of which every field is at random, so that
// few are valid.
func TestAnyObject(t *testing.T) {
	t.Parallel()
	c := New()
	for _, source := range c.Kinds() {
		t.Run(strings.ReplaceAll(name(source), "/", "."), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				object := c.byKind[source].version.empty()
				random(t, object)
				checkTrips(t, c, object, source, rapid.SampledFrom(c.Siblings(source)).Draw(t, "target"))
			})
		})
	}
}

func checkTrips(t rapid.TB, c *Converter, object runtime.Object, source, target schema.GroupVersionKind) {
	t.Helper()
	back := thereAndBack(t, c, object, source, target)
	if back == nil || source == target {
		return // a copy is made of objects that cannot be converted, too
	}
	at, version := c.byKind[source], c.byKind[target].version
	if lawful(hubOf(t, at.family, object, at.version)) {
		roundTrip(t, c, at.family, object, at.version, version)
	}
	if thereAndBack(t, c, back, source, target) != nil {
		roundTrip(t, c, at.family, back, at.version, version)
	}
}

// example is an object of a version, the same in every process.
func example(c *Converter, kind schema.GroupVersionKind) runtime.Object {
	at := c.byKind[kind]
	return rapid.Custom(func(t *rapid.T) runtime.Object { return sample(t, at.family, at.version) }).Example(1)
}

// thereAndBack returns nil if either way is an error, which names both versions.
func thereAndBack(t rapid.TB, c *Converter, object runtime.Object, source, target schema.GroupVersionKind) runtime.Object {
	t.Helper()
	there := attempt(t, c, object, source, target)
	if there == nil {
		return nil
	}
	return attempt(t, c, there, target, source)
}

func attempt(t rapid.TB, c *Converter, object runtime.Object, from, to schema.GroupVersionKind) runtime.Object {
	t.Helper()
	original := object.DeepCopyObject()
	out, err := c.Convert(object, to)
	if diff := cmp.Diff(original, object); diff != "" {
		t.Fatalf("the source was changed (-before +after):\n%s", diff)
	}
	if (out == nil) != (err != nil) {
		t.Fatalf("got %v beside %v", out, err)
	}
	if text := testtable.Text(err); err != nil && (!strings.Contains(text, name(from)) || !strings.Contains(text, name(to))) {
		t.Fatalf("%q does not name %s and %s", text, name(from), name(to))
	}
	return out
}

// lawful tells whether the law of TestRoundTrips holds for a hub, which it does for
// all that could be valid and for most others. The exceptions are what restrain
// takes care of.
func lawful(hub runtime.Object) bool {
	switch hub := hub.(type) {
	case *appsv1beta1.Deployment:
		return labelled(hub, hub.Spec.Selector)
	case *appsv1beta1.StatefulSet:
		return labelled(hub, hub.Spec.Selector) && hub.Status.ObservedGeneration != nil
	case *extensionsv1beta1.DaemonSet:
		return labelled(hub, hub.Spec.Selector)
	case *appsv1.ReplicaSet:
		return labelled(hub, hub.Spec.Selector)
	case *autoscalingv2.HorizontalPodAutoscaler:
		return plain(hub)
	case *rbacv1.RoleBinding:
		return !slices.ContainsFunc(hub.Subjects, odd)
	case *rbacv1.ClusterRoleBinding:
		return !slices.ContainsFunc(hub.Subjects, odd)
	case *networkingv1.Ingress:
		return !slices.ContainsFunc(hub.Spec.Rules, vague) && !torn(hub.Spec.DefaultBackend)
	}
	return true
}

// odd tells subjects of groups that they cannot be in, and the user who is not one
// user in v1alpha1.
func odd(s rbacv1.Subject) bool {
	switch s.Kind {
	case rbacv1.UserKind, rbacv1.GroupKind:
		return s.APIGroup != rbacv1.GroupName || s.Kind == rbacv1.UserKind && s.Name == "*"
	case rbacv1.ServiceAccountKind:
		return s.APIGroup != ""
	}
	return strings.Contains(s.APIGroup, "/")
}

// vague tells rules with a path that has no type, or a torn backend.
func vague(rule networkingv1.IngressRule) bool {
	return rule.HTTP != nil && slices.ContainsFunc(rule.HTTP.Paths, func(p networkingv1.HTTPIngressPath) bool {
		return p.PathType == nil || torn(&p.Backend)
	})
}

// torn tells a backend whose port has a name and a number, or that has a service
// without any of it.
func torn(b *networkingv1.IngressBackend) bool {
	if b == nil || b.Service == nil {
		return false
	}
	return b.Service.Port.Name != "" && b.Service.Port.Number != 0 || *b.Service == (networkingv1.IngressServiceBackend{})
}

// plain says that there is nothing of what v1 keeps in annotations, of which only
// what is valid comes back as it was.
func plain(hub *autoscalingv2.HorizontalPodAutoscaler) bool {
	m := hub.Spec.Metrics
	return hub.Spec.Behavior == nil && len(hub.Status.CurrentMetrics) == 0 && len(hub.Status.Conditions) == 0 &&
		len(m) == 1 && isCPU(m[0]) && equality.Semantic.DeepEqual(m[0], cpu(*m[0].Resource.Target.AverageUtilization))
}

// labelled says that nothing is left to be taken from the pod template, and that
// nobody wrote the annotations that belong to conversions, in versions that have
// fields instead: they are overwritten, or removed.
func labelled(object metav1.Object, selector *metav1.LabelSelector) bool {
	for _, key := range []string{appsv1.DeprecatedRollbackTo, appsv1.DeprecatedTemplateGeneration} {
		if _, ok := object.GetAnnotations()[key]; ok {
			return false
		}
	}
	return selector != nil && len(object.GetLabels()) > 0
}
