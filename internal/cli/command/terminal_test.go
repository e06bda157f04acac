package command

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestIsTerminal(t *testing.T) {
	// A device is as much like a terminal as can be seen.
	device, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = device.Close(), file.Close() }()
	type test struct {
		row
		out  io.Writer
		term string
		want bool
	}
	for _, tc := range testtable.Checked(t, []test{
		{row{"device", "a device is a terminal"}, device, "xterm", true},
		{row{"dumb", "it shows what ought to move the cursor"}, device, "dumb", false},
		{row{"file", "it is read later, by anything"}, file, "xterm", false},
		{row{"no file", "a buffer is no terminal"}, &bytes.Buffer{}, "xterm", false},
	}) {
		t.Setenv("TERM", tc.term)
		if got := IsTerminal(tc.out); got != tc.want {
			t.Errorf("%s: got %t, want %t: %s", tc.Name(), got, tc.want, tc.Why())
		}
	}
}
