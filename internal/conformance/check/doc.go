// Package check is what a check is: a definition, and a function that looks at webhooks
// and writes what it sees into a Record.
//
//	check.Check{
//		Check: report.Check{ID: "C-UID", …},
//		Each: func(ctx context.Context, w *probe.Webhook, r *check.Record) {
//			for _, x := range w.Answered() {
//				r.Saw()
//				if x.Answer.UID != x.Review.UID() {
//					r.Fail(x, "the answer has the uid %q", x.Answer.UID)
//				}
//			}
//		},
//	}
//
// A check that saw nothing has not passed: it was skipped. It says what it lacked with
// Lacks. What another check is about, it leaves to that: a webhook with one fault fails
// one check.
//
// Messages and evidence have the data of Secrets taken out, and are of a bounded size.
//
// A Record belongs to one goroutine. Checks have no errors; that the context ended is
// seen by whoever runs them.
package check
