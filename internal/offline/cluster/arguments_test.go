package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/resolve"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestChangedInput changes files between the two readings.
func TestChangedInput(t *testing.T) {
	t.Parallel()
	type test struct {
		testtable.Row
		change func(folder string) error
		want   string
	}
	const config = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}}\n"
	write := func(folder, name, text string) error {
		return os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600)
	}
	changed := "the input has changed: 2 objects checked, and %d read again"
	testtable.Run(t, []test{
		{testtable.Row{"same", "nothing is said"}, func(string) error { return nil }, ""},
		{testtable.Row{"removed", "the object would be skipped"}, func(folder string) error {
			return os.Remove(filepath.Join(folder, "a.yaml"))
		}, fmt.Sprintf(changed, 1)},
		{testtable.Row{"emptied", "no document is no error"}, func(folder string) error {
			return write(folder, "a.yaml", "")
		}, fmt.Sprintf(changed, 1)},
		{testtable.Row{"added", "it was not checked"}, func(folder string) error {
			return write(folder, "c.yaml", fmt.Sprintf(config, "c"))
		}, fmt.Sprintf(changed, 3)},
		{testtable.Row{"broken", "the error itself says what is wrong"}, func(folder string) error {
			return write(folder, "a.yaml", "[]")
		}, "reading the input again: a.yaml: document 1 (line 1): " +
			"a manifest must be an object with apiVersion and kind"},
	}, func(t *testing.T, tc test) {
		folder := t.TempDir()
		for _, name := range []string{"a", "b"} {
			if err := write(folder, name+".yaml", fmt.Sprintf(config, name)); err != nil {
				t.Fatal(err)
			}
		}
		by := request.By{User: authenticationv1.UserInfo{Username: "a"}}
		in, err := Read(&Files{
			Objects: []string{folder}, Namespace: "default",
			Settings: requests.Settings{Namespace: "default", By: by},
		}, NewKinds(&resolve.Dialer{}, nil, false))
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if err := tc.change(folder); err != nil {
			t.Fatal(err)
		}
		var got error
		for _, err := range in.Requests() {
			got = err
		}
		text := strings.ReplaceAll(testtable.Text(got), folder+string(filepath.Separator), "")
		if text != tc.want {
			t.Errorf("%s: got %q, want %q", tc.Why(), text, tc.want)
		}
	})
}

// TestLines: a line about the rest stands for at least two.
func TestLines(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]string{
		0: "", 1: "1", 11: "1 2 3 4 5 6 7 8 9 10 11", 12: "1 2 3 4 5 6 7 8 9 10 2 more numbers",
		300: "1 2 3 4 5 6 7 8 9 10 290 more numbers",
	} {
		var l lines
		for i := range count {
			l.add(fmt.Sprint(i + 1))
		}
		if got := strings.Join(l.shown("numbers"), " "); got != want {
			t.Errorf("%d: got %q, want %q", count, got, want)
		}
	}
}
