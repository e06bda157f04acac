// Package requests keeps the last requests that webhooks received or that
// admission denied, and serves them with their explanations.
//
// A Log keeps what the records of a request say, without an explanation: the
// explanation is made, and redacted, when a client asks for it. The records of
// Secrets hold their data, as the storage of the server does; what a Log serves
// does not.
//
// Path is the list, Path/ID the explanation of one request. Browsers receive
// the pages of package report, other clients JSON.
//
// Concurrency: a Log may be used concurrently.
//
// Limits: a Log keeps 500 requests and 64 MiB of their records, and forgets the
// oldest. It keeps at most 8 MiB of what one request sent to webhooks, and
// nothing of a request whose other records exceed 64 MiB.
package requests
