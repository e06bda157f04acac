// Package reportsample has handwritten explanations for tests of the report.
//
//	Pod      a pod that two webhooks mutate in turn, in two rounds, and one denies
//	Policies  a request that one policy changes and another denies
//	Small    a request that no webhook is called for
//	Hostile  every text contains markup or script
//	HostileOutage, HostileFindings  the same for the pages of outages and findings
//	Many     a given number of requests and webhooks
//
// Every call returns a new document. The documents are deterministic, so that
// pages can be compared. They look like explanations of the engine, but the
// engine need not behave that way.
package reportsample
