// Package serviceaccounts issues the tokens of service accounts and
// authenticates clients by them, as kube-apiserver does.
//
//	tokens.go        the issuer and its signing key
//	claims.go        the claims of tokens
//	authenticate.go  the user of a token
//	legacy.go        the tokens in Secrets of type
//	                 kubernetes.io/service-account-token
//	openid.go        the documents with which others verify tokens
//
// If the service account of a token, or the object to which it is bound, was
// deleted or replaced, the package rejects the token. Unlike kube-apiserver, it
// caches no tokens, so a deletion takes effect at once.
//
// The package logs no tokens, and no error contains one.
//
// Concurrency: the methods of Tokens may be called concurrently, after Attach.
package serviceaccounts
