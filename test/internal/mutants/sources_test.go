package mutants

// sources are faults in which webhooks are in force.
func sources() []fault {
	const (
		informed, pending, run   = "dispatcher/source/informed.go", "dispatcher/source/informed_pending.go", "dispatcher/source/informed_run.go"
		builder, collection      = "dispatcher/source/snapshot_builder.go", "dispatcher/source/collection.go"
		store, files, namespaces = "dispatcher/source/store.go", "dispatcher/source/files.go", "dispatcher/source/namespaces.go"
	)
	return []fault{
		{"ready before the lists are in", run, "default:\n\t\t\treturn false", "default:\n\t\t\treturn MUTANT"},
		{"ready before namespaces are in", run, `for !s.alsoSynced() {`, `for !s.alsoSynced() && !MUTANT {`},
		{"equal snapshots are published again", run, `snapshot != notified {`, `(snapshot != notified || MUTANT) {`},
		{"empty snapshot is not published", run, `s.signal()
	var notified`, `if !MUTANT { s.signal() }
	var notified`},
		{"panics of Published", run, `_ = guard.Do(func() { s.published(snapshot) })`, `if MUTANT { s.published(snapshot) } else { _ = guard.Do(func() { s.published(snapshot) }) }`},
		{"requests see the state before", pending, `n.current.Store(nil)`, `if !MUTANT { n.current.Store(nil) }`},
		{"stale snapshot is published", pending, `if !n.pending {`, `if !n.pending || MUTANT {`},
		{"the stores are read again", pending, `n.pending = false`, `if !MUTANT { n.pending = false }`},
		{"deletions go unnoticed", pending, `DeleteFunc: func(any) { s.change() },`, `DeleteFunc: func(any) { if !MUTANT { s.change() } },`},
		{"a resync of configurations compiles", pending, `if old != obj {`, `if old != obj || MUTANT {`},
		{"changes are not read", informed, `if s.pending.take() {`, `if s.pending.take() && !MUTANT {`},
		{"requests wait longer for the source", informed, `time.NewTimer(readyTimeout)`, `time.NewTimer(PICK(2*readyTimeout, readyTimeout))`},
		{"requests wait beyond their end", informed, `case <-ctx.Done():`, `case <-PICK(nil, ctx.Done()):`},
		{"requests compile beyond their end", informed, `guard.Within(ctx, s.compilePending,`, `guard.Within(PICK(context.Background(), ctx), s.compilePending,`},
		{"handlers stay after Close", informed, `range s.removeHandlers {`, `range PICK(nil, s.removeHandlers) {`},
		{"Close does not wait", informed, `s.running.Wait()`, `if !MUTANT { s.running.Wait() }`},
		{"sources that failed stay open", informed, `s.close()
		return fmt`, `if !MUTANT { s.close() }
		return fmt`},
		{"what does not compile is left out", builder, `r.compile(c.compiler); err != nil {`, `r.compile(c.compiler); err != nil && !MUTANT {`},
		{"what is the same is compiled again", builder, `case reflect.DeepEqual(r.desired[at].declared, declared):`, `case !MUTANT && reflect.DeepEqual(r.desired[at].declared, declared):`},
		{"removed configurations stay", builder, `if present == len(r.desired) {`, `if present == len(r.desired) || MUTANT {`},
		{"objects of the same content stay", builder, `declared):
		delete(r.origins, r.desired[at].origin)`, `declared):
		if !MUTANT { delete(r.origins, r.desired[at].origin) }`},
		{"objects that have changed stay", builder, `default:
		delete(r.origins, r.desired[at].origin)`, `default:
		if !MUTANT { delete(r.origins, r.desired[at].origin) }`},
		{"other objects are configurations", builder, `if declared == nil {`, `if declared == nil && !MUTANT {`},
		{"only the first kind changes", builder, `c.latest = c.latest.With(`, `if MUTANT && r != both[0] { continue }
			c.latest = c.latest.With(`},
		{"equal configurations make a new snapshot", builder, `if !slices.Equal(r.current, r.desired) {`, `if MUTANT || !slices.Equal(r.current, r.desired) {`},
		{"configurations that a list leaves out stay", store, `r.desired = make([]*configuration, 0, len(configurations))`, `r.desired = append(make([]*configuration, 0, len(configurations)), PICK(before, nil)...)`},
		{"configurations are read again at each list", store, `before[0].name == name {`, `before[0].name == name && !MUTANT {`},
		{"equal list is compiled again", store, `if known != nil && reflect`, `if known != nil && !MUTANT && reflect`},
		{"configurations of one name replace each other", store, `next.declared = append(next.declared, read(c)...)`, `next.declared = append(PICK(nil, next.declared), read(c)...)`},
		{"empty store is ready", store, `snapshot != nil {`, `snapshot != nil || MUTANT {`},
		{"paths without a configuration", files, `if empty {`, `if empty && !MUTANT {`},
		{"files without defaults", "dispatcher/source/parse.go", `registration.Default(c)`, `if !MUTANT { registration.Default(c) }`},
		{"files that are not valid", "dispatcher/source/parse.go", `range registration.Validate(c) {`, `range PICK(nil, registration.Validate(c)) {`},
		{"names that only servers make", "dispatcher/source/parse.go", `c.GetGenerateName() != "" {`, `c.GetGenerateName() != "" && !MUTANT {`},
		{"names may be taken", collection, `c.locations[id]; taken {`, `c.locations[id]; taken && !MUTANT {`},
		{"configurations are the caller's", collection, `append(c.mutating, obj.DeepCopy())`, `append(c.mutating, PICK(obj, obj.DeepCopy()))`},
		{"half of a list", collection, `errors.Join(c.problems...); err != nil {`, `errors.Join(c.problems...); err != nil && !MUTANT {`},
		{"namespaces without their name", namespaces, `labels[corev1.LabelMetadataName] = ns.Name`, `if !MUTANT { labels[corev1.LabelMetadataName] = ns.Name }`},
		{"live request outlives the request", namespaces, `live.Labels(ctx, name)`, `live.Labels(PICK(context.WithoutCancel(ctx), ctx), name)`},
		{"labels are the caller's", namespaces, `maps.Copy(labels, ns.Labels)`, `if MUTANT { labels = ns.Labels } else { maps.Copy(labels, ns.Labels) }`},
	}
}

