package review

import (
	"errors"
	"io"
	"sync"
	"testing"
	"testing/iotest"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// stubborn is an object that cannot be encoded, and counts the attempts.
type stubborn struct {
	runtime.Object
	attempts *int
}

var errStubborn = errors.New("no")

func (s stubborn) MarshalJSON() ([]byte, error) {
	*s.attempts++
	return nil, errStubborn
}

// eager is an object that counts how often it is encoded.
type eager struct {
	runtime.Object
	times *int
}

func (e eager) MarshalJSON() ([]byte, error) {
	*e.times++
	return []byte(`{"kind":"Pod"}`), nil
}

func TestBodyErrors(t *testing.T) {
	t.Parallel()
	type failure struct {
		row
		request     bodyCase
		object, old Encoded
	}
	attempts := new(int)
	bad := Encode(stubborn{attempts: attempts})
	testtable.Run(t, []failure{
		{row: row{"object", "nothing is sent without the object"}, object: bad},
		{row: row{"oldObject", "nor without the old one"}, old: bad},
		{row: row{"options", "nor without the options"}, request: bodyCase{options: stubborn{attempts: new(int)}}},
	}, func(t *testing.T, tc failure) {
		body, err := body(&Builder{Attributes: tc.request.attributes()}, V1, uid, admission.Target{}, tc.object, tc.old)
		if !errors.Is(err, errStubborn) || body != nil {
			t.Errorf("Body = %v, %v, want no body and %v", body, err, errStubborn)
		}
	})
}

// An object that cannot be encoded is not tried again for the next webhook.
func TestEncodeErrorIsKept(t *testing.T) {
	t.Parallel()
	attempts := 0
	bad := Encode(stubborn{attempts: &attempts})
	b := &Builder{Attributes: bodyCase{}.attributes()}
	for range 3 {
		if _, err := body(b, V1, uid, admission.Target{}, bad, nil); !errors.Is(err, errStubborn) {
			t.Errorf("error %v, want %v", err, errStubborn)
		}
	}
	if attempts != 1 {
		t.Errorf("encoded %d times, want once", attempts)
	}
}

// However many webhooks receive it, an object is encoded once; validating
// webhooks ask from several goroutines.
func TestObjectIsEncodedOnce(t *testing.T) {
	t.Parallel()
	times := 0
	object := Encode(eager{times: &times})
	if times != 0 {
		t.Error("encoded before the body was read")
	}
	b := &Builder{Attributes: bodyCase{operation: apiadmission.Create}.attributes()}
	bodies := make([]string, 8)
	var wg sync.WaitGroup
	for i := range bodies {
		wg.Go(func() {
			body, err := body(b, V1, uid, admission.Target{}, object, nil)
			if err != nil {
				t.Errorf("Body: %v", err)
			}
			bodies[i] = string(read(t, body))
		})
	}
	wg.Wait()
	for _, body := range bodies {
		if body != bodies[0] {
			t.Errorf("bodies differ:\n%s%s", body, bodies[0])
		}
	}
	if times != 1 {
		t.Errorf("encoded %d times, want once", times)
	}
}

// Bodies do not share memory, because each belongs to another request.
func TestBodiesAreIndependent(t *testing.T) {
	t.Parallel()
	b := &Builder{Attributes: bodyCase{operation: apiadmission.Create}.attributes()}
	object := Encode(&unstructured.Unstructured{Object: map[string]any{"kind": "K", "apiVersion": "v1"}})
	target := admission.Target{Kind: schema.GroupVersionKind{Kind: "K"}}
	body := func() []byte {
		got, err := body(b, V1, uid, target, object, nil)
		if err != nil {
			t.Fatal(err)
		}
		return read(t, got)
	}
	first := body()
	want := string(first)
	clear(first)
	if got := string(body()); got != want {
		t.Errorf("the second body is %q, want %q", got, want)
	}
}

// However a client reads a body, it reads the same.
func TestBodyIsAReader(t *testing.T) {
	t.Parallel()
	b := &Builder{Attributes: bodyCase{operation: apiadmission.Create}.attributes()}
	object := Encode(&unstructured.Unstructured{Object: map[string]any{"kind": "K", "apiVersion": "v1"}})
	got, err := body(b, V1, uid, admission.Target{}, object, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(got.Open(), read(t, got)); err != nil {
		t.Error(err)
	}
	if n := len(read(t, got)); n != got.Len() {
		t.Errorf("%d bytes, but Len is %d", n, got.Len())
	}
}

// Encode(nil) is no object, also behind the interface.
func TestEncodeNothing(t *testing.T) {
	t.Parallel()
	var none runtime.Object
	if Encode(none) != nil {
		t.Error("no object became something")
	}
}

// body returns a new review.
func body(b *Builder, v Version, uid types.UID, target admission.Target, object, oldObject Encoded) (*Body, error) {
	filled := &Body{}
	if err := b.Fill(filled, v, uid, target, object, oldObject); err != nil {
		return nil, err
	}
	return filled, nil
}

// read returns all bytes of a body.
func read(t *testing.T, b *Body) []byte {
	t.Helper()
	all, err := io.ReadAll(b.Open())
	if err != nil {
		t.Error(err)
	}
	return all
}
