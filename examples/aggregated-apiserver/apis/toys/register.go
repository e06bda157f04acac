package toys

import (
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupName is the API group of all versions.
const GroupName = "toys.example.com"

// AddToScheme adds the internal version.
func AddToScheme(scheme *runtime.Scheme) error {
	internal := schema.GroupVersion{Group: GroupName, Version: runtime.APIVersionInternal}
	scheme.AddKnownTypes(internal, &Robot{}, &RobotList{})
	return nil
}

// Resource qualifies a resource name with the group, for errors.
func Resource(name string) schema.GroupResource {
	return schema.GroupResource{Group: GroupName, Resource: name}
}

// AddConversion adds a conversion that cannot fail. As with generated ones, the
// output may share memory with the input; the scheme copies first where that
// matters.
func AddConversion[In, Out any](scheme *runtime.Scheme, convert func(*In, *Out)) error {
	return scheme.AddConversionFunc((*In)(nil), (*Out)(nil),
		func(in, out any, _ conversion.Scope) error {
			convert(in.(*In), out.(*Out))
			return nil
		})
}

// ConvertAll converts the elements of a list or field. Nil stays nil, because
// it means an absent field.
func ConvertAll[In, Out any](in []In, convert func(*In, *Out)) []Out {
	if in == nil {
		return nil
	}
	out := make([]Out, len(in))
	for i := range in {
		convert(&in[i], &out[i])
	}
	return out
}
