package agnhost_test

import "testing"

func TestAddLabel(t *testing.T) {
	t.Parallel()
	const path = "/add-label"
	ask(t, []asked{
		{row{"no labels", "A-03: the map has to be made"}, path, `"object":{"metadata":{"name":"a"}}`,
			patched(`[{"op":"add","path":"/metadata/labels","value":{"added-label":"yes"}}]`)},
		{row{"other labels", "A-03: they must stay"}, path, `"object":{"metadata":{"labels":{"a":"b"}}}`,
			patched(`[{"op":"add","path":"/metadata/labels/added-label","value":"yes"}]`)},
		{row{"another value", "A-03"}, path, `"object":{"metadata":{"labels":{"added-label":"no"}}}`,
			patched(`[{"op":"replace","path":"/metadata/labels/added-label","value":"yes"}]`)},
		{row{"there already", "A-03: no patch, and no type of one"}, path, `"object":{"metadata":{"labels":{"added-label":"yes"}}}`, allowed()},
		{row{"unreadable", "A-13: errors are denials"}, path, `"object":[]`,
			denied("json: cannot unmarshal array into Go value of type v1.PartialObjectMetadata")},
	})
}

func TestDefinition(t *testing.T) {
	t.Parallel()
	const (
		path = "/crd"
		v1   = `"resource":{"group":"apiextensions.k8s.io","version":"v1","resource":"customresourcedefinitions"},`
		beta = `"resource":{"group":"apiextensions.k8s.io","version":"v1beta1","resource":"customresourcedefinitions"},`
	)
	const labelled = `"object":{"metadata":{"labels":{"webhook-e2e-test":"webhook-disallow"}}}`
	ask(t, []asked{
		{row{"unwanted label", "A-12"}, path, v1 + labelled, denied("the crd contains unwanted label")},
		{row{"v1beta1", "A-12: clusters had it once"}, path, beta + labelled, denied("the crd contains unwanted label")},
		{row{"another value", "A-12"}, path, v1 + `"object":{"metadata":{"labels":{"webhook-e2e-test":"webhook-allow"}}}`, allowed()},
		{row{"another version", "A-12: the version is not registered"}, path,
			`"resource":{"group":"apiextensions.k8s.io","version":"v2","resource":"customresourcedefinitions"},` + labelled,
			denied("expect resource to be {apiextensions.k8s.io v1 customresourcedefinitions}")},
		{row{"unreadable", "A-13: errors are denials"}, path, v1 + `"object":7`,
			denied("json: cannot unmarshal number into Go value of type v1.PartialObjectMetadata")},
	})
}
