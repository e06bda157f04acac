package serve

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"example.com/gatehouse/internal/cli/serve/options"
	"example.com/gatehouse/internal/testutil/testtable"
)

// row has the name of a test case and the reason for it.
type row = testtable.Row

// TestLookUp: the server beside gatehouse comes before the one in the PATH.
func TestLookUp(t *testing.T) {
	folder := func(mode os.FileMode) string {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, server), nil, mode); err != nil {
			t.Fatal(err)
		}
		return folder
	}
	has, hasToo, cannotRun, empty := folder(0o700), folder(0o700), folder(0o600), t.TempDir()
	const missing = "the API server is the program gatehouse-apiserver, which is neither beside gatehouse, in "
	type test struct {
		row
		beside, path, want, err string
	}
	for _, tc := range testtable.Checked(t, []test{
		{row{"both", "the two are installed together"}, has, hasToo, has, ""},
		{row{"in the PATH", "as packages install it"}, empty, empty + string(os.PathListSeparator) + has, has, ""},
		{row{"not to be run", "another file of that name"}, cannotRun, has, has, ""},
		{row{"missing", "it is not installed"}, empty, empty, "", missing + empty},
		{row{"relative", "it may be of the folder's, not the user's"}, empty, ".", "", missing + empty},
	}) {
		t.Setenv("PATH", tc.path)
		got, err := lookUp(tc.beside)
		want := tc.want
		if want != "" {
			want = filepath.Join(want, server)
		}
		if got != want || !strings.HasPrefix(testtable.Text(err), tc.err) || (err == nil) != (tc.err == "") {
			t.Errorf("%s: got %q, error %v, want %q, error %q", tc.Name(), got, err, want, tc.err)
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	const want = "/bin/server has the version v1.1.0, and gatehouse has v1.0.0: install the same version of both"
	if err := checkVersions("/bin/server", "v1.1.0", "v1.0.0"); testtable.Text(err) != want {
		t.Errorf("got %v, want %q", err, want)
	}
	if err := checkVersions("/bin/server", "v1.0.0", "v1.0.0"); err != nil {
		t.Error(err)
	}
}

// TestArguments: the server is given the flags as they were set.
func TestArguments(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		args, want []string
	}
	testtable.Run(t, []test{
		{row{"none", "the server has the same defaults"}, nil, nil},
		{row{"list", "commas and spaces are of the values"}, []string{"-f", "a,b", "-f", " ", "-f", ""}, []string{"--filename=a,b", "--filename= ", "--filename="}},
		{row{"values", "each has one form"}, []string{"--log-level", "3", "--port", "1", "--trace"}, []string{"--log-level=3", "--port=1", "--trace=denied"}},
		{row{"defaults", "what was set is set"}, []string{"--quiet=false", "--listen=127.0.0.1"}, []string{"--quiet=false", "--listen=127.0.0.1"}},
		{row{"last", "the last of them counts"}, []string{"--data-dir", "a", "--data-dir", "b"}, []string{"--data-dir=b"}},
	}, func(t *testing.T, tc test) {
		var got []string
		cmd := options.Command(func(cmd *cobra.Command, _ *options.Options) error {
			got = arguments(cmd.Flags())
			return nil
		})
		cmd.SetArgs(tc.args)
		cmd.SetOut(io.Discard)
		if err := cmd.Execute(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}
