package parity

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCatalogue checks that every S-fact of docs/semantics.md is named by a test
// of the module.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	covered, total, problems, err := catalogueCoverage("../../..")
	if err != nil {
		t.Fatal(err)
	}
	const fewest = 200 // the page has more; none would mean that they are not recognized
	if total < fewest {
		t.Errorf("the catalogue has only %d facts", total)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
	compared.say("catalogue: covered %d of %d", covered, total)
}

const cataloguePage = "docs/semantics.md"

var (
	// factNumber finds the numbers of facts in whatever text.
	factNumber = regexp.MustCompile(`\bS-\d{3}[a-z]?\b`)
	// factEntry is the beginning of an entry of the page.
	factEntry = regexp.MustCompile(`^- \*\*(S-\d{3}[a-z]?)\*\* \S`)
	// registrationEntry is the beginning of an entry about registration, which
	// need not be named by a test.
	registrationEntry = regexp.MustCompile(`^- \*\*R-\d{3}\*\* \S`)
	// factMark is what an entry may end with; what follows it is the reason.
	factMark = regexp.MustCompile(` — ([^:—]+):(.*)$`)
)

// fact is an entry of the page.
type fact struct {
	number string
	// excused is true if no test can name the fact.
	excused bool
}

// catalogueCoverage compares the page with the files of the module in dir. It
// returns how many facts are named by tests, out of how many there are, and
// what is wrong with either side.
func catalogueCoverage(dir string) (covered, total int, problems []string, err error) {
	page, err := os.ReadFile(filepath.Join(dir, cataloguePage))
	if err != nil {
		return 0, 0, nil, err
	}
	facts, problems := readCatalogue(string(page))
	named, err := namedFacts(dir)
	if err != nil {
		return 0, 0, nil, err
	}
	known := map[string]bool{}
	for _, f := range facts {
		known[f.number] = true
		tests := named.byTests[f.number]
		switch {
		case len(tests) > 0 && f.excused:
			problems = append(problems, fmt.Sprintf("%s is not applicable, but %s names it", f.number, tests[0]))
		case len(tests) > 0:
			covered++
		case !f.excused:
			problems = append(problems, f.number+" is named by no test")
		}
	}
	for _, number := range slices.Sorted(maps.Keys(named.anywhere)) {
		if !known[number] {
			problems = append(problems, fmt.Sprintf("%s, which %s names, is not in %s", number, named.anywhere[number][0], cataloguePage))
		}
	}
	return covered, len(facts), problems, nil
}

// readCatalogue returns the S-entries of the page, and those that are malformed
// or not where they should be.
func readCatalogue(page string) (facts []fact, problems []string) {
	for _, entry := range entriesOf(page) {
		if registrationEntry.MatchString(entry) {
			continue
		}
		match := factEntry.FindStringSubmatch(entry)
		if match == nil {
			problems = append(problems, fmt.Sprintf("%s: not an entry: %.40q", cataloguePage, entry))
			continue
		}
		f := fact{number: match[1]}
		if n := len(facts); n > 0 && facts[n-1].number >= f.number {
			problems = append(problems, fmt.Sprintf("%s follows %s: each number is there once, in order", f.number, facts[n-1].number))
		}
		if mark := factMark.FindStringSubmatch(entry); mark != nil {
			f.excused = mark[1] == "not applicable"
			if !f.excused && mark[1] != "differs" || strings.TrimSpace(mark[2]) == "" {
				problems = append(problems, fmt.Sprintf("%s: the mark %q is unknown or has no reason", f.number, mark[1]))
			}
		}
		facts = append(facts, f)
	}
	return facts, problems
}

// entriesOf returns the entries below the first second-level heading, each on
// one line.
func entriesOf(page string) (entries []string) {
	_, page, _ = strings.Cut(page, "\n## ")
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		if more, ok := strings.CutPrefix(line, "  "); ok && len(entries) > 0 {
			entries[len(entries)-1] += " " + more
		} else if strings.HasPrefix(line, "- ") {
			entries = append(entries, line)
		}
	}
	return entries
}

// naming is which files name a number.
type naming struct{ byTests, anywhere map[string][]string }

// namedFacts reads all files of the module that may name numbers, but for those
// of this test.
func namedFacts(dir string) (naming, error) {
	n := naming{map[string][]string{}, map[string][]string{}}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		return n.read(path, filepath.ToSlash(name))
	})
	return n, err
}

func (n naming) read(path, name string) error {
	test, may := namesFacts(name)
	if !may {
		return nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, number := range factNumber.FindAllString(string(content), -1) {
		n.anywhere[number] = append(n.anywhere[number], name)
		if test {
			n.byTests[number] = append(n.byTests[number], name)
		}
	}
	return nil
}

// namesFacts reports whether a file may name numbers, and whether it does so as
// a test: as a Go test, or as data that one reads.
func namesFacts(name string) (test, may bool) {
	if strings.HasPrefix(name, "test/internal/parity/catalogue") {
		return false, false
	}
	switch extension := filepath.Ext(name); extension {
	case ".go":
		return strings.HasSuffix(name, "_test.go"), true
	case ".yaml", ".txt", ".txtar":
		return strings.Contains("/"+name, "/testdata/"), true
	default:
		return false, extension == ".md"
	}
}
