// Package report opens reports in a browser and uses them as people do: it
// points, clicks, types, presses keys, follows links, and prints. It holds
// nothing but tests, in a module of its own, because a user of gatehouse
// need not have the driver.
//
// The browser is Chromium or Chrome, whichever is in the PATH; without one the
// tests are skipped. They never use the network: that a report does not either
// is one of the things they see to, in every test. The list of a server's
// requests comes from a server in the process of the test, and the pages of
// outages and findings from the commands.
//
// Every test runs at 1280 and at 390 pixels, and writes pictures of what it has
// seen:
//
//	go test . -args -screenshots=DIR
//
// Without the flag they go where `go test -artifacts` has them.
package report
