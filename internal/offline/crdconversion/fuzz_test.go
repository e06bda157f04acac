package crdconversion_test

import (
	"errors"
	"io"
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
)

// FuzzAnswer gives any answer to a conversion, which is asked for in v1beta1:
// its answers need not know a uid. No answer causes a panic, and what is no
// error is the object that was asked for.
func FuzzAnswer(f *testing.F) {
	object := `{"apiVersion":"example.com/v3","kind":"Widget","metadata":{"name":"one","namespace":"shop","uid":"11-22","labels":{"a":"b"}},"spec":{"size":1}}`
	for _, seed := range []string{
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"ConversionReview","response":{"uid":"1","result":{"status":"Success"},"convertedObjects":[` + object + `]}}`,
		"apiVersion: apiextensions.k8s.io/v1beta1\nkind: ConversionReview\nresponse:\n  result: {status: Success}\n  convertedObjects: [" + object + "]",
		`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"ConversionReview","response":{"result":{"status":"Failure","message":"no","details":{"causes":[{}]}}}}`,
		`{"apiVersion":"v1","kind":"Status","status":"Success"}`, "k8s\x00\n\x00", "\xd9\xd9\xf7\xa0", `{"response":null}`, "",
	} {
		f.Add([]byte(seed), 200)
	}
	var answer []byte
	var status int
	w := newHandler(f, func(out http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		out.WriteHeader(status)
		_, _ = out.Write(answer)
	})
	convertor := w.convertor(f, "v1beta1")
	f.Fuzz(func(t *testing.T, body []byte, code int) {
		if code < 200 || code > 999 {
			t.Skip("no server can send it as the status of an answer")
		}
		answer, status = body, code
		in := widget("v1", 5)
		out, err := convertor.ConvertToVersion(in, gv("v3"))
		checkAnswer(t, in, out, err)
	})
}

func checkAnswer(t *testing.T, in *unstructured.Unstructured, out runtime.Object, err error) {
	t.Helper()
	var panicked *admission.PanicError
	if errors.As(err, &panicked) {
		t.Fatalf("%v\n%s", err, panicked.Stack)
	}
	if err != nil {
		if out != nil || err.Error() == "" {
			t.Fatalf("got %v beside %v", out, err)
		}
		return
	}
	u, ok := out.(*unstructured.Unstructured)
	if !ok || u.GroupVersionKind() != gv("v3").WithKind("Widget") || u.GetName() != in.GetName() || u.GetUID() != in.GetUID() ||
		u.GetNamespace() != in.GetNamespace() || u.GetResourceVersion() != in.GetResourceVersion() {
		t.Fatalf("got %v", out)
	}
	u.DeepCopy() // panics unless it is made of JSON's types
}
