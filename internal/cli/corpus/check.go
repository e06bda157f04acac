package corpus

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"k8s.io/apimachinery/pkg/util/sets"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/kinds"
)

// sort is what requests are counted by.
type sort struct {
	source              corpus.Source
	operation, resource string
}

// counts are what a corpus has.
type counts struct {
	sorts                                            map[sort]int
	all, redacted, answered, decided, denied, broken int
	ids                                              sets.Set[string]
	objects                                          apiadmission.ObjectInterfaces
}

// checkCorpus counts the entries of files and folders, and names what is broken.
func checkCorpus(paths []string, stdout, stderr io.Writer) error {
	c := counts{sorts: map[sort]int{}, ids: sets.New[string](),
		objects: kinds.New().ObjectInterfaces()}
	for e, err := range corpus.ReadPositions(paths...) {
		var line *corpus.LineError
		switch {
		case errors.As(err, &line):
		case err != nil:
			return message.ReadError(err)
		default:
			if err = c.add(e.Entry); err != nil {
				err = fmt.Errorf("%s: %w", e.Position, err)
			}
		}
		if err != nil {
			c.broken++
			message.Notice(stderr, "%v", err)
		}
	}
	if c.all+c.broken == 0 {
		return message.NoRequests(paths)
	}
	if err := command.Write(stdout, c.text()); err != nil {
		return err
	}
	if c.broken > 0 {
		return message.ErrDenied
	}
	return nil
}

// add counts an entry. The error says what is wrong with it.
func (c *counts) add(e *corpus.Entry) error {
	r, err := request.FromReview(e.Review, c.objects)
	if err != nil {
		return fmt.Errorf("review: %w", err)
	}
	if c.ids.Has(e.ID) {
		return fmt.Errorf("id: %q: an earlier entry has this ID", e.ID)
	}
	c.ids.Insert(e.ID)
	resource := r.Resource.GroupResource().String()
	if r.Subresource != "" {
		resource += "/" + r.Subresource
	}
	c.all++
	c.sorts[sort{e.Source, string(r.Operation), resource}]++
	for count, is := range map[*int]bool{
		&c.redacted: len(e.Redacted) > 0, &c.answered: len(e.Answers) > 0,
		&c.decided: e.Verdict != nil, &c.denied: e.Verdict != nil && !e.Verdict.Allowed,
	} {
		if is {
			*count++
		}
	}
	return nil
}

func (c *counts) text() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %d with answers of webhooks, %d with a verdict (%d denied), %d redacted\n",
		message.Count(c.all, "request"), c.answered, c.decided, c.denied, c.redacted)
	if c.all == 0 {
		return out.Bytes()
	}
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\nSOURCE\tOPERATION\tRESOURCE\tREQUESTS")
	for _, s := range slices.SortedFunc(maps.Keys(c.sorts), compare) {
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\n", message.Escaped(string(s.source)),
			message.Escaped(s.operation), message.Escaped(s.resource), c.sorts[s])
	}
	_ = table.Flush() // a Buffer does not fail
	return out.Bytes()
}

func compare(a, b sort) int {
	return cmp.Or(cmp.Compare(a.source, b.source), cmp.Compare(a.operation, b.operation),
		cmp.Compare(a.resource, b.resource))
}
