// Package auth decides which requests the API server accepts.
//
//	identity.go  the server's certificate authority, its certificates and the
//	             administrator's token
//	client.go    client certificates of users
//	extension.go what aggregated API servers need to authenticate users
//	address.go   which addresses the server and its clients use
//	origin.go    the filter for Host and Origin headers
//
// A client that presents the administrator's token is the administrator. A client
// certificate issued by the server's own authority names its user, and a token of
// package serviceaccounts its service account. There is no anonymous access.
// Authorization is not decided here.
//
// Keys and tokens are created when the server starts and are kept in memory
// only. They are not logged.
//
// Concurrency: an Identity is not changed after NewIdentity returned.
package auth
