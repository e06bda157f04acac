// Package auditlog reads the audit logs of API servers: audit.k8s.io/v1 events, one per line
// or in EventLists, plain or compressed by gzip or zstd.
//
//	stats, err := auditlog.Read(ctx, auditlog.Input{Paths: paths, Stdin: os.Stdin},
//		func(e *auditlog.Event) error { ... })
//
// # Steps
//
//  1. open.go decompresses a file, lines.go splits it into lines, and source.go finds the
//     events in them. It does not decode bodies (package rawjson).
//  2. source.go counts and drops events that cannot matter: earlier stages of a request,
//     and requests that change nothing and that no webhook received.
//  3. decode.go reads the small parts of an event, and admission.go the annotations of
//     webhooks and policies.
//  4. read.go merges the files by the time of their next event, and window.go sorts the
//     events of servers that write to the same file.
//
// The packages below use the events: tally counts them, loops finds components that undo
// each other's changes, history shows the requests for an object, and record makes a
// corpus. policy makes the audit policy that all of them need.
//
// # Memory
//
// A file is read in parts of 256 KiB, a line has up to 32 MiB, and the window up to 4096
// events or 32 MiB. Files whose times do not overlap are not open together.
//
// # Concurrency
//
// Each open file has a goroutine. Read calls visit from one goroutine at a time.
//
// # Errors
//
// If a line is no event, or a file cannot be read, Read counts and describes that in the
// Stats, by file and line, and continues.
//
// # What it does not do
//
// It does not redact: bodies and patches may have the data of Secrets.
//
// Numbers such as S-123 refer to docs/semantics.md.
package auditlog
