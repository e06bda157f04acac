package mutants

// indexes are faults in how webhooks are found and replaced.
func indexes() []fault {
	const overlay = "matching/overlay.go"
	return []fault{
		{"deleted webhooks come back", overlay, `if p.order == nil {
		return len(`, `if p.order == nil || MUTANT && len(p.order) == 0 {
		return len(`},
		{"deleted webhooks are found", overlay, `positions[i] = removed`, `positions[i] = PICK(positions[i], removed)`},
		{"webhooks behind a change stay where they are", overlay, `return position + int32(c.first+c.added-c.last)`, `return PICK(position, position + int32(c.first+c.added-c.last))`},
		{"added webhooks are not indexed", overlay, `next.recent.index = newIndex(next.recent.webhooks)`, `next.recent.index = newIndex(PICK(nil, next.recent.webhooks))`},
		{"equivalents among added webhooks", overlay, `p.base.equivalents || p.recent.index`, `p.base.equivalents || !MUTANT && p.recent.index`},
		{"only the first mask", "matching/index.go", `for _, mask := range x.masks {`, `for _, mask := range PICK(x.masks[:min(1, len(x.masks))], x.masks) {`},
	}
}
