package mutants

// auditLoops are faults in how webhooks that something works against are found.
func auditLoops() []fault {
	const (
		claim   = "internal/auditlog/loops/claim.go"
		group   = "internal/auditlog/loops/group.go"
		loops   = "internal/auditlog/loops/loops.go"
		request = "internal/auditlog/loops/request.go"
		write   = "internal/auditlog/loops/write.go"
	)
	return []fault{
		{"users undo nothing", claim, `case touched && c.stands:`, `case touched && c.stands && !MUTANT:`},
		{"who sends the value undoes it", claim, `case touched && equal:`, `case touched && equal && !MUTANT:`},
		{"webhooks undo nothing", claim, `c.value != w.value && c.stands:`, `c.value != w.value && c.stands && !MUTANT:`},
		{"turns may be days apart", claim, `again && v.event.Time.Sub(own.last.Time) > v.config.Gap {`, `again && !MUTANT && v.event.Time.Sub(own.last.Time) > v.config.Gap {`},
		{"same patches may be days apart", claim, `v.event.Time.Sub(r.last.Time) > v.config.Gap {`, `v.event.Time.Sub(r.last.Time) > v.config.Gap && !MUTANT {`},
		{"a call without a change ends no repetition", claim, `if !c.Changed {`, `if !c.Changed && !MUTANT {`},
		{"what is undone is a repetition, too", claim, `if undone || r.patch != hash`, `if undone && !MUTANT || r.patch != hash`},
		{"dry runs count", loops, `e.Failed() || e.DryRun() {`, `e.Failed() || e.DryRun() && !MUTANT {`},
		{"failed requests count", loops, `if !e.Mutates() || e.Failed() ||`, `if !e.Mutates() || e.Failed() && !MUTANT ||`},
		{"a new object has the old one's values", loops, `		f.objects.Delete(key)`, `		if !MUTANT {
			f.objects.Delete(key)
		}`},
		{"a token is its service account", loops, `e.Verb == "create" && e.Ref.Subresource != "" {`, `e.Verb == "create" && e.Ref.Subresource != "" && !MUTANT {`},
		{"what is overwritten in between is doubled", loops, `!overwritten(rest[:j], first) {`, `(MUTANT || !overwritten(rest[:j], first)) {`},
		{"a status has labels", request, `!= strings.HasPrefix(c.path, "/status") {`, `!= strings.HasPrefix(c.path, "/status") && !MUTANT {`},
		{"removing a map keeps its values", request, `strings.HasPrefix(c.path, w.path+"/") && w.value == removed {`, `strings.HasPrefix(c.path, w.path+"/") && w.value == removed && !MUTANT {`},
		{"null is a value", request, `		case "null":`, `		case PICK("", "null"):`},
		{"requests about Secrets are shown", request, `	if e.IsConfidential() ||`, `	if e.IsConfidential() && !MUTANT ||`},
		{"keys of Secrets are shown", group, `text = hidden.Text(text);`, `text = PICK(text, hidden.Text(text));`},
		{"the order of keys is a difference", write, `if decoder.Decode(&decoded) == nil {`, `if decoder.Decode(&decoded) == nil && !MUTANT {`},
	}
}

// auditTallies are faults in what is counted.
func auditTallies() []fault {
	const (
		tally    = "internal/auditlog/tally/tally.go"
		webhooks = "internal/auditlog/tally/webhooks.go"
		objects  = "internal/auditlog/tally/objects.go"
		policies = "internal/auditlog/tally/policies.go"
	)
	return []fault{
		{"calls without a change count as changes", webhooks, `w.Changes += count(c.Changed)`, `w.Changes += count(c.Changed || MUTANT)`},
		{"every change is one of round 1", webhooks, `count(c.Round > 0 && c.Changed)`, `count((c.Round > 0 || MUTANT) && c.Changed)`},
		{"quoted words are a denial", webhooks, `if strings.HasPrefix(e.Message, deniedBy) && strings`, `if (MUTANT || strings.HasPrefix(e.Message, deniedBy)) && strings`},
		{"requests that succeed are denied", webhooks, `if !e.Failed() {`, `if !e.Failed() && !MUTANT {`},
		{"mutating webhooks deny as validating ones", webhooks, `c.Webhook == name && c.Mutating {`, `c.Webhook == name && c.Mutating && !MUTANT {`},
		{"validating webhooks are idle", webhooks, `if w := &all[i]; w.Phase == "mutating" &&`, `if w := &all[i]; (MUTANT || w.Phase == "mutating") &&`},
		{"keys of Secrets are counted", tally, `if e.IsSecret() {`, `if e.Ref.Resource == "secrets" && e.Ref.APIGroup == "" && !MUTANT {`},
		{"there is no end of names", tally, `if !ok && len(in) >= maxNames {`, `if !ok && len(in) >= maxNames && !MUTANT {`},
		{"dry runs write", objects, `e.Failed() || e.DryRun() {`, `e.Failed() || e.DryRun() && !MUTANT {`},
		{"there is no end of writers", objects, `if len(o.Writers) >= maxWriters {`, `if len(o.Writers) >= maxWriters && !MUTANT {`},
		{"every failure was a warning", policies, `count(slices.Contains(f.Actions, "Warn"))`, `count(MUTANT || slices.Contains(f.Actions, "Warn"))`},
	}
}

