// Package httpclients compares Go's HTTP clients on what a call of a webhook
// is: one POST of a review over TLS, from many goroutines. It shows how much of
// the row B7/100 of docs/performance.md another client could save.
//
//	go test -run '^$' -bench . -benchtime 20000x -count 6 ./...
//
// The server is net/http's, in a process of its own.
package httpclients
