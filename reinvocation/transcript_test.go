package reinvocation_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/reinvocation"
)

// TestTranscripts plays the files in testdata: commands, a line "----", and
// what each of the commands says. Paragraphs end with an empty line, lines that
// begin with # are for the reader.
//
//	begin round=0 object=a
//	called uid=x changed=true reinvocable=true
//	due uid=x
//	edit object=a             an in-tree plugin changes the object in place
//	end object=a              object=none for a DELETE
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in testdata (%v)", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := runTranscript(t, string(content))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(content), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// runTranscript returns a transcript with the output as it is now.
func runTranscript(t *testing.T, text string) string {
	t.Helper()
	p := &transcript{objects: map[string]*partial{}}
	var paragraphs []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		commands, _, _ := strings.Cut(paragraph, "\n----\n")
		out := []string{commands}
		if !strings.HasPrefix(commands, "#") {
			out = append(out, "----")
		}
		for line := range strings.Lines(commands) {
			if !strings.HasPrefix(line, "#") {
				out = append(out, p.do(t, strings.Fields(line)))
			}
		}
		paragraphs = append(paragraphs, strings.Join(out, "\n"))
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}

// transcript is the state of a transcript between two commands.
type transcript struct {
	state   reinvocation.State
	objects map[string]*partial
	uids    []string
}

// do executes one command and returns its output.
func (p *transcript) do(t *testing.T, words []string) string {
	t.Helper()
	args := map[string]string{}
	for _, word := range words[1:] {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			t.Fatalf("%q: want key=value, got %q", words, word)
		}
		args[key] = value
	}
	switch words[0] {
	case "begin":
		p.begin(args["round"] == "1", args["object"])
		return p.due()
	case "called":
		return p.called(args)
	case "due":
		return fmt.Sprint(p.state.Due(args["uid"]))
	case "edit":
		p.object(args["object"]).Generation++
		return "edited"
	case "end":
		p.end(args["object"])
		return p.due()
	default:
		t.Fatalf("unknown command %q", words)
		return ""
	}
}

func (p *transcript) begin(reinvoke bool, name string) {
	if name == "none" {
		p.state.Begin(reinvoke, nil)
		return
	}
	p.state.Begin(reinvoke, p.object(name))
}

func (p *transcript) end(name string) {
	if name == "none" {
		p.state.End(nil)
		return
	}
	p.state.End(p.object(name))
}

func (p *transcript) called(args map[string]string) string {
	if uid := args["uid"]; !slices.Contains(p.uids, uid) {
		p.uids = append(p.uids, uid)
	}
	again := p.state.Called(args["uid"], args["changed"] == "true", args["reinvocable"] == "true")
	return fmt.Sprintf("again: %v, %s", again, p.due())
}

// object returns the object of a name; it is the same one every time.
func (p *transcript) object(name string) *partial {
	if p.objects[name] == nil {
		p.objects[name] = object(name)
	}
	return p.objects[name]
}

// due lists the webhooks of the transcript that are due.
func (p *transcript) due() string {
	var due []string
	for _, uid := range p.uids {
		if p.state.Due(uid) {
			due = append(due, uid)
		}
	}
	if len(due) == 0 {
		return "none is due"
	}
	return "due: " + strings.Join(due, " ")
}
