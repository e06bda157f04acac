package patch

import (
	"bytes"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	apiadmission "k8s.io/apiserver/pkg/admission"
)

// Object decodes a patched document into a new object of the kind, or into an
// unstructured one if the object is a custom resource. Like kube-apiserver it
// ignores fields that it does not know (S-178). No error holds content of the
// object.
//
// The document must be as encoding/json writes it.
func Object(patched []byte, custom bool, kind schema.GroupVersionKind, o apiadmission.ObjectInterfaces) (runtime.Object, error) {
	var into runtime.Object = &unstructured.Unstructured{}
	if custom && decodeCustom(patched, into.(*unstructured.Unstructured)) {
		return into, nil
	}
	var err error
	if !custom {
		if into, err = o.GetObjectCreater().New(kind); err != nil {
			return nil, err
		}
	}
	serializer := json.NewSerializerWithOptions(metaFactory{}, o.GetObjectCreater(), o.GetObjectTyper(), json.SerializerOptions{})
	if into, _, err = serializer.Decode(patched, nil, into); err != nil {
		return nil, discreet(err)
	}
	return into, nil
}

// decodeCustom does what the serializer does with an unstructured object, but validates the
// document once and not three times. If it returns false, the serializer says what is wrong.
func decodeCustom(patched []byte, into *unstructured.Unstructured) bool {
	kind, ok := kindOf(patched)
	return ok && kind.Kind != "" && utiljson.Unmarshal(patched, &into.Object) == nil
}

// metaFactory is json.DefaultMetaFactory, which parses the whole document for the kind, but
// quicker for documents whose kind is plain to see.
type metaFactory struct{}

// Interpret implements json.MetaFactory.
func (metaFactory) Interpret(document []byte) (*schema.GroupVersionKind, error) {
	if kind, ok := kindOf(document); ok {
		return &kind, nil
	}
	return json.DefaultMetaFactory.Interpret(document)
}

// kindOf returns the kind of an object that has exactly one kind and one apiVersion, both
// written without escapes. encoding/json also takes Kind and KIND for kind.
func kindOf(document []byte) (kind schema.GroupVersionKind, ok bool) {
	if !isObject(document) || !shallow(document) {
		return kind, false
	}
	var name, version stringMember
	for key, value := range members(document) {
		if !plain(key) || !name.take(key, value, "kind") || !version.take(key, value, "apiVersion") {
			return kind, false
		}
	}
	gv, err := schema.ParseGroupVersion(version.value)
	return gv.WithKind(name.value), name.found && version.found && err == nil
}

// stringMember is a string that an object has under a name.
type stringMember struct {
	value string
	found bool
}

// take keeps the value if the name is its own. It returns false if encoding/json would take
// the member for one of that name, and it is not a plain string or not the only one.
func (m *stringMember) take(key, value []byte, name string) bool {
	if !bytes.EqualFold(key, []byte(name)) {
		return true
	}
	if m.found || string(key) != name || value[0] != '"' || !plain(value[1:len(value)-1]) {
		return false
	}
	m.value, m.found = string(value[1:len(value)-1]), true
	return true
}
