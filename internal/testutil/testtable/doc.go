// Package testtable runs the tables of this module's tests.
//
// A table is a slice of structs, and every one of them embeds [Row], which is the
// row's name and the reason why the row exists:
//
//	type row = testtable.Row
//
//	type cutCase struct {
//		row
//		text string
//		want string
//	}
//
//	testtable.Run(t, []cutCase{
//		{row{"empty", "there is nothing to cut"}, "", ""},
//	}, func(t *testing.T, tc cutCase) { … })
//
// The steps of [Run], in order:
//
//  1. Every row is looked at, before any of them runs. A table without rows ends
//     the test, because it would pass without testing anything. A name that is
//     missing or not the only one, and a reason that is missing, end the test: a
//     row that cannot be told from another, or does not say what it protects, is
//     likely to be deleted.
//  2. Every row becomes a parallel subtest of its name.
//  3. A row that fails logs its reason.
//
// [Checked] is the first step alone, for tables that want more than one subtest
// for each row, or none, or may not run in parallel.
//
// Concurrency: Run's subtests run in parallel, when the test that called it has
// returned; what they share must allow for that. The package itself keeps nothing.
//
// Errors: a mistake in a table is the test's failure; nothing is returned.
//
// What it does not do: compare. It is imported by tests only, and imports nothing
// of this module, so that the tests of every package may use it.
package testtable