// manifests are faults in static webhooks.
func manifests() []fault {
	const (
		compile, load, follow   = "dispatcher/source/static/compile.go", "dispatcher/source/static/load.go", "dispatcher/source/static/follow.go"
		debounce, folder, merge = "dispatcher/source/static/debounce.go", "dispatcher/source/static/folder.go", "dispatcher/source/static/merge.go"
	)
	return []fault{
		{"uids of an API's webhooks", compile, `"manifest/"+w.UID`, `PICK(w.UID, "manifest/"+w.UID)`},
		{"static webhooks do not say so", compile, ", true\n\t}\n\treturn webhooks", ", PICK(false, true)\n\t}\n\treturn webhooks"},
		{"objectSelectors that do not parse", compile, `metav1.LabelSelectorAsSelector(w.ObjectSelector); err != nil {`, `metav1.LabelSelectorAsSelector(w.ObjectSelector); err != nil && !MUTANT {`},
		{"unchanged manifests are compiled again", compile, `if !known || `, `if !known || MUTANT || `},
		{"changed manifests are not compiled", compile, `|| !reflect.DeepEqual(one.declared, declared) {`, `|| !MUTANT && !reflect.DeepEqual(one.declared, declared) {`},
		{"failed checks are reported again", follow, "f.hash = r.hash\n\tsnapshot", "if !MUTANT { f.hash = r.hash }\n\tsnapshot"},
		{"same files are loaded again", follow, `if r.hash == f.hash {`, `if r.hash == f.hash && !MUTANT {`},
		{"files that cannot be read are empty", follow, `f.report(Event{Kind: LoadFailed, Err: r.err})
		return`, `f.report(Event{Kind: LoadFailed, Err: r.err})
		if !MUTANT { return }`},
		{"failed checks are in force", follow, `f.report(Event{Kind: CheckFailed, Err: err})
		return`, `f.report(Event{Kind: CheckFailed, Err: err})
		if !MUTANT { return }`},
		{"manifests come last", merge, `append(webhooks, all.Webhooks(phase)...)`, `PICK(append(all.Webhooks(phase), webhooks...), append(webhooks, all.Webhooks(phase)...))`},
		{"manifests alone are all", merge, `if err != nil || api == nil {`, `if MUTANT && err != nil { return j.Static(ctx) }
	if err != nil || api == nil {`},
		{"manifests wait for the API", merge, `parts := j.parts()
	if len(parts) == 1 {`, `parts := j.parts()
	if MUTANT { return j.Current(context.Background()) }
	if len(parts) == 1 {`},
		{"joined once and for all", merge, `return u != nil && slices.Equal(u.parts, parts)`, `return u != nil && (MUTANT || slices.Equal(u.parts, parts))`},
		{"joined every time", merge, `j.latest.Store(u)`, `if !MUTANT { j.latest.Store(u) }`},
		{"Exact waits for the quiet period", debounce, "if f.config.Exact {\n\t\treturn", "if f.config.Exact && !MUTANT {\n\t\treturn"},
		{"read while it is written", debounce, "equal(seen) {\n\t\t\treturn r, true", "equal(seen) || MUTANT {\n\t\t\treturn r, true"},
		{"read after a write in the quiet period", debounce, `!seen.equal(before) {`, `!seen.equal(before) && !MUTANT {`},
		{"Open waits for old files", debounce, `seen.olderThan(start.Add(-quietPeriod))`, `seen.olderThan(start.Add(-quietPeriod)) && !MUTANT`},
		{"run takes new files for old ones", debounce, `quiet := opening`, `quiet := (opening || MUTANT)`},
		{"folder that never stops changing is reported later", debounce, `time.Since(start) < quietTimeout;`, `time.Since(start) < PICK(3*quietTimeout, quietTimeout);`},
		{"loaders that panic find nothing", debounce, "return err\n\t})\n\treturn r", "return err\n\t})\n\tif MUTANT { r.err = nil }\n\treturn r"},
		{"panics of Report", folder, `_ = guard.Do(func() { f.config.Report(e) })`, `if MUTANT { f.config.Report(e) } else { _ = guard.Do(func() { f.config.Report(e) }) }`},
		{"manifests of either phase", folder, `if config.Phase != admission.Mutating && config.Phase != admission.Validating {`, `if config.Phase != admission.Mutating && config.Phase != admission.Validating && !MUTANT {`},
		{"Once follows", folder, `if !config.Once {`, `if !config.Once || MUTANT {`},
		{"Close leaves goroutines", folder, `close(f.stop)
`, `if !MUTANT { close(f.stop) } else { return }
`},
		{"manifests with services", load, `if w.ClientConfig.Service != nil {`, `if w.ClientConfig.Service != nil && !MUTANT {`},
		{"manifests that are not valid", load, `len(errs) > 0 {`, `len(errs) > 0 && !MUTANT {`},
		{"manifests without defaults", load, `registration.Default(c)
`, `if !MUTANT { registration.Default(c) }
`},
		{"manifests in the order of files", load, `cmp.Compare(a.GetName(), b.GetName())`, `PICK(0, cmp.Compare(a.GetName(), b.GetName()))`},
		{"manifests of one name", load, `manifest.ValidateManifestName(c.GetName(), file, l.fileOf); err != nil {`, `manifest.ValidateManifestName(c.GetName(), file, l.fileOf); err != nil && !MUTANT {`},
	}
}
