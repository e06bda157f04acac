package limits_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission/limits"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	got, err := limits.Limits{}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	if size := got.Budget.Size(); size != 256<<20 {
		t.Errorf("the budget is %d, want 256 MiB", size)
	}
	got.Budget = nil
	want := limits.Limits{
		ResponseBody: 8 << 20, ResponseHeader: 64 << 10, InterimResponses: 8,
		PatchSize: 3 << 20, PatchOperations: 10_000, PatchCopies: 3 << 20, PatchedObject: 3 << 20,
		AuditAnnotations: 64, AuditAnnotationSize: 64 << 10, Causes: 64, Warnings: 64, WarningLength: 4096, Message: 4 << 10,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

// TestEveryFieldIsChecked sets one field after the other, so that none can be
// forgotten.
func TestEveryFieldIsChecked(t *testing.T) {
	t.Parallel()
	shape := reflect.TypeFor[limits.Limits]()
	for i := range shape.NumField() {
		name := shape.Field(i).Name
		if name == "Budget" {
			continue
		}
		var l limits.Limits
		field := reflect.ValueOf(&l).Elem().Field(i)
		field.SetInt(-1)
		if _, err := l.WithDefaults(); testtable.Text(err) != name+" is -1 and must not be negative" {
			t.Errorf("%s: error %v does not name the field", name, err)
		}
		field.SetInt(7)
		got, err := l.WithDefaults()
		if kept := reflect.ValueOf(got).Field(i).Int(); err != nil || kept != 7 {
			t.Errorf("%s: 7 became %d with error %v", name, kept, err)
		}
	}
}

type budgetRow struct {
	row
	budget *limits.Budget
	size   int
	err    string
}

func TestBudgetOfLimits(t *testing.T) {
	t.Parallel()
	shared := limits.NewBudget(10)
	testtable.Run(t, []budgetRow{
		{row{"none", "every dispatcher gets one of its own"}, nil, 256 << 20, ""},
		{row{"zero", "the zero budget is the default"}, &limits.Budget{}, 256 << 20, ""},
		{row{"of no size", "as with all numbers, 0 means the default"}, limits.NewBudget(0), 256 << 20, ""},
		{row{"shared", "one that was given is kept"}, shared, 10, ""},
		{row{"negative", "nothing could ever be read"}, limits.NewBudget(-1), 0, "Budget is -1 and must not be negative"},
	}, func(t *testing.T, tc budgetRow) {
		l, err := limits.Limits{Budget: tc.budget}.WithDefaults()
		if testtable.Text(err) != tc.err {
			t.Fatalf("error %v, want %q", err, tc.err)
		}
		if err == nil && l.Budget.Size() != tc.size {
			t.Errorf("size %d, want %d", l.Budget.Size(), tc.size)
		}
		if tc.budget != nil && err == nil && l.Budget != tc.budget {
			t.Error("the budget was replaced")
		}
	})
}
