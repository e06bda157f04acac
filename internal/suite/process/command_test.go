//go:build unix

package process

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		text, want string
	}
	testtable.Run(t, []test{
		{row{"nothing", "most texts have no reference"}, "--tls", "--tls"},
		{row{"reference", "that is what it is for"}, "--port=$(PORT)", "--port=9443"},
		{row{"two", "each is replaced"}, "$(PORT)-$(PORT)", "9443-9443"},
		{row{"unknown", "the shell may know it"}, "echo $(date)", "echo $(date)"},
		{row{"escaped", "the text itself may be meant"}, "$$(PORT)", "$(PORT)"},
		{row{"escaped twice", "the first two are one, and the third begins a reference"}, "$$$(PORT)", "$9443"},
		{row{"dollars", "those before anything else are pairs too"}, "$$$$ $", "$$ $"},
		{row{"shell", "a variable without parentheses is the shell's"}, "$PORT ${PORT}", "$PORT ${PORT}"},
		{row{"open", "what does not end is no reference"}, "$(PORT", "$(PORT"},
		{row{"empty", "there is no such variable"}, "$()", "$()"},
		{row{"value with a reference", "values are not looked at again, or they could not be trusted"}, "$(TRICK)", "$(PORT)"},
		{row{"empty value", "a variable that is empty is known"}, "<$(EMPTY)>", "<>"},
		{row{"several values", "the last one is what the command gets as well"}, "$(TWICE)", "second"},
		{row{"bytes", "arguments need not be UTF-8"}, "\xff$(PORT)\xff", "\xff9443\xff"},
	}, func(t *testing.T, tc test) {
		e := newEnvironment([]string{"PORT=9443", "TRICK=$(PORT)", "EMPTY=", "TWICE=first", "TWICE=second"})
		if got := e.expand(tc.text); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	})
}

// TestEnvironment looks at what a command sees that wants to know.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e := as("environment",
		suitefile.EnvVar{Name: "NAME", Value: "$(CERT_DIR)"},
		suitefile.EnvVar{Name: "GREETING", Value: "hello $(NAME) $(LATER) $$(NAME)"},
		suitefile.EnvVar{Name: "LATER", Value: "too late"},
	)
	e.WorkingDir = dir
	e.Command = append(e.Command, "-port", "$(PORT)", "$(LATER)")
	_, err = Start(t.Context(), Config{Exec: e})
	failed, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatal(err)
	}
	got := strings.Split(failed.Printed, "\n")
	own := strings.Fields(got[1])
	if len(own) != 4 {
		t.Fatalf("its variables are %q", own)
	}
	port, folder := own[0], own[1]
	want := []string{
		"-port|" + port + "|too late",
		strings.Join([]string{port, folder, filepath.Join(folder, "tls.crt"), filepath.Join(folder, "tls.key")}, " "),
		"hello " + folder + " $(LATER) $(NAME)",
		dir + " <nil>",
		"",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("printed (-want +got):\n%s", diff)
	}
}
