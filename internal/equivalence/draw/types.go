package draw

import (
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// form is the form of a value in JSON, and what it means.
type form uint8

const (
	object form = 1 + iota
	list
	mapping
	text
	integer
	number
	boolean
	// quantity, timestamp and binary are texts.
	quantity
	timestamp
	binary
	// intOrText is an integer or a text.
	intOrText
	// anything has no type.
	anything
)

// Type is the type of a field.
type Type struct {
	form form
	// fields are those of an object.
	fields []field
	// elem is the type of the elements of a list, or of the values of a mapping.
	elem *Type
	// enum are the values that are allowed; empty for all.
	enum []any
	// least and most bound a number, the length of a text or of a list.
	least, most *int64
	// pattern is a regular expression for a text.
	pattern string
	// unique is the field by which the elements of a list differ; may be empty.
	unique string
}

type field struct {
	name     string
	of       *Type
	required bool
}

// field returns a field of an object; nil if there is none.
func (t *Type) field(name string) *field {
	if i := slices.IndexFunc(t.fields, func(f field) bool { return f.name == name }); i >= 0 {
		return &t.fields[i]
	}
	return nil
}

// goTypes has the types of Go types, which may contain themselves.
type goTypes map[reflect.Type]*Type

var special = map[reflect.Type]form{
	reflect.TypeFor[resource.Quantity]():                      quantity,
	reflect.TypeFor[intstr.IntOrString]():                     intOrText,
	reflect.TypeFor[metav1.Time]():                            timestamp,
	reflect.TypeFor[metav1.MicroTime]():                       timestamp,
	reflect.TypeFor[metav1.Duration]():                        text,
	reflect.TypeFor[metav1.FieldsV1]():                        anything,
	reflect.TypeFor[runtime.RawExtension]():                   anything,
	reflect.TypeFor[apiextensionsv1.JSON]():                   anything,
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():  anything,
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray](): anything,
}

func (g goTypes) of(t reflect.Type) *Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if known := g[t]; known != nil {
		return known
	}
	made := &Type{enum: enums[t.Name()]}
	g[t] = made
	if f, ok := special[t]; ok {
		made.form = f
		return made
	}
	switch t.Kind() {
	case reflect.Struct:
		made.form, made.fields = object, g.fields(t)
	case reflect.Slice:
		made.form = binary
		if t.Elem().Kind() != reflect.Uint8 {
			made.form, made.elem = list, g.of(t.Elem())
		}
	case reflect.Map:
		made.form, made.elem = mapping, g.of(t.Elem())
	case reflect.String:
		made.form = text
	case reflect.Bool:
		made.form = boolean
	case reflect.Float32, reflect.Float64:
		made.form = number
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint32, reflect.Uint64:
		made.form = integer
	default:
		made.form = anything
	}
	return made
}

// fields returns the fields of a struct. A field without omitempty is required: the API
// types use it for those.
func (g goTypes) fields(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported() || name == "-" || f.Type == reflect.TypeFor[metav1.TypeMeta]():
		case name == "" && f.Anonymous:
			all = append(all, g.fields(f.Type)...)
		case name != "":
			of := g.of(f.Type)
			if of.form == integer && slices.Contains(ports, name) {
				bounded := *of
				bounded.least, bounded.most = new(int64(1)), new(int64(65535))
				of = &bounded
			}
			if key := f.Tag.Get("patchMergeKey"); key != "" && of.form == list {
				keyed := *of
				keyed.unique, of = key, &keyed
			}
			required := !strings.Contains(options, "omit") || name == "spec" && of.isDemanding()
			all = append(all, field{name, of, required})
		}
	}
	return all
}

// isDemanding reports whether a type has required fields. The spec of an object or of a
// template is required then, although it has omitempty.
func (t *Type) isDemanding() bool {
	return slices.ContainsFunc(t.fields, func(f field) bool { return f.required })
}

// ports are the names of fields that are ports.
var ports = []string{"port", "containerPort", "hostPort"}

// enums are the values of Go types that are enumerations, without which an API server
// rejects objects. The types are those of k8s.io/api that policies often read.
var enums = map[string][]any{
	"PullPolicy":                   {"IfNotPresent", "Always", "Never"},
	"RestartPolicy":                {"Always", "OnFailure", "Never"},
	"Protocol":                     {"TCP", "UDP", "SCTP"},
	"ServiceType":                  {"ClusterIP", "NodePort", "LoadBalancer", "ExternalName"},
	"DNSPolicy":                    {"ClusterFirst", "Default", "ClusterFirstWithHostNet", "None"},
	"TaintEffect":                  {"NoSchedule", "PreferNoSchedule", "NoExecute"},
	"TolerationOperator":           {"Equal", "Exists"},
	"SeccompProfileType":           {"RuntimeDefault", "Unconfined", "Localhost"},
	"PersistentVolumeAccessMode":   {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"},
	"ConcurrencyPolicy":            {"Allow", "Forbid", "Replace"},
	"DeploymentStrategyType":       {"RollingUpdate", "Recreate"},
	"PathType":                     {"Prefix", "Exact", "ImplementationSpecific"},
	"ServiceExternalTrafficPolicy": {"Cluster", "Local"},
	"URIScheme":                    {"HTTP", "HTTPS"},
	"LabelSelectorOperator":        {"Exists", "DoesNotExist", "In", "NotIn"},
	"NodeSelectorOperator":         {"Exists", "DoesNotExist", "In", "NotIn", "Gt", "Lt"},
	"TerminationMessagePolicy":     {"File", "FallbackToLogsOnError"},
	"MountPropagationMode":         {"None", "HostToContainer", "Bidirectional"},
	"PolicyType":                   {"Ingress", "Egress"},
}