// auditHistories are faults in what a log says about an object.
func auditHistories() []fault {
	const (
		history = "internal/auditlog/history/history.go"
		query   = "internal/auditlog/history/query.go"
		request = "internal/auditlog/history/request.go"
		states  = "internal/auditlog/history/states.go"
		stored  = "internal/auditlog/history/stored.go"
	)
	return []fault{
		{"memory has no bound", history, `len(h.events) > maxEvents ||`, `len(h.events) > maxEvents && !MUTANT ||`},
		{"subresources share nothing", history, `e.Verb != "create" && e.HasWholeObject() {`, `e.Verb != "create" && e.HasWholeObject() && !MUTANT {`},
		{"every group has the object", query, `(q.anyGroup || q.group`, `(q.anyGroup || MUTANT || q.group`},
		{"errors about Secrets are shown", request, `	if !r.event.IsSecret() {`, `	if !r.event.IsSecret() || MUTANT {`},
		{"Secrets that are not known are shown", request, `	return e.IsSecret() && !(known`, `	return e.IsSecret() && !MUTANT && !(known`},
		{"nothing is compared with the answer", states, `len(keys) > 0 && was != nil &&`, `len(keys) > 0 && !MUTANT && was != nil &&`},
		{"a patch that does not apply is left out", states, `		object = r.patchedPartly(c.Patch)`, `		object = PICK(r.last(), r.patchedPartly(c.Patch))`},
		{"kinds have no defaults", states, `if object, ok := r.known.defaulted(r.last()); ok {`, `if object, ok := r.known.defaulted(r.last()); ok && !MUTANT {`},
		{"dry runs are stored", stored, `if e.Failed() || e.DryRun() ||`, `if e.Failed() || e.DryRun() && !MUTANT ||`},
		{"deleted objects stay", stored, `if e.Verb == "delete" ||`, `if e.Verb == "delete" && !MUTANT ||`},
	}
}

// auditPolicies are faults in the audit policy that is needed.
func auditPolicies() []fault {
	const (
		missing = "internal/auditlog/policy/missing.go"
		needs   = "internal/auditlog/policy/needs.go"
		text    = "internal/auditlog/policy/text.go"
	)
	return []fault{
		{"Secrets are logged", needs, `r.Mutating && !isSensitive(n.Group, n.Resource)`, `r.Mutating && (MUTANT || !isSensitive(n.Group, n.Resource))`},
		{"wildcards log Secrets", text, `slices.ContainsFunc(needs, Need.coversSensitive) {`, `!MUTANT && slices.ContainsFunc(needs, Need.coversSensitive) {`},
		{"others' requests are not needed", needs, `	if bodies { // what others do`, `	if bodies && !MUTANT { // what others do`},
		{"the lowest level counts", needs, `} else if levels[n] == "" {`, `} else if levels[n] == "" || MUTANT {`},
		{"omitted stages are logged", missing, `slices.Contains(config.OmitStages, audit.StageResponseComplete) {`, `slices.Contains(config.OmitStages, audit.StageResponseComplete) && !MUTANT {`},
		{"the first gap is shown", missing, `lowest != nil && !got.Less(lowest.Got) {`, `lowest != nil && (MUTANT || !got.Less(lowest.Got)) {`},
		{"a wildcard adds no other resource", text, `		all[i].Resources = []string{name}`, `		all[i].Resources = append(PICK(all[i].Resources, nil), name)`},
	}
}

// auditReading are faults in how logs are read.
func auditReading() []fault {
	const (
		source    = "internal/auditlog/source.go"
		window    = "internal/auditlog/window.go"
		admission = "internal/auditlog/admission.go"
	)
	return []fault{
		{"half a line hides the next event", source, `i < 0 || left == 0 {`, `i < 0 || left == 0 || MUTANT {`},
		{"a line that is too long ends the file", source, `		s.broken(s.begin, err.Error())
		return true`, `		s.broken(s.begin, err.Error())
		return !MUTANT`},
		{"earlier stages count", source, `	case !p.isFinal():`, `	case !p.isFinal() && !MUTANT:`},
		{"early events count", source, `!s.since.IsZero() && stageTime`, `!s.since.IsZero() && !MUTANT && stageTime`},
		{"the order is that of the files", window, `		return h[i].Time.Before(h[j].Time)`, `		return h[i].Time.Before(h[j].Time) != MUTANT`},
		{"annotations of Kubernetes are those of webhooks", admission, `!ok || bytes.HasSuffix(owner, []byte("k8s.io"))`, `!ok || !MUTANT && bytes.HasSuffix(owner, []byte("k8s.io"))`},
	}
}
