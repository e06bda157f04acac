package mutants

// indexes are faults in how webhooks are found and replaced.
func indexes() []fault {
	const index, snapshot = "matching/index.go", "matching/snapshot.go"
	return []fault{
		{"a change of a phase changes the snapshot before", snapshot, `	return &changed`, `	if MUTANT { *s = changed }
	return &changed`},
		{"a change of a phase loses the other", snapshot, `changed := *s`, `changed := PICK(Snapshot{}, *s)`},
		{"equivalents are looked up by no webhook", index, `x.equivalents || w.equivalent`, `x.equivalents || w.equivalent && !MUTANT`},
		{"others are equivalent, too", index, `!onlyEquivalent || e.equivalent`, `!onlyEquivalent || MUTANT || e.equivalent`},
		{"only the first mask", index, `for _, mask := range x.masks {`, `for _, mask := range PICK(x.masks[:min(1, len(x.masks))], x.masks) {`},
	}
}
