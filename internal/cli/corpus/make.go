package corpus

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/sets"
	apiadmission "k8s.io/apiserver/pkg/admission"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/corpus"
	"example.com/gatehouse/internal/message"
	"example.com/gatehouse/internal/offline/session"
	"example.com/gatehouse/internal/suite"
)

// maker makes a corpus.
type maker struct {
	*invocation
	writer *corpus.Writer
	// namespaces are the labels of the namespaces among the inputs.
	namespaces map[string]map[string]string
	objects    apiadmission.ObjectInterfaces
	// seen are the uids of the reviews: a log may have the same twice.
	seen sets.Set[string]
	// added counts entries, others the lines of logs without a review, and broken
	// those whose review cannot be read.
	added, others, broken int
}

// makeCorpus makes a corpus of the arguments.
func (i *invocation) makeCorpus(cmd *cobra.Command) (err error) {
	paths := i.Objects
	m := &maker{invocation: i, seen: sets.New[string](), namespaces: map[string]map[string]string{}}
	entries, err := m.entries()
	if err != nil {
		return err
	}
	if m.writer, err = corpus.Create(i.to); err != nil {
		return &message.InputError{Err: fmt.Errorf("--to: %w", err)}
	}
	defer func() { err = errors.Join(err, m.writer.Close()) }()
	if err := entries(); err != nil {
		return err
	}
	if m.added+m.broken == 0 {
		return message.NoRequests(paths)
	}
	text := message.Count(m.added, "request") + " added to " + i.to
	if m.others > 0 {
		text += ", " + message.Count(m.others, "line") + " without a request skipped"
	}
	message.Notice(i.Stderr, "%s", text)
	if m.broken > 0 {
		return message.ErrDenied
	}
	return nil
}

// entries reads what --from says. The function that it returns adds the entries.
func (m *maker) entries() (add func() error, err error) {
	if m.from == fromSuites {
		suites, err := suite.Load(m.Objects, m.Stdin)
		if err != nil {
			return nil, &message.InputError{Err: err}
		}
		return func() error { return m.addSuites(suites) }, nil
	}
	paths := m.Objects
	m.Optional = true // no webhook is needed
	if m.from == fromLog {
		m.Objects = nil
	}
	cluster, err := session.Read(m.Options)
	if err != nil {
		return nil, err
	}
	for _, namespace := range cluster.Namespaces {
		m.namespaces[namespace.Name] = namespace.Labels
	}
	m.objects = cluster.Kinds.ObjectInterfaces()
	if m.from == fromLog {
		return func() error { return m.addLogs(paths) }, nil
	}
	return func() error { return m.addRequests(cluster.Requests) }, nil
}

func (m *maker) addSuites(suites []*suite.Suite) error {
	for _, s := range suites {
		for _, c := range s.Cases {
			id := s.Name + "/" + c.Name
			err := m.add(s.Recorded(c),
				corpus.Options{ID: id, Source: corpus.FromSuite, Origin: c.At("").String()})
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
		}
	}
	return nil
}

func (m *maker) addRequests(requests []*admission.Request) error {
	for _, r := range requests {
		response := &admission.Response{Request: r, NamespaceLabels: m.namespaces[r.Namespace]}
		if err := m.add(response, corpus.Options{Source: corpus.FromRequest}); err != nil {
			return fmt.Errorf("%s %s: %w", r.Operation, r.Name, err)
		}
	}
	return nil
}

func (m *maker) add(r *admission.Response, o corpus.Options) error {
	e, err := m.entry(r, o)
	if err != nil {
		return err
	}
	return m.write(e)
}

func (m *maker) entry(r *admission.Response, o corpus.Options) (*corpus.Entry, error) {
	o.Redact = m.recording.Redact
	return corpus.FromResponse(r, o)
}

func (m *maker) write(e *corpus.Entry) error {
	if err := m.writer.Write(e); err != nil {
		return err
	}
	m.added++
	return nil
}

// addLogs adds the reviews in logs.
func (m *maker) addLogs(paths []string) error {
	for _, path := range paths {
		if path == "-" {
			if err := m.addLog("standard input", m.Stdin); err != nil {
				return err
			}
			continue
		}
		file, err := os.Open(path)
		if err != nil {
			return message.ReadError(err)
		}
		err = m.addLog(path, file)
		_ = file.Close() // nothing was written
		if err != nil {
			return err
		}
	}
	return nil
}

// addLog adds the reviews in a log. It names those that it cannot read.
func (m *maker) addLog(name string, r io.Reader) error {
	number := 0
	for line, err := range lines(r) {
		number++
		at := fmt.Sprintf("%s:%d", name, number)
		if err != nil {
			return &message.InputError{Err: fmt.Errorf("%s: cannot be read: %w", at, err)}
		}
		review := reviewIn(line)
		if review == nil {
			m.others++
			continue
		}
		e, err := m.reviewed(at, review)
		if err != nil {
			m.broken++
			message.Notice(m.Stderr, "%s: %v", at, err)
		}
		if e == nil {
			continue
		}
		if err := m.write(e); err != nil {
			return err
		}
	}
	return nil
}
