package main

// clientless are resources that have no client of their own.
func clientless() []kind {
	return []kind{
		{group: "", version: "v1", name: "Binding", resource: "bindings", namespaced: true},
		{group: "apiextensions.k8s.io", version: "v1", name: "CustomResourceDefinition", resource: "customresourcedefinitions", status: true},
	}
}

// body is a kind that is sent to a subresource of something else.
type body struct{ group, version, name, subresource string }

// bodies are the kinds that look like resources but are none. Some have a
// client, which posts to the subresource.
func bodies() []body {
	return []body{
		{"authentication.k8s.io", "v1", "TokenRequest", "serviceaccounts/token"},
		{"autoscaling", "v1", "Scale", "scale subresources, such as deployments/scale"},
		{"policy", "v1", "Eviction", "pods/eviction"},
	}
}

// isBody reports whether a kind is in the list of bodies.
func isBody(group, version, name string) bool {
	for _, b := range bodies() {
		if b.group == group && b.version == version && b.name == name {
			return true
		}
	}
	return false
}

// isUnmarked reports whether a version is no longer served although its types
// do not say so: alpha types carry no lifecycle, and these were kept for
// clients of old servers.
func isUnmarked(group, version string) bool {
	switch group + "/" + version {
	case "node.k8s.io/v1alpha1", "rbac.authorization.k8s.io/v1alpha1":
		return true
	}
	return false
}
