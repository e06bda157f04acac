package crdconversion_test

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestPanics has objects and definitions that no decoder makes, with which the
// code below panics.
func TestPanics(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		crd  string
		in   runtime.Object
		want string
	}
	strange := widget("v1", 1)
	strange.Object["size"] = 1 // an int, which JSON's numbers do not become
	rows := []test{
		{row{"no object", "there is nothing to copy"}, "widgets.example.com", nil, `CustomResourceDefinition "widgets.example.com": runtime error: `},
		{row{"int", "copies are made of JSON's types only"}, "widgets.example.com", strange, `CustomResourceDefinition "widgets.example.com": cannot deep copy int`},
		{row{"name that is no text", "metrics want UTF-8 in their labels"}, "\xff", widget("v1", 1), `CustomResourceDefinition "\xff": `},
	}
	testtable.Run(t, rows, func(t *testing.T, tc test) {
		w := newWebhook(t, nil)
		crd := w.crd("v1")
		crd.Name = tc.crd
		out, err := mustMake(t, w.config(), crd).ConvertToVersion(tc.in, gv("v3"))
		var panicked *admission.PanicError
		if !errors.As(err, &panicked) || !strings.HasPrefix(err.Error(), tc.want) || out != nil {
			t.Errorf("got %v, error %v, want %q", out, err, tc.want)
		}
	})
}

// TestPanicInto is the other form.
func TestPanicInto(t *testing.T) {
	t.Parallel()
	w := newWebhook(t, nil)
	strange := widget("v1", 1)
	strange.Object["size"] = 1
	var panicked *admission.PanicError
	if err := w.convertor(t, "v1").Convert(strange, widget("v3", 1), nil); !errors.As(err, &panicked) || len(panicked.Stack) == 0 {
		t.Errorf("error %v", err)
	}
}
