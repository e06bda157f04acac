// Package testtable runs the tables of this module's tests.
//
// A table is a slice of structs that embed [Row], the row's name and the reason
// why the row exists:
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
//		{row{"empty", "an empty text stays empty"}, "", ""},
//	}, func(t *testing.T, tc cutCase) { … })
//
// The steps of [Run], in order:
//
//  1. All rows are checked before any of them runs. An empty table fails the
//     test, because it would pass without testing anything. A missing or
//     duplicate name and a missing reason fail it too, because such rows are
//     likely to be deleted.
//  2. Every row becomes a parallel subtest of its name.
//  3. A row that fails logs its reason.
//
// [Checked] is only the first step, for tables that need other subtests, or may
// not run in parallel.
//
// Concurrency: Run's subtests run in parallel, when the test that called it has
// returned; what they share must permit that. The package has no state.
//
// It is imported by tests only and imports nothing of this module, so that the
// tests of every package can use it.
package testtable
