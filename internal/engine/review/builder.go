package review

import (
	"encoding/json"
	"reflect"
	"strconv"
	"sync"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/engine/guard"
)

// Encoded returns an object's JSON, which it encodes at the first call. It is
// safe for concurrent use. A nil Encoded stands for no object.
//
// If it encoded the object for each of 20 webhooks, they would take 2.3 times as
// long.
type Encoded func() ([]byte, error)

// Encode returns the Encoded of an object, which the caller must not modify any
// more. It returns nil for a nil object. If encoding panics, the Encoded
// returns an *admission.PanicError.
func Encode(object runtime.Object) Encoded {
	if object == nil {
		return nil
	}
	return sync.OnceValues(func() (encoded []byte, err error) {
		err = guard.Call(func() (err error) {
			encoded, err = json.Marshal(object)
			return err
		})
		return encoded, err
	})
}

// bytes returns the JSON, "null" for no object (S-212).
func (e Encoded) bytes() ([]byte, error) {
	if e == nil {
		return []byte("null"), nil
	}
	return e()
}

// Builder makes the reviews of one request. It encodes the parts that all of
// them share once, for the first review. It is safe for concurrent use.
type Builder struct {
	// Attributes describe the request. Required.
	Attributes apiadmission.Attributes

	once   sync.Once
	origin *origin
	err    error
}

// origin is the JSON that is the same in all reviews of a request.
type origin struct {
	subresource, beforeObject, afterObjects []byte
}

// Fill makes body a review as kube-apiserver would send it for the target, with
// a trailing newline (S-212…S-219). It does not copy the objects. If code of
// the embedder, such as an object's encoder, panics, the error wraps an
// *admission.PanicError, for each review of the request.
func (b *Builder) Fill(
	body *Body, v Version, uid types.UID, target admission.Target, object, oldObject Encoded,
) error {
	b.once.Do(b.encode)
	if _, panicked := b.err.(*admission.PanicError); panicked {
		return b.err
	}
	objectJSON, err := object.bytes()
	if err != nil {
		return inExtension(err)
	}
	oldObjectJSON, err := oldObject.bytes()
	if err != nil {
		return inExtension(err)
	}
	if b.err != nil {
		return inExtension(b.err)
	}
	*body = Body{
		start: v.start(), uid: string(uid),
		target: b.target(target), origin: b.origin,
		object: objectJSON, oldObject: oldObjectJSON,
	}
	return nil
}

// inExtension returns the error of kube-apiserver, whose reviews hold objects
// and options as runtime.RawExtension.
func inExtension(err error) error {
	return &json.MarshalerError{Type: reflect.TypeFor[runtime.RawExtension](), Err: err}
}

// target returns the JSON between the uid and origin.beforeObject.
func (b *Builder) target(t admission.Target) []byte {
	const usual = 256 // enough for a built-in resource
	s := splicer{buf: make([]byte, 0, usual)}
	s.text(`"`)
	s.objectField("kind", "group", t.Kind.Group, "version", t.Kind.Version, "kind", t.Kind.Kind)
	s.objectField("resource",
		"group", t.Resource.Group, "version", t.Resource.Version, "resource", t.Resource.Resource)
	return append(s.buf, b.origin.subresource...)
}

// encode sets the origin. The methods of the user and of the options may panic.
func (b *Builder) encode() {
	b.err = guard.Call(func() (err error) {
		b.origin, err = newOrigin(b.Attributes)
		return err
	})
}

func newOrigin(a apiadmission.Attributes) (*origin, error) {
	var options any // a nil interface, so that it prints as null
	if opts := a.GetOperationOptions(); opts != nil {
		options = opts
	}
	userJSON, err := json.Marshal(UserInfo(a.GetUserInfo()))
	if err != nil {
		return nil, err
	}
	optionsJSON, err := json.Marshal(options)
	if err != nil {
		return nil, err
	}
	kind, resource := a.GetKind(), a.GetResource()
	var of, before, after splicer
	if a.GetSubresource() != "" {
		of.textField("subResource", a.GetSubresource())
	}
	before.objectField("requestKind",
		"group", kind.Group, "version", kind.Version, "kind", kind.Kind)
	before.objectField("requestResource",
		"group", resource.Group, "version", resource.Version, "resource", resource.Resource)
	before.optionalField("requestSubResource", a.GetSubresource())
	before.optionalField("name", a.GetName())
	before.optionalField("namespace", a.GetNamespace())
	before.textField("operation", string(a.GetOperation()))
	before.field("userInfo", userJSON)
	before.text(`,"object":`)
	after.text(`,"dryRun":`, strconv.FormatBool(a.IsDryRun()))
	after.field("options", optionsJSON)
	after.text("}}\n")
	return &origin{subresource: of.buf, beforeObject: before.buf, afterObjects: after.buf}, nil
}

// UserInfo returns the user as reviews show it. It shares the groups and the
// extra values with u.
func UserInfo(u user.Info) authenticationv1.UserInfo {
	info := authenticationv1.UserInfo{
		Username: u.GetName(),
		UID:      u.GetUID(),
		Groups:   u.GetGroups(),
		Extra:    make(map[string]authenticationv1.ExtraValue, len(u.GetExtra())),
	}
	for key, value := range u.GetExtra() {
		info.Extra[key] = value
	}
	return info
}

// User is the reverse of UserInfo. nil has no name.
func User(info *authenticationv1.UserInfo) user.Info {
	if info == nil {
		return &user.DefaultInfo{}
	}
	extra := make(map[string][]string, len(info.Extra))
	for key, values := range info.Extra {
		extra[key] = values
	}
	return &user.DefaultInfo{
		Name: info.Username, UID: info.UID, Groups: info.Groups, Extra: extra,
	}
}
