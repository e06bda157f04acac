// Package generate draws random scenarios: configurations that are often wrong,
// webhooks that often misbehave, and requests of every kind.
//
//	Scenario     an environment and one or two requests
//	resources    the resources of the requests, and their equivalents
//	webhooks     names, rules, selectors, conditions, policies, addresses
//	conditions   a grammar: atoms, conditions of public projects, the CEL libraries
//	answers      responses of webhooks, random but a function of the path
//	patched      two in five scenarios: valid and invalid patches of objects with
//	             many fields, by up to six webhooks
//
// Every choice is from a few values, so that selectors match labels and patches
// remove existing keys. The zero choice is the simple case, so that a failing
// scenario shrinks to a readable one.
//
// # Limits
//
// It draws nothing in which gatehouse differs on purpose and nothing that takes
// time: no redirects, no Retry-After, no status codes above 599. A late webhook
// makes the deadline pass when it is called. Configurations do not change
// during a request. Most of these have their own tests; see docs/parity.md.
package generate
