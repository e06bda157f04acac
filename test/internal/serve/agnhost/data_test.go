package agnhost_test

import "testing"

const (
	maps = `"resource":{"group":"","version":"v1","resource":"configmaps"},`
	// pandas is a resource that no handler knows.
	pandas = `"resource":{"group":"example.com","version":"v7","resource":"pandas"},`

	disallowed = `{"data":{"webhook-e2e-test":"webhook-disallow"}}`
	permanent  = `{"data":{"webhook-e2e-test":"webhook-nondeletable"}}`
)

// TestJudgeData is.
func TestJudgeData(t *testing.T) {
	t.Parallel()
	const (
		configMap = "/configmaps"
		custom    = "/custom-resource"
		unwanted  = "the configmap contains unwanted key and value"
		undying   = "the configmap cannot be deleted because it contains unwanted key and value"
	)
	ask(t, []asked{
		{row{"create", "A-08: the message is in the reason"}, configMap, maps + `"operation":"CREATE","object":` + disallowed, because(unwanted)},
		{row{"update", "A-08: an update writes as well"}, configMap, maps + `"operation":"UPDATE","object":` + disallowed, because(unwanted)},
		{row{"update of the past", "A-08: what was there does not count"}, configMap,
			maps + `"operation":"UPDATE","object":{},"oldObject":` + disallowed, allowed()},
		{row{"delete", "A-08: the old object is the one there is"}, configMap, maps + `"operation":"DELETE","oldObject":` + permanent, because(undying)},
		{row{"delete disallowed", "A-08: to be rid of it is allowed"}, configMap, maps + `"operation":"DELETE","oldObject":` + disallowed, allowed()},
		{row{"create permanent", "A-08: only the final value matters"}, configMap, maps + `"operation":"CREATE","object":` + permanent, allowed()},
		{row{"no data", "A-08"}, configMap, maps + `"operation":"CREATE","object":{}`, allowed()},
		{row{"secrets", "A-08: it knows configmaps"}, configMap, `"resource":{"group":"","version":"v1","resource":"secrets"},"operation":"CREATE","object":{}`,
			denied("expect resource to be { v1 configmaps}")},
		{row{"no old object", "A-13: errors are denials"}, configMap, maps + `"operation":"DELETE"`, denied("unexpected end of JSON input")},
		{row{"custom create", "A-10"}, custom, pandas + `"operation":"CREATE","object":` + disallowed, because("the custom resource contains unwanted data")},
		{row{"custom update", "A-10"}, custom, pandas + `"operation":"UPDATE","object":` + disallowed, because("the custom resource contains unwanted data")},
		{row{"custom delete", "A-10"}, custom, pandas + `"operation":"DELETE","oldObject":` + permanent,
			because("the custom resource cannot be deleted because it contains unwanted key and value")},
		{row{"custom allowed", "A-10"}, custom, pandas + `"operation":"CREATE","object":{"data":{"webhook-e2e-test":"webhook-allow"}}`, allowed()},
	})
}

// TestStages is, which do the same.
func TestStages(t *testing.T) {
	t.Parallel()
	const (
		configMap = "/mutating-configmaps"
		custom    = "/mutating-custom-resource"
		first     = `[{"op":"add","path":"/data/mutation-stage-1","value":"yes"}]`
		second    = `[{"op":"add","path":"/data/mutation-stage-2","value":"yes"}]`
	)
	ask(t, []asked{
		{row{"start", "A-09"}, configMap, maps + `"object":{"data":{"mutation-start":"yes"}}`, patched(first)},
		{row{"second stage", "A-09: the first has been there"}, configMap,
			maps + `"object":{"data":{"mutation-start":"yes","mutation-stage-1":"yes"}}`, patched(second)},
		{row{"second stage alone", "A-09: it does not ask how it began"}, configMap, maps + `"object":{"data":{"mutation-stage-1":"yes"}}`, patched(second)},
		{row{"not started", "A-09: no patch, and no type of one"}, configMap, maps + `"object":{"data":{"mutation-start":"no"}}`, allowed()},
		{row{"no data", "A-09"}, configMap, maps + `"object":{}`, allowed()},
		{row{"pods", "A-09: it knows configmaps"}, configMap, pods + `"object":{}`, denied("expect resource to be { v1 configmaps}")},
		{row{"custom start", "A-11"}, custom, pandas + `"object":{"data":{"mutation-start":"yes"}}`, patched(first)},
		{row{"custom second stage", "A-11"}, custom, pandas + `"object":{"data":{"mutation-start":"yes","mutation-stage-1":"yes"}}`, patched(second)},
		{row{"custom not started", "A-11"}, custom, pandas + `"object":{}`, allowed()},
	})
}
