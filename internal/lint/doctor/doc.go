// Package doctor says of each webhook what API servers need to call it, as far as the
// files tell: the name that they verify, the caBundle, the certificate, the Service and
// its port, pods, endpoints, and the path.
//
//	doctor.go        Examine: the checks of each webhook
//	certificates.go  what the caBundle and the Secret have
//	backends.go      what the Service leads to
//
// A check is a problem if a rule of lint has a finding about the webhook (package
// rules). Otherwise it has a fact, or says what is missing to know.
//
// The package connects to nothing. No message has a private key in it.
package doctor
