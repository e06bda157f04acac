package review

import (
	"encoding/json"
	"sync"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

	once     sync.Once
	origin   *origin
	err      error
	panicked any
}

// origin is everything of the request that does not depend on the webhook: the
// fields before and after what does.
type origin struct {
	requestKind, requestResource   []byte
	subresource, name, namespace   []byte
	operation, userInfo, options   []byte
	dryRun                         bool
	hasSubresource, hasName, hasNS bool
}

// Body returns the bytes of a review: what kube-apiserver would send for the
// target, with a trailing newline (S-212…S-219).
func (b *Builder) Body(v Version, uid types.UID, target admission.Target, object, oldObject Encoded) ([]byte, error) {
	b.once.Do(b.encode)
	if b.panicked != nil {
		panic(b.panicked)
	}
	if b.err != nil {
		return nil, b.err
	}
	o := b.origin
	objectJSON, err := object.bytes()
	if err != nil {
		return nil, err
	}
	oldObjectJSON, err := oldObject.bytes()
	if err != nil {
		return nil, err
	}
	targetKind, targetResource, err := targetJSON(target)
	if err != nil {
		return nil, err
	}

	const frame = 768 // room for the field names and the short values
	s := splicer{buf: make([]byte, 0, frame+len(objectJSON)+len(oldObjectJSON)+len(o.userInfo)+len(o.options))}
	s.text(`{"kind":"AdmissionReview","apiVersion":"`, v.apiVersion(), `","request":{"uid":"`, string(uid), `"`)
	s.field("kind", targetKind)
	s.field("resource", targetResource)
	s.optional("subResource", o.subresource, o.hasSubresource)
	s.field("requestKind", o.requestKind)
	s.field("requestResource", o.requestResource)
	s.optional("requestSubResource", o.subresource, o.hasSubresource)
	s.optional("name", o.name, o.hasName)
	s.optional("namespace", o.namespace, o.hasNS)
	s.field("operation", o.operation)
	s.field("userInfo", o.userInfo)
	s.field("object", objectJSON)
	s.field("oldObject", oldObjectJSON)
	s.field("dryRun", boolJSON(o.dryRun))
	s.field("options", o.options)
	s.text("}}\n")
	return s.buf, nil
}

// encode fills the origin. A panic, of a user's or an options' own code, is that
// of every review, as it would be if each were made for itself.
func (b *Builder) encode() {
	defer func() { b.panicked = recover() }()
	b.origin, b.err = newOrigin(b.Attributes)
}

// splicer appends the fields of an object that already has one.
type splicer struct{ buf []byte }

func (s *splicer) text(parts ...string) {
	for _, p := range parts {
		s.buf = append(s.buf, p...)
	}
}

func (s *splicer) field(name string, value []byte) {
	s.text(`,"`, name, `":`)
	s.buf = append(s.buf, value...)
}

func (s *splicer) optional(name string, value []byte, present bool) {
	if present {
		s.field(name, value)
	}
}

func boolJSON(b bool) []byte {
	if b {
		return []byte("true")
	}
	return []byte("false")
}

func targetJSON(t admission.Target) (kind, resource []byte, err error) {
	if kind, err = json.Marshal(metav1.GroupVersionKind(t.Kind)); err != nil {
		return nil, nil, err
	}
	resource, err = json.Marshal(metav1.GroupVersionResource(t.Resource))
	return kind, resource, err
}

func newOrigin(a apiadmission.Attributes) (*origin, error) {
	o := &origin{
		dryRun:         a.IsDryRun(),
		hasSubresource: a.GetSubresource() != "",
		hasName:        a.GetName() != "",
		hasNS:          a.GetNamespace() != "",
	}
	var options any // a nil interface, so that it prints as null
	if opts := a.GetOperationOptions(); opts != nil {
		options = opts
	}
	for _, part := range []struct {
		into  *[]byte
		value any
	}{
		{&o.requestKind, metav1.GroupVersionKind(a.GetKind())},
		{&o.requestResource, metav1.GroupVersionResource(a.GetResource())},
		{&o.subresource, a.GetSubresource()},
		{&o.name, a.GetName()},
		{&o.namespace, a.GetNamespace()},
		{&o.operation, a.GetOperation()},
		{&o.userInfo, userInfo(a.GetUserInfo())},
		{&o.options, options},
	} {
		encoded, err := json.Marshal(part.value)
		if err != nil {
			return nil, err
		}
		*part.into = encoded
	}
	return o, nil
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
