// Package reportsample has documents for tests of the report, made by hand: what a person
// would send, what an attacker would, and more than anybody reads.
//
//	Pod      a pod that is mutated in two rounds, fought over, and denied
//	Small    a request that no webhook is called for
//	Hostile  every text tries to be markup or script
//	Many     as many requests and webhooks as are wanted
//
// Every call returns a document of its own. There are no errors: what is here is known
// to be right. Nothing is random, so that pages can be compared.
//
// What it does not do: ask the engine. What it says must look as if the engine had said
// it, but need not be what would happen.
package reportsample
