package diff

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/whatif"
)

// manyCauses returns a document of n causes, whose examples have values of a length.
func manyCauses(n, length int) *Document {
	d := &Document{Requests: 100 * n, Differences: Counts{Requests: 100 * n, Verdict: 100 * n}}
	long := strings.Repeat("ä", length)
	for i := range n {
		change := Change{
			Text: fmt.Sprintf("webhook w%d.example.com of configuration shop: timeoutSeconds: 5 instead of 10", i),
			Kind: "ValidatingWebhookConfiguration", Name: "shop",
			Before: &Position{"before.yaml", 1, i + 1}, After: &Position{"after.yaml", 1, i + 1},
		}
		c := Cause{Changes: []Change{change}, Differences: Counts{Requests: 100, Verdict: 100}}
		for j := range 10 {
			c.IDs = append(c.IDs, fmt.Sprintf("c%d-%d", i, j))
			c.Effects = append(c.Effects, whatif.Effect{Text: fmt.Sprintf("shop/w%d.example.com: %d", j, i), Requests: 100})
			c.Example.Items = append(c.Example.Items, whatif.Item{
				Field: whatif.Call, Subject: fmt.Sprintf("shop/w%d.example.com", j), Before: long, After: long + "!",
			})
		}
		c.Example.ID, c.Example.Request = c.IDs[0], "CREATE pods/web in shop by ann"
		d.Causes = append(d.Causes, c)
		d.WithoutEffect = append(d.WithoutEffect, change)
	}
	return d
}

// TestPageFits: the page does not grow with the causes without end, and its data says
// what is not on it.
func TestPageFits(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name           string
		causes, length int
		// shown is the least number of causes on the page, and examples that of their
		// examples.
		shown, examples, bytes int
	}{
		{"usual", 500, 60, 500, 500, 2_500_000},
		{"long", 500, 10_000, 500, 50, 4_500_000},
		{"many", 20_000, 60, 1000, 500, maxPage + 1_000_000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := newPage(manyCauses(tc.causes, tc.length), nil, [2]string{})
			text, err := html(p)
			if err != nil {
				t.Fatal(err)
			}
			examples := 0
			for i := range p.Causes {
				if len(p.Causes[i].Items) > 0 {
					examples++
				}
			}
			t.Logf("%d bytes, %d causes, %d examples", len(text), len(p.Causes), examples)
			if len(text) > tc.bytes || len(p.Causes) < tc.shown || examples < tc.examples {
				t.Errorf("want at most %d bytes, and at least %d causes and %d examples",
					tc.bytes, tc.shown, tc.examples)
			}
			if p.CauseCount != tc.causes || p.WithoutEffectCount != tc.causes {
				t.Errorf("the page says that there are %d causes, and %d changes without effect",
					p.CauseCount, p.WithoutEffectCount)
			}
		})
	}
}

// TestPageData: the page has all parts of the document, and nothing in it is longer than
// a text may be.
func TestPageData(t *testing.T) {
	t.Parallel()
	d := manyCauses(2, maxText)
	d.Causes[0].Also = d.WithoutEffect
	d.Causes[1].Changes = append(d.Causes[1].Changes, Change{Text: "another", Before: &Position{"gone.yaml", 2, 3}})
	d.SetAside = []whatif.Unstable{{What: "shop/x", Requests: 3, ID: "r7"}}
	d.Unknown = 4
	p := newPage(d, []string{"a.jsonl:1: no", "a.jsonl:2: no"}, [2]string{"a", "b"})
	first, second := &p.Causes[0], &p.Causes[1]
	for _, tc := range []struct {
		what string
		ok   bool
	}{
		{"title", strings.HasPrefix(first.Title, "webhook w0.example.com") && second.Title == "these 2 changes together:"},
		{"positions", first.Changes[0].Before == "before.yaml: document 1 (line 1)" &&
			first.Changes[0].After == "after.yaml: document 1 (line 1)" && second.Changes[1].After == ""},
		{"also", len(first.Also) == 2},
		{"level", first.Level == whatif.LevelVerdict},
		{"other IDs", len(first.IDs) == 9 && first.ID == "c0-0"},
		{"cut", utf8.RuneCountInString(first.Items[0].After) == maxText},
		{"set aside", len(p.SetAside) == 1},
		{"unread", len(p.Unread) == 2 && p.Unread[1] == "a.jsonl:2: no"},
		{"limits", len(p.Limits) == 1 && strings.HasPrefix(p.Limits[0], "The verdict of 4 requests")},
	} {
		if !tc.ok {
			t.Errorf("%s: %+v", tc.what, p)
		}
	}
}

// TestExplaining: the command has the flags that were given and that matter for one
// request, as a shell takes them.
func TestExplaining(t *testing.T) {
	t.Parallel()
	cmd := New()
	if err := cmd.ParseFlags([]string{
		"--before", "a b", "--before", "c", "--after", "$(d)", "-o", "html", "--fail-on", "verdict",
		"--resolve", "h:443:127.0.0.1", "--exact", "--answers", "called",
	}); err != nil {
		t.Fatal(err)
	}
	o := &options{corpus: []string{"corpus", "it's"}}
	got := o.explaining(cmd)
	want := [2]string{
		"gatehouse diff --before 'a b' --before c --after '$(d)' --answers called --exact=true --resolve 'h:443:127.0.0.1'",
		"corpus " + message.Quoted("it's"),
	}
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
