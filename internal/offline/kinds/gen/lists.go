package main

// clientless are resources that have no client of their own.
func clientless() []kind {
	return []kind{
		{group: "", version: "v1", name: "Binding", resource: "bindings", namespaced: true},
		{group: "apiextensions.k8s.io", version: "v1", name: "CustomResourceDefinition", resource: "customresourcedefinitions", status: true},
	}
}

// isBody reports whether a kind is no resource although it has a client, which
// posts to a subresource of something else.
func isBody(group, version, name string) bool {
	return group == "policy" && version == "v1" && name == "Eviction"
}

// isUnmarked reports whether a version is no longer served although its types
// are not marked: alpha types carry no lifecycle, and these were kept for
// clients of old servers.
func isUnmarked(group, version string) bool {
	switch group + "/" + version {
	case "node.k8s.io/v1alpha1", "rbac.authorization.k8s.io/v1alpha1":
		return true
	}
	return false
}
