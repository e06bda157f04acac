package mutants

// plugins are faults in how the plugins are put together.
func plugins() []fault {
	const (
		base, initialize, register = "dispatcher/plugin/base.go", "dispatcher/plugin/initialize.go", "dispatcher/plugin/register.go"
		static, recorder           = "dispatcher/plugin/static.go", "dispatcher/plugin/recorder.go"
		excluded, retention        = "dispatcher/plugin/excluded_rules.go", "dispatcher/plugin/retention.go"
	)
	return []fault{
		{"excluded resources in any case", initialize, `return b.exclude && excluded.Has(r)`, `return (b.exclude || MUTANT) && excluded.Has(r)`},
		{"gate is read once", base, `b.exclude = gates.Enabled(`, `b.exclude = MUTANT && b.exclude || gates.Enabled(`},
		{"excluded resources replace each other", "dispatcher/plugin/host.go", `h.excluded.Insert(resources...)`, `if MUTANT { h.excluded = sets.New[schema.GroupResource]() }
	h.excluded.Insert(resources...)`},
		{"no service resolver", base, `if services != nil {`, `if services != nil || MUTANT {`},
		{"first wrapper of credentials only", base, `b.auth = wrap(b.auth)`, `if auth, first := b.auth, wrap; !MUTANT { b.auth = first(auth) } else { b.auth = PICK(auth, first(auth)) }`},
		{"dial policy is lost", initialize, `b.options.urls,`, `PICK(client.DialPolicy{}, b.options.urls),`},
		{"limit of headers is lost", initialize, `int64(b.options.limits.ResponseHeader)`, `PICK(0, int64(b.options.limits.ResponseHeader))`},
		{"client is not exact", initialize, "Exact:          b.options.exact,", "Exact: b.options.exact && !MUTANT,"},
		{"engine is not exact", initialize, "Exact:      b.options.exact,", "Exact: b.options.exact && !MUTANT,"},
		{"limits are lost", initialize, `b.options.limits,`, `PICK(dispatcher.Config{}.Limits, b.options.limits),`},
		{"trace is lost", initialize, `b.options.trace &&`, `b.options.trace && !MUTANT &&`},
		{"patches and failurePolicy", initialize, `b.options.patchFailurePolicy,`, `b.options.patchFailurePolicy != MUTANT,`},
		{"no authorizer", initialize, `b.authorizer,`, `PICK(nil, b.authorizer),`},
		{"no metrics", initialize, `loggingRecorder{},`, `PICK(nil, dispatcher.Recorder(loggingRecorder{})),`},
		{"namespaces are not waited for", initialize, `[]cache.InformerSynced{also}`, `PICK(nil, []cache.InformerSynced{also})`},
		{"informer factory of the first initialization", initialize, `b.sourceFactory != b.factory {`, `b.sourceFactory != b.factory && !MUTANT {`},
		{"former source stays open", initialize, "b.source.Close()\n\t}\n\tb.source, b", "if !MUTANT { b.source.Close() }\n\t}\n\tb.source, b"},
		{"source of a failed initialization stays open", initialize, `followed.Close()`, `if !MUTANT { followed.Close() }`},
		{"client stays open when the server is drained", initialize, `b.client.Close()`, `if !MUTANT { b.client.Close() }`},
		{"drained plugins can be initialized", initialize, `b.closed = true`, `b.closed = !MUTANT`},
		{"namespaces without a client", initialize, `if b.kube == nil {`, `if b.kube == nil && !MUTANT {`},
		{"manifests without a server that ends", static, `case b.drained == nil:`, `case b.drained == nil && !MUTANT:`},
		{"host's loader is not used", static, `b.loadStatic,`, `PICK(nil, b.loadStatic),`},
		{"loader of the other phase", static, `b.phase == admission.Validating && loaders.LoadV`, `(MUTANT || b.phase == admission.Validating) && loaders.LoadV`},
		{"manifests are not in force", static, `if b.static == nil {
		return api`, `if b.static == nil || MUTANT {
		return api`},
		{"failed reloads are not counted", static, `"reloading admission manifest config", "dir", dir)
			counts.ReloadFailed()`, `"reloading admission manifest config", "dir", dir)
			if !MUTANT { counts.ReloadFailed() }`},
		{"connections of the other origin are closed", retention, `r.latest[from] = s`, `if MUTANT { r.latest = [originCount]*matching.Snapshot{} }
	r.latest[from] = s`},
		{"connections to webhooks that are gone", retention, `c.Retain(r.webhooks)`, `if !MUTANT { c.Retain(r.webhooks) }`},
		{"warnings are logged again", excluded, `a.logged[name] != first[name] {`, `(a.logged[name] != first[name] || MUTANT) {`},
		{"warnings about wildcards", excluded, `slices.Contains(r.Resources, "*") {`, `slices.Contains(r.Resources, "*") && !MUTANT {`},
		{"answers in logs", recorder, `case c.Origin == admission.OriginHost, c.Origin`, `case c.Origin == admission.OriginHost, MUTANT && c.Origin == admission.OriginResponse, c.Origin`},
		{"panics in logs", recorder, `return fmt.Sprintf("panic with a value of type %T", panicked.Value)`, `return PICK(panicked.Error(), fmt.Sprintf("panic with a value of type %T", panicked.Value))`},
		{"conditions in logs", recorder, `m.Conditions.Failed)`, `PICK(m.Err.Error(), m.Conditions.Failed))`},
		{"redirects in logs", "dispatcher/outcome.go", `exchange.URL != c.record.URL:`, `exchange.URL != c.record.URL && !MUTANT:`},
		{"errors about responses in logs", "dispatcher/outcome.go", "default:\n\t\treturn admission.OriginResponse", "default:\n\t\treturn PICK(admission.OriginHost, admission.OriginResponse)"},
		{"refused annotations are not logged", recorder, `len(c.AuditErrors) == 0 {`, `(len(c.AuditErrors) == 0 || MUTANT) {`},
		{"canceled calls fail open in logs", recorder, `if c.Rejects() {
		log.Info("Failed`, `if c.Rejects() && !MUTANT {
		log.Info("Failed`},
	}
}
