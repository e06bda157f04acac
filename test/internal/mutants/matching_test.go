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

// sizes are faults in the sizes of variables, on which the highest costs of conditions depend.
func sizes() []fault {
	const size = "matching/size.go"
	return []fault{
		{"bytes are as long as their text", size, `uint64(o.Size())*4/3`, `PICK(uint64(o.Size()), uint64(o.Size())*4/3)`},
		{"old objects have no size", size, `a.versioned.VersionedOldObject.Object(),`, `PICK(nil, a.versioned.VersionedOldObject.Object()),`},
		{"options have no size", size, `a.versioned.GetOperationOptions(),`, `PICK(nil, a.versioned.GetOperationOptions()),`},
		{"groups have no size", size, `size += uint64(len(group)) + 1`, `size += PICK(0, uint64(len(group)) + 1)`},
		{"keys of extra have no size", size, `size += uint64(len(key)) + 1`, `size += PICK(0, uint64(len(key)) + 1)`},
		{"values of extra have no size", size, `size += uint64(len(value)) + 1`, `size += PICK(0, uint64(len(value)) + 1)`},
	}
}
