// Package limits bounds what a webhook can make its caller spend: memory, time
// and room in messages.
//
// A webhook is somebody else's program. kube-apiserver trusts it to answer with
// a body of any length, and with patches that grow an object without end; one
// that is broken, or has been taken over, brings the whole process down. The
// limits here are always in force, and so generous that an honest webhook never
// meets them.
//
//	Limits   the numbers, and what they stand for
//	Budget   what all calls in flight may hold of response bodies together
//	Error    a limit was exceeded: which one, and what it was
//	Cut      text that fits
//
// # Steps
//
//  1. dispatcher.New fills in the defaults and refuses negative numbers
//  2. whoever does the work compares as it goes, before it spends
//  3. what is exceeded ends the call, or is dropped and counted; see the fields
//
// # Concurrency
//
// Limits are read-only once the engine has them. A Budget is shared by many
// goroutines; it never makes one of them wait.
//
// # What it does not do
//
// It enforces nothing by itself, and does not bound what webhooks are sent: an
// object is as large as the host lets it be.
package limits
