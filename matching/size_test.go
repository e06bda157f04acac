package matching

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	kubernetesscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"

	"example.com/gatehouse/internal/testutil/testtable"
)

// TestObjectSize fills objects of all types of Kubernetes' API with random
// values. No text, list or map in their JSON is longer than their size.
func TestObjectSize(t *testing.T) {
	t.Parallel()
	filler := randfill.NewWithSeed(1).NilChance(0.3).NumElements(0, 9).MaxDepth(7).Funcs(
		func(e *runtime.RawExtension, c randfill.Continue) {
			e.Raw = fmt.Appendf(nil, `{"text":%q}`, strings.Repeat("x", c.Intn(99)))
		},
		func(b *[]byte, c randfill.Continue) { *b = make([]byte, c.Intn(9999)) },
		func(f *metav1.FieldsV1, _ randfill.Continue) { f.SetRawString(`{"f:metadata":{}}`) },
		func(at *metav1.Time, c randfill.Continue) { at.Time = time.Unix(c.Int63n(1<<31), 0) },
		func(at *metav1.MicroTime, c randfill.Continue) { at.Time = time.Unix(c.Int63n(1<<31), 123_456_000) },
		func(q *apiresource.Quantity, c randfill.Continue) {
			*q = *apiresource.NewMilliQuantity(c.Int63(), apiresource.DecimalSI)
		},
	)
	compared := 0
	for kind, goType := range kubernetesscheme.Scheme.AllKnownTypes() {
		object, err := kubernetesscheme.Scheme.New(kind)
		if err != nil {
			t.Fatal(err)
		}
		if _, known := objectSize(object); !known {
			continue // no resource of the API
		}
		filler.Fill(object)
		encoded, err := json.Marshal(object)
		if err != nil {
			continue // a type whose texts have a form, which random ones lack
		}
		size, _ := objectSize(object)
		compared++
		wantCovered(t, goType.String(), encoded, size)
	}
	if compared < 300 {
		t.Errorf("only %d objects were compared", compared)
	}
}

// wantCovered wants no length in a value of JSON to be above size.
func wantCovered(t *testing.T, name string, encoded []byte, size uint64) {
	t.Helper()
	var value any
	if err := json.Unmarshal(encoded, &value); err != nil {
		t.Fatal(err)
	}
	if longest := longest(value); longest > size {
		t.Errorf("%s: a length of %d is above the size of %d", name, longest, size)
	}
}

func longest(value any) (length uint64) {
	switch v := value.(type) {
	case string:
		return uint64(len(v))
	case []any:
		length = uint64(len(v))
		for _, item := range v {
			length = max(length, longest(item))
		}
	case map[string]any:
		length = uint64(len(v))
		for key, field := range v {
			length = max(length, uint64(len(key)), longest(field))
		}
	}
	return length
}

// TestObjectSizes checks the size of what is not made by Kubernetes.
func TestObjectSizes(t *testing.T) {
	t.Parallel()
	custom := &unstructured.Unstructured{Object: map[string]any{
		"kind": "Stand", "items": []any{"apple", int64(7), map[string]any{"a": nil}}, "open": true,
	}}
	if size, known := objectSize(custom); !known || size < 30 || size > 150 {
		t.Errorf("a custom resource has the size %d (%v)", size, known)
	}
	custom.Object["texts"] = []string{"not a list of JSON"}
	if size, _ := objectSize(custom); size < 1<<32-1 {
		t.Errorf("a value that is not of JSON has the size %d", size)
	}
	if size, known := objectSize(nil); !known || size != 0 {
		t.Errorf("no object has the size %d (%v)", size, known)
	}
	if _, known := objectSize(&own{}); known {
		t.Error("the size of an object that only has a method Size is known")
	}
	small, _ := objectSize(&corev1.Pod{})
	large, _ := objectSize(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: string(make([]byte, 10_000))}})
	if small > 1000 || large < 10_000 {
		t.Errorf("an empty pod has the size %d, a large one %d", small, large)
	}
}

// TestVariableSize: each variable counts, and each part of request that a client chooses.
func TestVariableSize(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10_000)
	pod := func() runtime.Object { return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: long}} }
	type request struct {
		object, old, options runtime.Object
		name, namespace      string
		user                 user.DefaultInfo
	}
	type sizeRow struct {
		testtable.Row
		q    request
		want uint64
	}
	testtable.Run(t, []sizeRow{
		{testtable.Row{"none", "the names of fields and kinds are short"}, request{}, 0},
		{testtable.Row{"object", "a variable"}, request{object: pod()}, 10_000},
		{testtable.Row{"oldObject", "a variable"}, request{old: pod()}, 10_000},
		{testtable.Row{"options", "a field of request"}, request{options: &metav1.CreateOptions{FieldManager: long}}, 10_000},
		{testtable.Row{"name", "a field of request"}, request{name: long}, 10_000},
		{testtable.Row{"namespace", "a field of request"}, request{namespace: long}, 10_000},
		{testtable.Row{"user", "a field of request.userInfo"}, request{user: user.DefaultInfo{Name: long}}, 10_000},
		{testtable.Row{"uid", "a field of request.userInfo"}, request{user: user.DefaultInfo{UID: long}}, 10_000},
		{testtable.Row{"group", "a field of request.userInfo"}, request{user: user.DefaultInfo{Groups: []string{long}}}, 10_000},
		{testtable.Row{"groups", "a list has a length"}, request{user: user.DefaultInfo{Groups: make([]string, 10_000)}}, 10_000},
		{testtable.Row{"key of extra", "a key has a length"}, request{user: user.DefaultInfo{Extra: map[string][]string{long: nil}}}, 10_000},
		{testtable.Row{"extra", "a value has a length"}, request{user: user.DefaultInfo{Extra: map[string][]string{"a": {long}}}}, 10_000},
		{testtable.Row{"values of extra", "a list has a length"}, request{user: user.DefaultInfo{Extra: map[string][]string{"a": make([]string, 10_000)}}}, 10_000},
	}, func(t *testing.T, tc sizeRow) {
		attributes := apiadmission.NewAttributesRecord(tc.q.object, tc.q.old, schema.GroupVersionKind{}, tc.q.namespace, tc.q.name,
			schema.GroupVersionResource{}, "", apiadmission.Create, tc.q.options, false, &tc.q.user)
		v := &apiadmission.VersionedAttributes{Attributes: attributes}
		v.VersionedObject.Set(tc.q.object)
		v.VersionedOldObject.Set(tc.q.old)
		a := &activation{versioned: v}
		if size, known := a.Size(); !known || size < tc.want || size > tc.want*3/2+2000 {
			t.Errorf("the size is %d (%v)", size, known)
		}
	})
}

// own is a type of an aggregated API server without protobuf.
type own struct{ runtime.Object }

// Size returns how many there are.
func (own) Size() int { return 1 }
