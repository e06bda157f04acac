// Package auth decides which requests the API server accepts.
//
//	identity.go  the server's certificate authority, its certificates and the
//	             administrator's token
//	extension.go what aggregated API servers need to authenticate users
//	address.go   which addresses the server and its clients use
//	origin.go    the filter for Host and Origin headers
//
// A client that presents the administrator's token, or a client certificate
// issued by the server's own authority, is the administrator; a client with a
// token of package serviceaccounts is that service account. There are no other
// users, and there is no anonymous access. Authorization is not decided here.
//
// Keys and tokens are created when the server starts and are kept in memory
// only. They are not logged.
//
// Concurrency: an Identity is not changed after NewIdentity returned.
package auth
