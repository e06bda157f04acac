// Package collector collects the records of an observer in a server: it
// combines both phases of a request, with both rounds, in one
// admission.Response, for explanations and logs.
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
