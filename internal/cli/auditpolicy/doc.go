// Package auditpolicy has the command audit-policy, which prints the audit policy that
// `gatehouse audit` needs, and says what another one leaves out.
package auditpolicy
