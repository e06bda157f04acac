package testtable

import "testing"

// Row is a row's name and the reason why it exists; embed it in the row's
// struct. It is an array and no struct because go vet requires field names in
// literals of other packages' structs, and a thousand rows read better as
// Row{"empty", "an empty text stays empty"}.
type Row [2]string

// Name is unique in the table, and the name of the subtest.
func (r Row) Name() string { return r[0] }

// Why returns the reason why the row exists.
func (r Row) Why() string { return r[1] }

func (Row) embedded() {}

// Tabled is met by the structs that embed Row, and by nothing else.
type Tabled interface {
	Name() string
	Why() string
	embedded()
}

// Run runs every row as a parallel subtest, which logs the row's reason when it
// fails. It fails at once, without running any row, if the table is not in
// order.
func Run[R Tabled](t *testing.T, rows []R, run func(t *testing.T, r R)) {
	t.Helper()
	for _, r := range Checked(t, rows) {
		t.Run(r.Name(), func(t *testing.T) {
			t.Parallel()
			// In a cleanup, because a row may end in t.Fatal, and its subtests
			// and cleanups may fail.
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("why: %s", r.Why())
				}
			})
			run(t, r)
		})
	}
}

// Checked returns the rows, for a loop of the test's own. It fails at once
// unless there are rows, and every row has a name that no other has, and a
// reason.
func Checked[R Tabled](t testing.TB, rows []R) []R {
	t.Helper()
	if len(rows) == 0 {
		t.Fatalf("the table has no rows: it tests nothing")
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if r.Name() == "" || seen[r.Name()] || r.Why() == "" {
			t.Fatalf("row %q needs a unique name and a reason", r.Name())
		}
		seen[r.Name()] = true
	}
	return rows
}

// Text is the whole text of an error, and empty for none, so that a row can
// hold what it expects as a string.
func Text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
