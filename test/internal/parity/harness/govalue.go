package harness

import (
	"math"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// odd is the Go value of each scenario.GoValue.
var odd = map[string]any{
	"int":   int(1),
	"float": float64(1),
	"NaN":   math.NaN(),
	"time":  metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 678, time.UTC)),
}

// write writes values into an object. Fields that are there stay unless it
// shall overwrite.
func write(values []scenario.GoValue, object any, overwrite bool) {
	for _, v := range values {
		switch o := object.(type) {
		case *unstructured.Unstructured:
			if _, has := o.Object[v.Field]; overwrite || !has {
				o.Object[v.Field] = odd[v.Value]
			}
		case *corev1.Pod:
			if at, isTime := odd[v.Value].(metav1.Time); isTime && (overwrite || o.Status.StartTime == nil) {
				o.Status.StartTime = &at
			}
		}
	}
}

// oddDefaulter is a defaulter that also writes odd values.
type oddDefaulter struct {
	runtime.ObjectDefaulter
	values []scenario.GoValue
}

// Default implements runtime.ObjectDefaulter.
func (d oddDefaulter) Default(object runtime.Object) {
	d.ObjectDefaulter.Default(object)
	write(d.values, object, false)
}
