package critical

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requests"
	"example.com/gatehouse/internal/offline/resolve"
)

//go:embed requests.yaml
var source []byte

// serverDeadline is the longest time that kube-apiserver gives a request that is
// not a watch: 34 s.
const serverDeadline = 34 * time.Second

// Request is a request that a cluster depends on.
type Request struct {
	*admission.Request
	Entry
	// Deadline is when the sender gives up.
	Deadline time.Duration
	// Manifest is the AdmissionRequest in JSON.
	Manifest json.RawMessage
}

// Entry describes a request.
type Entry struct {
	// ID is unique, such as "node-lease-renew".
	ID string
	// Group is a heading for this request and the next ones; empty if the heading is that
	// of the request before. In what All returns, each request has its own.
	Group string
	// Does says what the sender wants, and Breaks what happens in the cluster if
	// the request fails. Both are sentences.
	Does, Breaks string
	// As is the sender, one of those in requests.yaml.
	As string
	// Within is the deadline of the sender; 0 for that of the server, 34 s.
	Within metav1.Duration
	// Body has the fields of the AdmissionRequest but its user. An UPDATE without
	// an oldObject updates an equal object.
	Body map[string]any `json:"request"`
}

// catalogue is the content of requests.yaml.
type catalogue struct {
	Senders  map[string]any
	Requests []Entry
}

var read = sync.OnceValues(func() (catalogue, error) {
	var c catalogue
	if err := yaml.UnmarshalStrict(source, &c); err != nil {
		return c, fmt.Errorf("reading the critical requests: %w", err)
	}
	return c, nil
})

// All returns the requests of requests.yaml. Callers share them and must not change them.
func All() ([]*Request, error) { return makeAll() }

// makeAll makes the requests once. They are of built-in kinds, so that they do not depend on
// what a cluster has.
var makeAll = sync.OnceValues(func() ([]*Request, error) {
	c, err := read()
	if err != nil {
		return nil, err
	}
	known := cluster.NewKinds(&resolve.Dialer{}, nil, true)
	merger, err := merge.New(known.ObjectInterfaces())
	if err != nil {
		return nil, err
	}
	maker := requests.New(known, merger, requests.Settings{Namespace: metav1.NamespaceDefault})
	all := make([]*Request, len(c.Requests))
	group := ""
	for i, e := range c.Requests {
		group = cmp.Or(e.Group, group)
		e.Group = group
		if all[i], err = Make(maker, e); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// Make makes the request of an entry.
func Make(maker *requests.Maker, e Entry) (*Request, error) {
	text, err := e.manifest()
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", e.ID, err)
	}
	for d, err := range manifest.Documents(e.ID, bytes.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		made, err := maker.One(requests.Source{Document: d})
		if err != nil {
			return nil, err
		}
		r := &Request{made.Request, e, serverDeadline, text}
		if e.Within.Duration > 0 {
			r.Deadline = e.Within.Duration
		}
		return r, nil
	}
	return nil, fmt.Errorf("request %s: there is none", e.ID)
}

// manifest returns the AdmissionRequest.
func (e *Entry) manifest() (json.RawMessage, error) {
	c, err := read()
	if err != nil {
		return nil, err
	}
	sender := c.Senders[e.As]
	if sender == nil {
		return nil, errors.New("the sender is not one of the catalogue")
	}
	fields := map[string]any{
		"apiVersion": "gatehouse/v1alpha1", "kind": "AdmissionRequest", "userInfo": sender,
	}
	for name, value := range e.Body {
		fields[name] = value
	}
	if fields["operation"] == "UPDATE" && fields["oldObject"] == nil {
		fields["oldObject"] = fields["object"]
	}
	return json.Marshal(fields)
}
