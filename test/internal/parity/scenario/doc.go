// Package scenario describes, as data, what is run through kube-apiserver's
// webhook plugins and through gatehouse's to compare them.
//
//	Scenario     a world and the steps that are taken in it
//	Step         one request, and what is known about its outcome
//	Request      what the host hands to admission
//	Answer       what a webhook says, and when
//	InTree       a mutating plugin of the host beside the webhooks
//
// A scenario is written in YAML or made by a generator. It says nothing about
// which side runs it: whatever both sides could disagree about is observed, not
// described. Want holds only what is known from elsewhere, so that two sides that
// are wrong in the same way are found out.
//
// Addresses are the harness's business. In a clientConfig the host "webhook" of a
// url stands for the address of the test server, every service is found there,
// and the caBundle "CA" (in base64: Q0E=) for the authority of its certificate.
package scenario
