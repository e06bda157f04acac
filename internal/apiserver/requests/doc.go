// Package requests keeps the last requests that webhooks received or that
// admission denied. It serves them with their explanations.
//
// A Log keeps the records of a request. It creates and redacts the explanation
// when a client requests it. The records of Secrets contain the data of
// Secrets, like the storage of the server; the responses of a Log do not.
//
// Path is the list, Path/ID the explanation of one request. Browsers receive
// the pages of package report, other clients JSON.
//
// Concurrency: a Log may be used concurrently.
//
// Limits: a Log keeps at most 500 requests with 64 MiB of records, and drops
// the oldest. It keeps at most 8 MiB of what one request sent to webhooks. It
// drops a request whose other records exceed 64 MiB.
package requests
