// Package auth decides which requests the API server accepts.
//
//	identity.go  the server's certificate authority, its certificates and the
//	             administrator's token
//	client.go    client certificates of users
//	extension.go what aggregated API servers need to authenticate users
//	address.go   which addresses the server and its clients use
//	origin.go    the filter for Host and Origin headers
//
// A client with the administrator's token is the administrator. A client
// certificate from the server's own authority identifies its user. A token of
// package serviceaccounts identifies its service account. There is no anonymous
// access. The package does not authorize requests.
//
// The package creates keys and tokens when the server starts, keeps them in
// memory only, and does not log them.
//
// Concurrency: an Identity does not change after NewIdentity has returned.
package auth
