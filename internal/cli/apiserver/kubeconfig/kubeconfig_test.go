package kubeconfig

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

func TestFile(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		// before is what is there at first; "" is nothing.
		before string
		// meanwhile is the content that another program writes; "" is none.
		meanwhile string
		// after is what is there at the end.
		after string
	}
	testtable.Run(t, []test{
		{row{"new", "it goes with its server"}, "", "", ""},
		{row{"left behind", "a server that was killed could not remove it, and scripts that wait for the new one must not read it"}, header + "old", "", ""},
		{row{"another server's", "the later one needs it"}, "", header + "later", header + "later"},
		{row{"changed", "the user has chosen a namespace"}, "", header + "new\nnamespace: a", header + "new\nnamespace: a"},
	}, func(t *testing.T, r test) {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		put(t, path, r.before)
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		wantText(t, path, "")
		if err := f.Publish([]byte("new")); err != nil {
			t.Fatal(err)
		}
		wantText(t, path, header+"new")
		put(t, path, r.meanwhile)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		wantText(t, path, r.after)
		if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) > 1 || len(entries) == 1 && r.after == "" {
			t.Errorf("there is more than there should be: %v (%v)", entries, err)
		}
	})
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if text == "" {
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Errorf("%s has %q, want %q", path, text, want)
	}
}
