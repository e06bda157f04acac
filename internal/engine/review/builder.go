package review

import (
	"encoding/json"
	"reflect"
	"strconv"
	"sync"
	"sync/atomic"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/admission"
)

// Encoded is an object's JSON, made when it is first asked for and then kept.
// It is safe for concurrent use. A nil Encoded stands for no object.
type Encoded func() ([]byte, error)

// Encode returns the JSON of an object as it is at the first use; nobody may
// change the object from now on. A nil object gives nil.
func Encode(object runtime.Object) Encoded {
	if object == nil {
		return nil
	}
	return sync.OnceValues(func() ([]byte, error) { return json.Marshal(object) })
}

// bytes returns the JSON, "null" for no object (S-212).
func (e Encoded) bytes() ([]byte, error) {
	if e == nil {
		return []byte("null"), nil
	}
	return e()
}

// Builder makes the reviews of one request. What all of them share is encoded
// once, when the first is made. It is safe for concurrent use.
type Builder struct {
	// Attributes describe the request. Required.
	Attributes apiadmission.Attributes

	last     atomic.Pointer[encodedTarget]
	once     sync.Once
	origin   *origin
	err      error
	panicked any
}

// origin is everything of the request that does not depend on the webhook: what
// comes between the webhook's own fields and the objects, and after them.
type origin struct {
	subresource, beforeObject, afterObjects []byte
}

// Fill makes body a review: what kube-apiserver would send for the target, with a
// trailing newline (S-212…S-219). The objects are not copied.
func (b *Builder) Fill(body *Body, v Version, uid types.UID, target admission.Target, object, oldObject Encoded) error {
	b.once.Do(b.encode)
	if b.panicked != nil {
		panic(b.panicked)
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

// inExtension returns the error of kube-apiserver, whose reviews hold objects and options as
// runtime.RawExtension.
func inExtension(err error) error {
	return &json.MarshalerError{Type: reflect.TypeFor[runtime.RawExtension](), Err: err}
}

// target returns the bytes between the uid and what is the same for all webhooks.
// Most webhooks of a request have the same target, so the last one is kept.
func (b *Builder) target(t admission.Target) []byte {
	if last := b.last.Load(); last != nil && last.Target == t {
		return last.json
	}
	const room = 256 // what a built-in resource needs
	s := splicer{buf: make([]byte, 0, room)}
	s.text(`"`)
	s.words("kind", "group", t.Kind.Group, "version", t.Kind.Version, "kind", t.Kind.Kind)
	s.words("resource", "group", t.Resource.Group, "version", t.Resource.Version, "resource", t.Resource.Resource)
	s.buf = append(s.buf, b.origin.subresource...)
	b.last.Store(&encodedTarget{t, s.buf})
	return s.buf
}

// encodedTarget is a target with its part of a review.
type encodedTarget struct {
	admission.Target
	json []byte
}

// encode fills the origin. A panic, of a user's or an options' own code, is that
// of every review, as it would be if each were made for itself.
func (b *Builder) encode() {
	defer func() { b.panicked = recover() }()
	b.origin, b.err = newOrigin(b.Attributes)
}

func newOrigin(a apiadmission.Attributes) (*origin, error) {
	var options any // a nil interface, so that it prints as null
	if opts := a.GetOperationOptions(); opts != nil {
		options = opts
	}
	userJSON, err := json.Marshal(userInfo(a.GetUserInfo()))
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
		of.word("subResource", a.GetSubresource())
	}
	before.words("requestKind", "group", kind.Group, "version", kind.Version, "kind", kind.Kind)
	before.words("requestResource", "group", resource.Group, "version", resource.Version, "resource", resource.Resource)
	before.optional("requestSubResource", a.GetSubresource())
	before.optional("name", a.GetName())
	before.optional("namespace", a.GetNamespace())
	before.word("operation", string(a.GetOperation()))
	before.field("userInfo", userJSON)
	before.text(`,"object":`)
	after.text(`,"dryRun":`, strconv.FormatBool(a.IsDryRun()))
	after.field("options", optionsJSON)
	after.text("}}\n")
	return &origin{subresource: of.buf, beforeObject: before.buf, afterObjects: after.buf}, nil
}

func userInfo(u user.Info) authenticationv1.UserInfo {
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
