// Package admission defines the types that the packages of gatehouse share:
// webhooks, requests, and the records of their admission.
//
//	Webhook   one entry of a Mutating- or ValidatingWebhookConfiguration
//	Match     whether a webhook matches a request, and the stage that decided
//	Call      one call of a webhook, and its outcome
//	Outcome   the seven ways in which a call can end
//	Request   a request to simulate
//	Response  the result of a simulated request, with every Match and Call
//
// Matches and Calls are records. The packages that decide return them, and the
// packages that report (metrics, audit, explanations, test assertions) read
// them; no package measures or logs in the middle of a decision.
//
// The package does no I/O and starts no goroutines. It imports only k8s.io/api
// and k8s.io/apimachinery, so that every other package can import it.
//
// "Compat:" marks an oddity of kube-apiserver that gatehouse reproduces on
// purpose.
//
// Numbers such as S-123 refer to docs/semantics.md.
package admission
