// Package admission is the vocabulary of gatehouse: the words in which every
// other package speaks about the admission of one request by webhooks.
//
//	Webhook   one entry of a Mutating- or ValidatingWebhookConfiguration
//	Match     whether a webhook applies to a request, and if not, why not
//	Call      one visit to a webhook, and what came of it
//	Outcome   the seven ways in which a call can end
//	Request   what a client asks of the API, for those who simulate one
//	Response  the verdict, the object, and every Match and Call on the way
//
// Matches and Calls are records. The packages that decide return them and the
// packages that report (metrics, audit, explanations, test assertions) read
// them; nothing is measured or logged in the middle of a decision.
//
// The package holds data and small questions about that data. It does no I/O,
// starts no goroutines and imports nothing but k8s.io/api and k8s.io/apimachinery, so that
// everything may import it.
//
// Numbers such as S-164 or R-010 in comments refer to the catalogue of
// kube-apiserver's behaviour that gatehouse is built and tested against; a
// comment that begins with "Compat:" marks an oddity that is kept on purpose.
package admission
