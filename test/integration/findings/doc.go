// Package findings keeps what `gatehouse conformance` is known to find in
// webhooks that are written with some library: a table in Go, which has the
// reasons, and a section of docs/conformance-findings.md, which tells them to
// people. It is for the projects beside it, each of which is a Go module of its
// own.
//
//	func TestConformance(t *testing.T) {
//		folder := findings.Certify(t, "webhooks.shop.svc")
//		address := serve(t, folder)
//		library().Look(t, "-f", "webhooks.yaml", "--ca-file", folder+"/ca.crt",
//			"--resolve", "webhooks.shop.svc:443:"+address)
//	}
//
// # Steps
//
//  1. Certify makes a certificate, with which the test serves the webhooks.
//  2. Look builds the command, has it look at them, and compares what fails
//     with the table, and both with the page. What has become good is noticed
//     as well as what has become bad.
//  3. Tell compares the table with the page, without any webhook.
//  4. Live has the command start the project's own process, which Build has built,
//     and compares how the checks of the process end with another table of the page.
//
// # Concurrency
//
// A Library is not changed. Each call belongs to one test.
//
// # Errors
//
// All of them are failures of the test.
//
// # What it does not do
//
// It serves nothing itself. It finds its files from PROJECT/test/conformance, where
// these tests are run, and from nowhere else.
package findings
