// Package suite runs suites of tests: it takes requests through the webhooks of a
// configuration, as a cluster would, and compares what comes of them with what their
// author expects. The command `gatehouse test` and package test/webhooktest are made of it.
//
// # Steps
//
//  1. Load finds suites in files and folders; package suitefile reads them.
//  2. New reads what a suite names, knows its kinds and makes its requests. Whatever is
//     wrong with a suite is found here, before any webhook is called or started.
//  3. Start starts the webhooks that are commands (package process), waits until they are
//     ready, and puts an engine together: one for all cases of the suite, so that
//     configurations are compiled and connections made once. That is a Stage.
//  4. Stage.Run takes one case through the engine, and package expect, and package golden,
//     say what is not as expected: a Result.
//
// Run does the last two for suites one after the other, with several cases at a time.
//
// # Concurrency
//
// A Suite is not changed once it has been started, and Stage.Run may be called from many
// goroutines, as may Suite.Make, which makes more cases for a stage. Cases know nothing of
// each other, but for golden files that they share, and webhooks may remember.
//
// # Errors
//
// Those of Load and New have one line for every mistake, with file, document, line and
// field. A webhook that cannot be reached is no error but what a cluster makes of it; a
// command that does not become ready is one, of Start.
//
// # What it does not do
//
// It prints nothing, and judges nothing but what was expected. As everywhere in gatehouse
// objects are not validated against their schema, and requests do not change what is
// stored.
package suite
