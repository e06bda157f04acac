package kinds

import "k8s.io/apimachinery/pkg/runtime/schema"

// pastKind is a kind that kube-apiserver served in a past release.
type pastKind struct {
	Resource
	// use is the served kind that took over.
	use schema.GroupVersionKind
}

// Past reports whether a kind was served by past releases of kube-apiserver and
// is not any more, although Lookup finds it, and which served kind took over. Such
// kinds are there for webhooks and manifests that were written for old clusters.
func (r *Registry) Past(kind schema.GroupVersionKind) (use schema.GroupVersionKind, past bool) {
	found, past := r.past[kind]
	return found.use, past
}

// addPast adds the kinds that can be converted to one that is served.
func (r *Registry) addPast() {
	for _, kind := range r.converter.Kinds() {
		at, isResource := r.converter.Resource(kind)
		_, served := r.served[kind]
		use, found := r.successor(kind)
		if isResource && !served && found && r.scheme.Recognizes(kind) {
			r.addPastKind(pastKind{Resource{at, kind, use.Namespaced}, use.Kind}, use.GroupVersionResource)
		}
	}
}

// successor returns the newest version of a kind that is served.
func (r *Registry) successor(kind schema.GroupVersionKind) (Resource, bool) {
	for _, sibling := range r.converter.Siblings(kind) {
		if use, ok := r.served[sibling]; ok {
			return use, true
		}
	}
	return Resource{}, false
}

// addPastKind gives the kind the subresources that its successor has.
func (r *Registry) addPastKind(k pastKind, use schema.GroupVersionResource) {
	at := k.GroupVersionResource
	r.past[k.Kind] = k
	r.resources = append(r.resources, k.Resource)
	r.owners[at.GroupResource()] = builtIn
	for _, subresource := range registered() {
		if !r.mapper.KindFor(use, subresource).Empty() {
			r.mapper.registerPast(at, subresource, kindAt(at, k.Kind, subresource))
		}
	}
}
