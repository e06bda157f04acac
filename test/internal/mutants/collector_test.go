package mutants

// collectors are faults in how the records of a request are gathered.
func collectors() []fault {
	const (
		key       = "dispatcher/collector/key.go"
		gathering = "dispatcher/collector/gathering.go"
		collector = "dispatcher/collector/collector.go"
	)
	return []fault{
		{"deletions join those of others", key, `k.operation != apiadmission.Delete &&`, `(k.operation != apiadmission.Delete || MUTANT) &&`},
		{"endpoints are not looked at", key, `&& k == other`, `&& (k == other || MUTANT)`},
		{"attributes of phases are not looked at", key, `k.attributes == other.attributes`, `k.attributes == other.attributes && !MUTANT`},
		{"labels are those of the object", gathering, `seen.ObjectLabels = maps.Clone(seen.ObjectLabels)`, `seen.ObjectLabels = PICK(seen.ObjectLabels, maps.Clone(seen.ObjectLabels))`},
		{"objects are those of the server", gathering, `versioned = converted.DeepCopyObject()`, `versioned = PICK(converted, converted.DeepCopyObject())`},
		{"traces of any size", gathering, `> p.c.config.MaxBytes {`, `> p.c.config.MaxBytes && !MUTANT {`},
		{"denials when mutating stay open", gathering, `decided := err != nil ||`, `decided := err != nil && !MUTANT ||`},
		{"running requests give way", collector, `bool { return !g.running })`, `bool { return !g.running || MUTANT })`},
		{"the newest gives way", collector, `if at < 0 {`, `for i, g := range c.open {
			if MUTANT && !g.running {
				at = i
			}
		}
		if at < 0 {`},
		{"ended requests stay", collector, `ends := !g.running && c.remove(g)`, `ends := !g.running && !MUTANT && c.remove(g)`},
		{"policies end the request", gathering, `p.phase == admission.Validating && !p.policies`, `p.phase == admission.Validating && (!p.policies || MUTANT)`},
		{"webhooks begin another request than policies", collector, `(!first || g.policies)`, `(!first || g.policies && !MUTANT)`},
		{"attempts join each other", collector, `		if first {
			return nil`, `		if first && !MUTANT {
			return nil`},
		{"the first attempt goes on", collector, `range slices.Backward(c.open) {`, `range PICK(slices.All(c.open), slices.Backward(c.open)) {`},
		{"policies without an evaluation count", gathering, `return len(b.Evaluations) > 0`, `return len(b.Evaluations) > 0 || MUTANT`},
		{"labels of bindings are those of the object", gathering, `recorded.Bindings[i].Match = copyOf(r.Bindings[i].Match)`, `recorded.Bindings[i].Match = PICK(r.Bindings[i].Match, copyOf(r.Bindings[i].Match))`},
		{"requests that end in a phase stay", collector, `g.over = true`, `g.over = !MUTANT`},
	}
}
