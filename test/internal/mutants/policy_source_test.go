package mutants

// policySources are faults in how policies of an API server are followed.
func policySources() []fault {
	const (
		source  = "dispatcher/policy/informed/source.go"
		params  = "dispatcher/policy/informed/params.go"
		schemas = "dispatcher/policy/informed/schemas.go"
	)
	return []fault{
		{"changes of policies are missed", source, `s.changes.Add(1)`, `if !MUTANT { s.changes.Add(1) }`},
		{"deleted policies stay", source, `DeleteFunc: func(any) { s.change() },`, `DeleteFunc: func(any) { if !MUTANT { s.change() } },`},
		{"a resync compiles", source, `if old != new {`, `if old != new || MUTANT {`},
		{"a source that is not ready is empty", source, `if !s.awaitReady(ctx) {`, `if !s.awaitReady(ctx) && !MUTANT {`},
		{"requests wait for policies beyond their end", source, `case <-ctx.Done():`, `case <-PICK(nil, ctx.Done()):`},
		{"requests compile policies beyond their end", source, `guard.Within(ctx, s.compile,`, `guard.Within(PICK(context.Background(), ctx), s.compile,`},
		{"handlers of policies stay", source, `range s.handlers {
		_ =`, `range PICK(nil, s.handlers) {
		_ =`},
		{"requests wait for policies for ever", source, `time.NewTimer(readyTimeout)`, `time.NewTimer(PICK(time.Hour, readyTimeout))`},
		{"unknown kinds are asked for each time", params, `time.Since(since) < unknownFor`, `time.Since(since) < unknownFor && !MUTANT`},
		{"unknown kinds stay unknown", params, `p.unknown[kind] = time.Now()`, `p.unknown[kind] = time.Now().Add(PICK(time.Hour, 0))`},
		{"informers of params go on", params, `if known.end != nil && !kinds[kind] {`, `if known.end != nil && !kinds[kind] && !MUTANT {`},
		{"subresources are resources", params, `&& !strings.Contains(resource.Name, "/")`, `&& (MUTANT || !strings.Contains(resource.Name, "/"))`},
		{"new params are not found", params, `if apierrors.IsNotFound(err) {`, `if apierrors.IsNotFound(err) && !MUTANT {`},
		{"params of every namespace", params, `if namespace == "" {`, `if namespace == "" || MUTANT {`},
		{"params are read before they are there", params, `case <-ctx.Done():`, `case <-PICK(nil, ctx.Done()):`},
		{"schemas do not change", schemas, `if time.Since(s.listed) < age {`, `if time.Since(s.listed) < age || MUTANT && s.paths != nil {`},
		{"new kinds have no schema", schemas, `|| !knows(types, kind) {`, `|| !knows(types, kind) && !MUTANT {`},
		{"schemas are listed each time", schemas, `s.refresh(ctx, refreshAfter)`, `s.refresh(ctx, PICK(0, refreshAfter))`},
		{"failed lists of schemas are repeated each time", schemas, `if time.Since(s.listing.began) < age {`, `if time.Since(s.listing.began) < age && !MUTANT {`},
		{"failed lists of schemas are empty", schemas, `if err != nil {
			return err
		}
		s.mu`, `if err != nil && !MUTANT {
			return err
		}
		s.mu`},
		{"requests wait for a slow list of schemas", schemas, `l.began.Add(listTimeout)`, `l.began.Add(PICK(time.Hour, listTimeout))`},
		{"a list of schemas that hangs is the last one", schemas, `context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	_ = guard`, `context.WithTimeout(ctx, PICK(time.Hour, fetchTimeout))
	defer cancel()
	_ = guard`},
	}
}

// policyPlugins are faults in the plugins for policies.
func policyPlugins() []fault {
	const plugin = "dispatcher/plugin/policies.go"
	return []fault{
		{"policies are registered always", "dispatcher/plugin/register.go", `if o.policies {`, `if o.policies || MUTANT {`},
		{"folders of policies are ignored", plugin, `config.StaticManifestsDir != ""`, `config.StaticManifestsDir != "" && !MUTANT`},
		{"validating policies follow the others", plugin, `if p.phase == admission.Mutating {`, `if p.phase == admission.Mutating || MUTANT {`},
		{"observers learn nothing of policies", plugin, `if begun == nil {`, `if begun == nil || MUTANT {`},
		{"policies have excluded resources of their own", plugin, `p.excluded.Clone().Has,`, `PICK(nil, p.excluded.Clone().Has),`},
		{"policies are never exact", plugin, `p.options.exact,`, `p.options.exact && !MUTANT,`},
		{"policies know no new namespace", plugin, `if apierrors.IsNotFound(err) {`, `if apierrors.IsNotFound(err) && !MUTANT {`},
		{"policies need no channel", plugin, `case p.drained == nil:`, `case p.drained == nil && !MUTANT:`},
	}
}
