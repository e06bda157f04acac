package main

import (
	"bytes"
	"fmt"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/test/internal/mutant"
)

const module = "../../.."

// TestOptimisations: the code of every optimisation exists, the text of its
// replacement occurs once, and the name is its own.
func TestOptimisations(t *testing.T) {
	t.Parallel()
	all := optimisations()
	if _, err := mutant.Overlay(module, t.TempDir(), mutants(all)); err != nil {
		t.Error(err)
	}
	names := map[string]bool{}
	for _, o := range all {
		if n, err := o.lines(module); err != nil || n == 0 && len(o.code) > 0 {
			t.Errorf("%s: %d lines, %v", o.name, n, err)
		}
		if _, err := regexp.Compile(o.rows); err != nil || o.rows == "" || names[o.name] || len(o.without) == 0 {
			t.Errorf("%s: want a name of its own, rows and a replacement; %v", o.name, err)
		}
		names[o.name] = true
	}
}

// TestMedians takes the turn in the middle, by the ratio where there is one.
func TestMedians(t *testing.T) {
	t.Parallel()
	turn := func(value, ratio float64) map[string]figures {
		document := `{"Rows":[{"Row":"B2","Figures":[{"Unit":"ns/op","Gatehouse":%v,"Ratio":%v}]}]}`
		rows, err := parse(fmt.Appendf(nil, document, value, ratio))
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	type row struct {
		testtable.Row
		turns []map[string]figures
		want  figure
	}
	testtable.Run(t, []row{
		{testtable.Row{"ratios", "the speed of the machine is not in them"}, []map[string]figures{turn(10, 5), turn(90, 4), turn(20, 6)}, figure{10, 5}},
		{testtable.Row{"no ratios", "gatehouse alone has only values"}, []map[string]figures{turn(10, 0), turn(90, 0), turn(20, 0)}, figure{20, 0}},
	}, func(t *testing.T, r row) {
		if got := medians(r.turns)["B2"]["ns/op"]; got != r.want {
			t.Errorf("got %v, want %v", got, r.want)
		}
	})
}

// TestGain: without an optimisation a request costs more, or no more.
func TestGain(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		with, without figure
		want          string
	}
	testtable.Run(t, []row{
		{testtable.Row{"ratios", "half the ratio is twice the cost"}, figure{10, 6}, figure{100, 3}, "+100 %"},
		{testtable.Row{"values", "if there is no ratio, the values are compared"}, figure{10, 0}, figure{12, 0}, "+20 %"},
		{testtable.Row{"loss", "an optimisation may cost more than it buys"}, figure{10, 4}, figure{10, 5}, "-20 %"},
	}, func(t *testing.T, r row) {
		if got := gain(r.with, r.without); got != r.want {
			t.Errorf("got %s, want %s", got, r.want)
		}
	})
}

func TestArguments(t *testing.T) {
	t.Parallel()
	type row struct {
		testtable.Row
		arguments []string
		err       string
	}
	testtable.Run(t, []row{
		{testtable.Row{"pattern", "a mistake is not all"}, []string{"-only", "("}, "-only: error parsing regexp: missing closing ): `^(?:()$`"},
		{testtable.Row{"nothing", "a table without lines is a mistake"}, []string{"-only", "x"}, "-only selects no optimisation"},
		{testtable.Row{"no turns", "there would be no median"}, []string{"-turns", "0"}, "-turns and -rounds are at least 1"},
	}, func(t *testing.T, r row) {
		if diff := cmp.Diff(r.err, testtable.Text(execute(t.Context(), r.arguments, &bytes.Buffer{}))); diff != "" {
			t.Error(diff)
		}
	})
}
