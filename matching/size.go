package matching

import (
	"math"

	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// variableSize is the size of an activation's variables, once it is needed.
type variableSize struct {
	bytes           uint64
	known, computed bool
}

// Size returns a number that no length of a string, list or map in the
// variables exceeds. It returns false for objects whose size is not known.
func (a *activation) Size() (bytes uint64, known bool) {
	if !a.size.computed {
		a.size = a.computeSize()
	}
	return a.size.bytes, a.size.known
}

func (a *activation) computeSize() variableSize {
	size := variableSize{bytes: requestSize(a.versioned), computed: true}
	for _, object := range []runtime.Object{
		a.versioned.VersionedObject.Object(), a.versioned.VersionedOldObject.Object(),
		a.versioned.GetOperationOptions(),
	} {
		bytes, known := objectSize(object)
		if !known {
			return size
		}
		size.bytes = max(size.bytes, bytes)
	}
	size.known = true
	return size
}

// objectSize returns the size of an object. Of a typed one it follows from that of
// its encoding in protobuf, which is not shorter than any text or list in the
// object. Only times and durations, and bytes, are longer in an expression.
func objectSize(object runtime.Object) (bytes uint64, known bool) {
	// rendered is more than the length of a time or duration as text, and than
	// the number of fields of any type; it also covers the rounding of base64, the
	// text of bytes, which has four characters for three of them.
	const rendered = 256
	switch o := object.(type) {
	case nil:
		return 0, true
	case runtime.Unstructured:
		return valueSize(o.UnstructuredContent()), true
	case protobufObject:
		return uint64(o.Size())*4/3 + rendered, true
	default:
		return 0, false
	}
}

// protobufObject is a type whose methods for protobuf are generated.
type protobufObject interface {
	Size() int
	MarshalToSizedBuffer([]byte) (int, error)
}

// valueSize returns the size of a value of JSON.
func valueSize(value any) uint64 {
	const number = 24
	switch v := value.(type) {
	case string:
		return uint64(len(v))
	case []any:
		size := uint64(len(v))
		for _, item := range v {
			size += valueSize(item)
		}
		return size
	case map[string]any:
		size := uint64(len(v))
		for key, field := range v {
			size += uint64(len(key)) + valueSize(field)
		}
		return size
	case nil, bool, int64, float64:
		return number
	default:
		return math.MaxUint32 // no value of JSON: it may have any length
	}
}

// requestSize returns the size of the variable request.
func requestSize(v *apiadmission.VersionedAttributes) uint64 {
	const names = 1 << 10 // of fields, and of kinds and resources
	size := names + uint64(len(v.GetName())+len(v.GetNamespace())+len(v.GetSubresource()))
	u := v.GetUserInfo()
	if u == nil {
		return size
	}
	size += uint64(len(u.GetName()) + len(u.GetUID()))
	for _, group := range u.GetGroups() {
		size += uint64(len(group)) + 1
	}
	for key, values := range u.GetExtra() {
		size += uint64(len(key)) + 1
		for _, value := range values {
			size += uint64(len(value)) + 1
		}
	}
	return size
}
