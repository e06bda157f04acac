package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

var consoles = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// page runs the console examples of a page of docs, the first in the folder 1, the
// second in the folder 2, and so on. What the page shows has to be all that a command
// prints on standard output, or the beginning of it before a line with …. A command
// without output on the page may print anything.
func page(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: page NAME.md")
	}
	text, err := os.ReadFile(filepath.Join("../../docs", args[0]))
	ts.Check(err)
	blocks := consoles.FindAllSubmatch(text, -1)
	if len(blocks) == 0 {
		ts.Fatalf("%s has no examples", args[0])
	}
	for i, block := range blocks {
		for example := range strings.SplitSeq(strings.TrimPrefix(string(block[1]), "$ "), "\n$ ") {
			command, shown, _ := strings.Cut(example, "\n")
			// The examples have commands that deny, which the status says.
			_ = ts.Exec("sh", "-c", "cd "+ts.MkAbs(strconv.Itoa(i+1))+" && "+command)
			printed := ts.ReadFile("stdout")
			beginning, cut := strings.CutSuffix(shown, "…\n")
			if said := ts.ReadFile("stderr"); strings.HasPrefix(said, "gatehouse: ") && printed == "" {
				ts.Fatalf("%s: %s", command, said)
			}
			if shown != "" && (cut && !strings.HasPrefix(printed, beginning) || !cut && printed != shown) {
				ts.Fatalf("%s: %s shows\n%s\nand it prints\n%s", command, args[0], shown, printed)
			}
		}
	}
}
