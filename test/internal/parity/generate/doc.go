// Package generate draws scenarios at random: configurations that are often
// wrong, webhooks that often misbehave, and requests of every kind.
//
//	Scenario     a world and one or two requests
//	resources    what the requests are about, and under which other names it goes
//	webhooks     names, rules, selectors, conditions, policies, addresses
//	conditions   a grammar: atoms, what public projects ask, and the libraries
//	answers      what the webhooks say, at random but from the path alone
//	patched      two in five scenarios: patches of objects that are rich in fields, sound
//	             and odd ones, by up to six webhooks
//
// Every choice is from a few values, so that things meet: a selector meets an
// object that has the label, a patch meets the key that it removes. A draw that is
// zero is the plain case, so that a failing scenario shrinks to something that can
// be read.
//
// # What it does not draw
//
// Anything in which gatehouse differs on purpose, and anything that takes time:
// there are no redirects, no Retry-After, no codes above 599 and no webhook that is
// slow by the clock: one that is late has the deadline pass when it is asked. Nor do
// configurations change while a request is under way. Most of these have tests of
// their own; see docs/parity.md.
package generate
