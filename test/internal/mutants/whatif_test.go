package mutants

// causes are faults in how the differences of requests and their causes are found.
func causes() []fault {
	const (
		cause    = "internal/whatif/cause.go"
		assembly = "internal/whatif/assembly.go"
		compare  = "internal/whatif/compare.go"
		naming   = "internal/whatif/naming.go"
		report   = "internal/whatif/report.go"
		run      = "internal/whatif/run.go"
		secret   = "internal/whatif/secret.go"
	)
	return []fault{
		{"every related change is a cause", cause, `		if ok {
			alone`, `		if ok || MUTANT {
			alone`},
		{"more changes than needed are a cause", cause, `		if isNew {`, `		if isNew && !MUTANT {`},
		{"causes are never apart", cause, `if len(few) < 2 {`, `if len(few) < 2 || MUTANT {`},
		{"causes of a group are not verified", assembly, `err != nil || ok {`, `err != nil || ok || MUTANT {`},
		{"new names are differences", naming, `	if !n.changesNames() {`, `	if !n.changesNames() || MUTANT {`},
		{"answers keep their names", naming, `!n.changesNames() || len(e.Answers) == 0`, `!n.changesNames() || len(e.Answers) == 0 || MUTANT`},
		{"the order does not matter", compare, `!slices.Equal(wasOrder, order) {`, `!slices.Equal(wasOrder, order) && !MUTANT {`},
		{"calls have numbers", compare, `ok && !strings.Contains(index, "/")`, `ok && !MUTANT && !strings.Contains(index, "/")`},
		{"every verdict is known", compare, `case r.Undecided:`, `case r.Undecided && !MUTANT:`},
		{"Secrets are shown", secret, `asked.Request.Resource.Resource != "secrets" {`, `asked.Request.Resource.Resource != "secrets" || MUTANT {`},
		{"what varies is a difference", run, `v.items = without(v.items, v.self)`, `v.items = PICK(v.items, without(v.items, v.self))`},
		{"what varies is not looked for", run, `	if c.Repeat {`, `	if c.Repeat && !MUTANT {`},
		{"all requests have one cause", assembly, `key := fmt.Sprint(changed)`, `key := PICK("", fmt.Sprint(changed))`},
		{"causes have one request", assembly, `	if c == nil {`, `	if c == nil || MUTANT {`},
		{"only its own level fails", report, `r.Levels[l] > 0 {`, `r.Levels[l] > 0 && (l == level || !MUTANT) {`},
		{"all levels fail", report, `if l == level {`, `if l == level && !MUTANT {`},
		{"messages do not matter", compare, `return append(code, text(Message,`, `return append(code, text(PICK(Annotation, Message),`},
	}
}

// changes are faults in how the changes of files are found and undone.
func changes() []fault {
	const (
		list    = "internal/whatif/changes/list.go"
		compare = "internal/whatif/changes/compare.go"
		text    = "internal/whatif/changes/text.go"
	)
	return []fault{
		{"lists stay in order", list, `if w.found(c) {`, `if w.found(c) && !MUTANT {`},
		{"items come back at the beginning", list, `other.rank > last {`, `other.rank > last && !MUTANT {`},
		{"nothing is renamed", list, `at >= 0 {
			was[name]`, `at >= 0 && !MUTANT {
			was[name]`},
		{"removed objects stay removed", compare, `value == missing`, `value == missing || MUTANT && p.after == nil`},
		{"values of Secrets are in texts", text, `isSecret(id) ||`, `isSecret(id) && !MUTANT ||`},
	}
}

// gates are faults in what the command makes of the differences.
func gates() []fault {
	const (
		diff    = "internal/cli/diff/diff.go"
		compare = "internal/cli/diff/compare.go"
	)
	return []fault{
		{"every difference fails", diff, `newDocument(r.report, whatif.Level(o.failOn))`, `newDocument(r.report, PICK(whatif.LevelCalls, whatif.Level(o.failOn)))`},
		{"differences do not fail", diff, `case d.Failed:`, `case d.Failed && !MUTANT:`},
		{"unreadable lines do not fail", diff, `case len(r.unread) > 0 &&`, `case len(r.unread) > 0 && !MUTANT &&`},
		{"unreadable lines always fail", diff, `refuse := o.recorded`, `refuse := MUTANT || o.recorded`},
		{"no requests are no mistake", compare, `c.report.Requests == 0 &&`, `c.report.Requests == 0 && !MUTANT &&`},
	}
}
