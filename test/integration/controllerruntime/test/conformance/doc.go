// Package conformance has the built command look at the webhooks of this
// project, as the webhook server of controller-runtime serves them, and
// compares what fails with what is known to fail: findings_test.go has a row
// for each check, with the reason and its place in the source of
// controller-runtime. So it is noticed when something new fails, and when
// something fails no longer.
//
// docs/conformance-findings.md of gatehouse tells the same to people; a test
// keeps them together. lists_test.go shows what that page says of defaulters
// other than the project's.
package conformance
