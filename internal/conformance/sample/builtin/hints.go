package builtin

// hint sets the values of a part that do not follow from its Go type. Required
// fields have placeholders already.
func hint(part any) {
	for _, table := range []func(any){
		hintWorkloads, hintNetwork, hintStorage, hintPolicies, hintCluster,
	} {
		table(part)
	}
}

// labels are the labels of pods and of their selectors.
func labels() map[string]string { return map[string]string{"app": word} }
