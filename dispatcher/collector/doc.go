// Package collector gathers the records of an observer in a server: it makes
// one admission.Response of both phases of a request, both rounds included, for
// explanations and logs.
//
//	c := collector.New(collector.Config{Done: func(r *admission.Response) {
//		if !r.Allowed {
//			log.Print(explain.Response(r))
//		}
//	}})
//	plugin.Register(plugins, plugin.WithObserver(c), plugin.WithTrace())
//
// Numbers such as S-123 refer to docs/semantics.md.
package collector
