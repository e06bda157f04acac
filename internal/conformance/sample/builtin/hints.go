package builtin

// hint sets what the type of a part does not tell. Its required fields are set already, in
// ways that mean nothing.
func hint(part any) {
	for _, table := range []func(any){hintPods, hintWorkloads, hintNetwork, hintStorage, hintPolicies, hintCluster} {
		table(part)
	}
}

// labels are those of pods, and what selects them.
func labels() map[string]string { return map[string]string{"app": word} }
