package kinds_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/testutil/testtable"
)

// scalable returns a registry with a custom kind that has a scale, Machine, and
// one that says nothing of a selector, Wheel.
func scalable(t *testing.T) *kinds.Registry {
	t.Helper()
	r := taught(t)
	for kind, selector := range map[string]*string{"Machine": new(".status.selector"), "Wheel": nil} {
		crd := widgets()
		crd.Spec.Names.Kind, crd.Spec.Names.Plural = kind, strings.ToLower(kind)+"s"
		crd.Name = crd.Spec.Names.Plural + ".example.com"
		crd.Spec.Versions[1].Subresources.Scale = &apiextensionsv1.CustomResourceSubresourceScale{
			SpecReplicasPath: ".spec.pods.replicas", StatusReplicasPath: ".status.replicas", LabelSelectorPath: selector,
		}
		if err := r.AddCRD(crd); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// decoded returns the object in a document.
func decoded(t *testing.T, r *kinds.Registry, text string) runtime.Object {
	t.Helper()
	for d, err := range manifest.Documents("a.yaml", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		object, err := r.Decode(d)
		if err != nil {
			t.Fatal(err)
		}
		return object
	}
	t.Fatal("no document")
	return nil
}

const scaledMetadata = `metadata: {name: web, namespace: shop, uid: u, resourceVersion: "7", creationTimestamp: "2020-01-01T00:00:00Z"`

type scaleCase struct {
	row
	parent, want string
}

func scaleCases() []scaleCase {
	const m = scaledMetadata
	return []scaleCase{
		{row{"deployment", "labels and the like are not the Scale's"},
			`{apiVersion: apps/v1, kind: Deployment, ` + m + `, labels: {a: b}, generation: 3}, spec: {replicas: 3, selector: {matchLabels: {a: b, app: web}, matchExpressions: [{key: c, operator: In, values: [d, e]}]}}, status: {replicas: 2}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {replicas: 3}, status: {replicas: 2, selector: "a=b,app=web,c in (d,e)"}}`},
		{row{"replicaset", "as for deployments"},
			`{apiVersion: apps/v1, kind: ReplicaSet, ` + m + `}, spec: {replicas: 3, selector: {matchLabels: {a: b}}}, status: {replicas: 2}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {replicas: 3}, status: {replicas: 2, selector: a=b}}`},
		{row{"statefulset", "as for deployments"},
			`{apiVersion: apps/v1, kind: StatefulSet, ` + m + `}, spec: {replicas: 3, selector: {matchLabels: {a: b}}}, status: {replicas: 2}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {replicas: 3}, status: {replicas: 2, selector: a=b}}`},
		{row{"controller", "its selector is a map"},
			`{apiVersion: v1, kind: ReplicationController, ` + m + `}, spec: {replicas: 3, selector: {b: c, a: b}}, status: {replicas: 2}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {replicas: 3}, status: {replicas: 2, selector: "a=b,b=c"}}`},
		{row{"default", "what is stored has its replicas written out"},
			`{apiVersion: apps/v1, kind: Deployment, ` + m + `}, spec: {selector: {matchLabels: {a: b}}}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {replicas: 1}, status: {selector: a=b}}`},
		{row{"zero", "which is not the default"},
			`{apiVersion: apps/v1, kind: Deployment, ` + m + `}, spec: {replicas: 0, selector: {matchLabels: {a: b}}}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {}, status: {selector: a=b}}`},
		{row{"custom", "from where its definition says"},
			`{apiVersion: example.com/v1, kind: Machine, ` + m + `}, spec: {pods: {replicas: 3}}, status: {replicas: 2, selector: "any text"}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {replicas: 3}, status: {replicas: 2, selector: "any text"}}`},
		{row{"custom without status", "nothing has looked after it yet"},
			`{apiVersion: example.com/v1, kind: Machine, ` + m + `}, spec: {pods: {replicas: 3}}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {replicas: 3}}`},
		{row{"custom without selector", "definitions need not have one"},
			`{apiVersion: example.com/v1, kind: Wheel, ` + m + `}, spec: {pods: {replicas: 3}}, status: {replicas: 2, selector: a=b}}`,
			`{apiVersion: autoscaling/v1, kind: Scale, ` + m + `}, spec: {replicas: 3}, status: {replicas: 2}}`},
	}
}

func TestScaleOf(t *testing.T) {
	t.Parallel()
	r := scalable(t)
	testtable.Run(t, scaleCases(), func(t *testing.T, tc scaleCase) {
		parent := decoded(t, r, tc.parent)
		before := parent.DeepCopyObject()
		got, err := r.ScaleOf(parent)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decoded(t, r, tc.want), got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(before, parent); diff != "" {
			t.Errorf("the parent was modified (-before +after):\n%s", diff)
		}
	})
}

// TestScaleOfUnstructured takes an object of a built-in kind that has no Go
// type.
func TestScaleOfUnstructured(t *testing.T) {
	t.Parallel()
	r := kinds.New()
	parent := &unstructured.Unstructured{}
	parent.SetGroupVersionKind(gvk("apps/v1 Deployment"))
	parent.SetName("web")
	got, err := r.ScaleOf(parent)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decoded(t, r, `{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: web}, spec: {replicas: 1}}`), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScaleOfErrors(t *testing.T) {
	t.Parallel()
	rows := []scaleCase{
		{row{"pod", "a kind without a scale"}, `{apiVersion: v1, kind: Pod}`, "v1 Pod has no subresource scale"},
		{row{"daemonset", "nor has this one"}, `{apiVersion: apps/v1, kind: DaemonSet}`, "apps/v1 DaemonSet has no subresource scale"},
		{row{"removed version", "it has no resource any more"}, `{apiVersion: extensions/v1beta1, kind: Deployment}`, "extensions/v1beta1 Deployment is not served: kube-apiserver v1.37 serves apps/v1"},
		{row{"custom", "its definition has none"}, `{apiVersion: example.com/v1, kind: Gear}`, "example.com/v1 Gear has no subresource scale"},
		{row{"custom version", "another version of it has one"}, `{apiVersion: example.com/v2, kind: Machine}`, "example.com/v2 Machine has no subresource scale"},
		{row{"body", "no resource"}, `{apiVersion: policy/v1, kind: Eviction}`, "policy/v1 Eviction is not a resource: it is the body of requests to pods/eviction"},
		{row{"selector", "a server would not have stored it"}, `{apiVersion: apps/v1, kind: Deployment, spec: {selector: {matchExpressions: [{key: a, operator: Near}]}}}`,
			`making the Scale of apps/v1 Deployment: spec.selector: "Near" is not a valid label selector operator`},
		{row{"no replicas", "a server answers with this error, too"}, `{apiVersion: example.com/v1, kind: Machine, spec: {}}`,
			`making the Scale of example.com/v1 Machine: the spec replicas field ".spec.pods.replicas" does not exist`},
		{row{"replicas", "they are whole numbers"}, `{apiVersion: example.com/v1, kind: Machine, spec: {pods: {replicas: "3"}}}`,
			`making the Scale of example.com/v1 Machine: .spec.pods.replicas accessor error: 3 is of the type string, expected int64`},
		{row{"current replicas", "those, too"}, `{apiVersion: example.com/v1, kind: Machine, spec: {pods: {replicas: 3}}, status: {replicas: a}}`,
			`making the Scale of example.com/v1 Machine: .status.replicas accessor error: a is of the type string, expected int64`},
		{row{"selector path", "the selector is text"}, `{apiVersion: example.com/v1, kind: Machine, spec: {pods: {replicas: 3}}, status: {selector: {a: b}}}`,
			`making the Scale of example.com/v1 Machine: .status.selector accessor error: map[a:b] is of the type map[string]interface {}, expected string`},
	}
	r := scalable(t)
	testtable.Run(t, rows, func(t *testing.T, tc scaleCase) {
		got, err := r.ScaleOf(decoded(t, r, tc.parent))
		if got != nil || testtable.Text(err) != tc.want {
			t.Errorf("got %v and error\n%v\nwant\n%s", got, err, tc.want)
		}
	})
}
