// Package scenario describes, as data, the requests that run through
// kube-apiserver's webhook plugins and through gatehouse's.
//
//	Scenario     an environment and the steps that run in it
//	Environment  configurations, namespaces, authorizer, responses of webhooks
//	Step         one request and its expected outcome
//	Request      what the host passes to admission
//	Answer       the response of a webhook, and its delay
//	InTree       a mutating plugin of the host beside the webhooks
//
// Scenarios are written in YAML or generated. They do not depend on the side
// that runs them. Want holds only facts from other sources, such as Kubernetes'
// documentation, so that it detects an error that both sides share.
//
// The harness resolves addresses. In a clientConfig the host "webhook" of a url
// is the address of the test server, every service resolves to it, and the
// caBundle "CA" (in base64: Q0E=) stands for the server's authority.
package scenario
