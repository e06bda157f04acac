package harness

import (
	"encoding/json"
	"fmt"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// Request is a request as a host holds it, made anew for every side.
type Request struct {
	*scenario.Request
	// Interfaces are what the host hands to its plugins beside the request.
	Interfaces                 apiadmission.ObjectInterfaces
	callLog                    *callLog
	object, oldObject, options runtime.Object
	user                       user.Info
}

// Request makes a request. The error names the part that cannot be made.
func (k Kinds) Request(r *scenario.Request, w *scenario.Environment) (*Request, error) {
	j := &callLog{}
	made := &Request{Request: r, user: asking(r.User),
		Interfaces: k.interfaces(r.Form, w, j), callLog: j}
	var err error
	if made.object, err = k.hold(r.Object, r); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	if made.oldObject, err = k.hold(r.OldObject, r); err != nil {
		return nil, fmt.Errorf("oldObject: %w", err)
	}
	if made.options, err = k.decodeOptions(r.Options); err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	return made, nil
}

// Attributes returns a new record, with its own annotations and reinvocation
// context.
func (r *Request) Attributes() apiadmission.Attributes {
	return apiadmission.NewAttributesRecord(
		r.object,
		r.oldObject,
		schema.GroupVersionKind(r.Kind),
		r.Namespace,
		r.Name,
		schema.GroupVersionResource(
			r.Resource,
		),
		r.Subresource,
		apiadmission.Operation(r.Operation),
		r.options,
		r.DryRun,
		r.user,
	)
}

// versioned returns the object in the version of the request.
func (r *Request) versioned() ([]byte, error) {
	if r.object == nil {
		return []byte("null"), nil
	}
	converted, err := apiadmission.ConvertToGVK(
		r.object,
		schema.GroupVersionKind(r.Kind),
		r.Interfaces,
	)
	if err != nil {
		return nil, err
	}
	return json.Marshal(converted)
}

func asking(u *authenticationv1.UserInfo) user.Info {
	if u == nil {
		return &user.DefaultInfo{Name: "alice", Groups: []string{"users", "system:authenticated"}}
	}
	info := &user.DefaultInfo{Name: u.Username, UID: u.UID, Groups: u.Groups}
	for key, values := range u.Extra {
		if info.Extra == nil {
			info.Extra = map[string][]string{}
		}
		info.Extra[key] = values
	}
	return info
}

// hold returns an object in the form in which a host holds it: unstructured and
// in the version of the request; or typed, in the internal version if there is
// one and otherwise in that of the request, without apiVersion and kind.
func (k Kinds) hold(raw *runtime.RawExtension, r *scenario.Request) (runtime.Object, error) {
	if raw == nil {
		return nil, nil
	}
	want := schema.GroupVersionKind(r.Kind)
	if r.Form == scenario.Unstructured {
		object := &unstructured.Unstructured{}
		if err := utiljson.Unmarshal(raw.Raw, &object.Object); err != nil {
			return nil, err
		}
		object.SetGroupVersionKind(want)
		return object, nil
	}
	object, from, err := k.decode(raw.Raw, want)
	if err != nil {
		return nil, err
	}
	if internal := from.GroupKind().WithVersion(
		runtime.APIVersionInternal); k.scheme.Recognizes(internal) {
		want = internal
	}
	if from != want {
		held, err := k.scheme.New(want)
		if err != nil {
			return nil, err
		}
		if err := (convertor{k.scheme}).Convert(object, held, nil); err != nil {
			return nil, err
		}
		object = held
	}
	object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	return object, nil
}

// decode decodes an object of the kind in the document, or else of the given
// one.
func (k Kinds) decode(
	raw []byte, otherwise schema.GroupVersionKind,
) (runtime.Object, schema.GroupVersionKind, error) {
	var said metav1.TypeMeta
	if err := json.Unmarshal(raw, &said); err != nil {
		return nil, otherwise, err
	}
	kind := said.GroupVersionKind()
	if said.Kind == "" || said.APIVersion == "" {
		kind = otherwise
	}
	object, err := k.scheme.New(kind)
	if err != nil {
		return nil, kind, err
	}
	return object, kind, json.Unmarshal(raw, object)
}

// decodeOptions keeps apiVersion and kind, as servers do for options.
func (k Kinds) decodeOptions(raw *runtime.RawExtension) (runtime.Object, error) {
	if raw == nil {
		return nil, nil
	}
	object, kind, err := k.decode(raw.Raw, metav1.SchemeGroupVersion.WithKind("CreateOptions"))
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object, nil
}

// hold describes an object that a host holds.
func hold(o runtime.Object) Held {
	if o == nil {
		return Held{}
	}
	content, err := json.Marshal(o)
	if err != nil {
		content = []byte(err.Error())
	}
	return Held{Type: fmt.Sprintf("%T", o), JSON: string(content), Go: goText(o)}
}
