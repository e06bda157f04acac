package convert

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"pgregory.net/rapid"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestRoundTrips converts random objects of the newer version, every field of
// which is set at random, to the other one and back. No field is lost, so that
// the test fails when a Kubernetes release adds a field that a conversion does
// not copy.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	for _, versions := range kinds() {
		newer, older := versions[0], versions[1]
		t.Run(newer.Kind, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				object := made(t, newer)
				random(t, object)
				if a, ok := object.(*autoscalingv2.HorizontalPodAutoscaler); ok {
					restrainAutoscaler(t, a)
					normalizeAutoscaler(a)
				}
				back := converted(t, converted(t, object, older), newer)
				if diff := cmp.Diff(object, back, meaning()); diff != "" {
					t.Fatalf("the round trip lost something (-before +after):\n%s", diff)
				}
			})
		})
	}
}

// TestAnyObject does the same as FuzzConvert with objects of which every field
// is random, so that few are valid.
func TestAnyObject(t *testing.T) {
	t.Parallel()
	for _, versions := range kinds() {
		for i, source := range versions {
			t.Run(strings.ReplaceAll(text(source), "/", "."), func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(t *rapid.T) {
					object := made(t, source)
					random(t, object)
					checkTrips(t, object, source, versions[1-i])
				})
			})
		}
	}
}

// FuzzConvert converts any object that JSON can express to the other version,
// and back. Nothing panics, the source stays as it is, errors name both
// versions, and the second round trip loses nothing.
func FuzzConvert(f *testing.F) {
	for kind, data := range map[int]string{
		0: `{"spec":{"behavior":{"scaleUp":{},"scaleDown":{"policies":[{}],"tolerance":"0.1"}},"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"averageUtilization":1,"averageValue":"5"}}},{"type":"Object","object":{"target":{"value":"0","averageValue":"1"}}},{"type":"External","external":{"target":{"value":"1","averageValue":"1"}}},{"type":"Pods","resource":{}}]},"status":{"currentMetrics":[{"type":"Resource","resource":{"name":"cpu","current":{"averageUtilization":1}}},{"type":"Pods","pods":{"current":{}}}],"conditions":[{"lastTransitionTime":"0001-01-01T00:00:00Z"}]}}`,
		1: `{"metadata":{"annotations":{"autoscaling.alpha.kubernetes.io/metrics":"[{\"type\":\"Object\",\"object\":{\"averageValue\":\"1\"}},{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"targetAverageUtilization\":3}}]","autoscaling.alpha.kubernetes.io/behavior":"{\"ScaleUp\":{\"Tolerance\":\"1n\",\"Policies\":[{}]}}","autoscaling.alpha.kubernetes.io/conditions":"[{}]","autoscaling.alpha.kubernetes.io/current-metrics":"x"}},"spec":{"targetCPUUtilizationPercentage":1},"status":{"currentCPUUtilizationPercentage":2}}`,
		2: `{"regarding":{"name":"x"},"eventTime":"2020-01-01T00:00:00.123456Z","series":{"count":1}}`,
		3: `{"involvedObject":{"name":"x"},"firstTimestamp":"2020-01-01T00:00:00Z","series":{}}`,
		4: `{"metadata":{"name":"x"}}`,
		5: `{"deleteOptions":{"gracePeriodSeconds":1}}`,
	} {
		f.Add(uint8(kind), []byte(data))
	}
	all := kinds()
	f.Fuzz(func(t *testing.T, from uint8, data []byte) {
		versions := all[int(from)/2%len(all)]
		source, target := versions[from%2], versions[1-from%2]
		object := made(t, source)
		if json.Unmarshal(data, object) != nil {
			t.Skip("it is no object of the kind")
		}
		checkTrips(t, object, source, target)
	})
}

// checkTrips compares the results of the first and the second round trip.
func checkTrips(t rapid.TB, object runtime.Object, source, target schema.GroupVersionKind) {
	t.Helper()
	once := thereAndBack(t, object, source, target)
	if once == nil {
		return
	}
	twice := thereAndBack(t, once, source, target)
	if twice == nil {
		t.Fatalf("%#v cannot be converted a second time", once)
	}
	if diff := cmp.Diff(once, twice, meaning()); diff != "" {
		t.Fatalf("the second round trip lost something (-once +twice):\n%s", diff)
	}
}

// thereAndBack returns nil if either way is an error, which names both
// versions.
func thereAndBack(t rapid.TB, object runtime.Object, source, target schema.GroupVersionKind) runtime.Object {
	t.Helper()
	for _, to := range []schema.GroupVersionKind{target, source} {
		original := object.DeepCopyObject()
		out, err := ToVersion(object, to)
		if diff := cmp.Diff(original, object); diff != "" {
			t.Fatalf("the source was changed (-before +after):\n%s", diff)
		}
		if err != nil {
			if out != nil || !strings.Contains(err.Error(), text(source)) || !strings.Contains(err.Error(), text(target)) {
				t.Fatalf("got %v and %s", out, testtable.Text(err))
			}
			return nil
		}
		object = out
	}
	return object
}

// made returns an empty object of a kind.
func made(t rapid.TB, kind schema.GroupVersionKind) runtime.Object {
	t.Helper()
	object, err := scheme.Scheme.New(kind)
	if err != nil {
		t.Fatal(err)
	}
	return object
}

func converted(t rapid.TB, object runtime.Object, to schema.GroupVersionKind) runtime.Object {
	t.Helper()
	original := object.DeepCopyObject()
	out, err := ToVersion(object, to)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(original, object); diff != "" {
		t.Fatalf("the source was changed (-before +after):\n%s", diff)
	}
	if got := out.GetObjectKind().GroupVersionKind(); got != to {
		t.Fatalf("the result says that it is %v", got)
	}
	return out
}

// meaning compares objects without their kind; empty equals absent.
func meaning() cmp.Option {
	return cmp.Options{cmpopts.EquateEmpty(), cmpopts.IgnoreTypes(metav1.TypeMeta{})}
}
