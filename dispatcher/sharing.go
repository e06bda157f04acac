package dispatcher

import (
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// sharing is a host's object interfaces for making objects that nobody changes. It
// saves the copy of a typed object that is already in the version that is asked
// for: the result has kind and apiVersion, and shares everything else with the
// request's own object.
//
// That is safe, because the engine never writes to an object that it shows to
// webhooks or conditions, and replaces the content of the request's own as a whole.
type sharing struct {
	apiadmission.ObjectInterfaces
}

// GetObjectConvertor returns the host's, or one that shares if the host's is a
// scheme: of that it is known that it copies what has the right type already.
func (s sharing) GetObjectConvertor() runtime.ObjectConvertor {
	convertor := s.ObjectInterfaces.GetObjectConvertor()
	if scheme, ok := convertor.(*runtime.Scheme); ok {
		return shallow{scheme}
	}
	return convertor
}

// shallow is a scheme that does not copy what objects refer to.
type shallow struct{ *runtime.Scheme }

// Convert implements runtime.ObjectConvertor.
func (s shallow) Convert(in, out, context any) error {
	if _, custom := in.(runtime.Unstructured); custom {
		return s.Scheme.Convert(in, out, context)
	}
	from, to := reflect.ValueOf(in), reflect.ValueOf(out)
	if from.Kind() != reflect.Pointer || from.Type() != to.Type() || from.IsNil() || to.IsNil() {
		return s.Scheme.Convert(in, out, context)
	}
	to.Elem().Set(from.Elem())
	return nil
}
