// Package record makes a corpus of the requests in audit logs that can be admitted again.
//
//	r, err := record.New(record.Config{Write: writer.Write})
//	err = r.Add(event)   // for each event, in order
//	report := r.Report()
//
// # Steps
//
//  1. verdict.go finds out whether admission decided the request: it allowed the request, or
//     a webhook or a policy denied it. A request that ended for another reason has no
//     verdict, and is left out.
//  2. request.go makes the request. A new object is in the log; the old object of an update or
//     a deletion is the last answer for it (stored.go), and a patch is merged into that.
//  3. answers.go makes the answers of the webhooks from the annotations and the message.
//  4. The corpus gets the entry, and each request that is left out counts for a Reason.
//
// # What is not known
//
// The entries do not have the answers of validating webhooks that allowed a request, and the
// object after admission. The configuration of a validating webhook is empty.
//
// # Secrets
//
// A Recorder leaves out requests for Secrets and tokens: a replay could not use the data, and
// webhooks may have copied data of an earlier request to other fields.
//
// # Memory
//
// A Recorder keeps 64 MiB of the last answers. It drops the least recently written object
// first.
//
// A Recorder belongs to one goroutine. Numbers such as S-123 refer to docs/semantics.md.
package record
