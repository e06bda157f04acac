// Package policy makes the audit policy that a server needs so that its log shows what webhooks
// and policies do, and reports what another audit policy leaves out.
//
//	needs := policy.Needs(rules)
//	text, err := policy.Text(needs)
//	missing, err := policy.Missing(needs, otherText)
//
// What is needed:
//
//   - The requests that create or change objects of a resource for which there is a mutating
//     webhook or policy: at the level RequestResponse, for the patches, the bodies and what was
//     stored.
//   - The deletions of these objects, and all requests that validating webhooks and policies
//     receive: at the level Metadata, for denials, failures and annotations.
//   - Secrets, tokens and reviews of tokens: at the level Metadata, because a log must not have
//     their bodies.
//
// An audit policy selects by resource, verb and user, not by version, selector or condition,
// so the log has more requests than the webhooks receive.
//
// There is no state. Errors are about the other policy.
package policy
