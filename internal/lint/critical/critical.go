package critical

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/manifest"
	"example.com/gatehouse/internal/offline/requests"
)

//go:embed requests.yaml
var source []byte

// serverDeadline is the longest time that kube-apiserver gives a request that is
// not a watch: 34 s.
const serverDeadline = 34 * time.Second

// Request is a request that a cluster lives on.
type Request struct {
	*admission.Request
	// ID is unique, such as "node-lease-renew".
	ID string
	// Does says what the sender wants, and Breaks what happens in the cluster if
	// the request fails. Both are sentences.
	Does, Breaks string
	// Deadline is when the sender gives up.
	Deadline time.Duration
	// Manifest is the AdmissionRequest in JSON.
	Manifest json.RawMessage
}

// file is the content of requests.yaml.
type file struct {
	Senders  map[string]json.RawMessage
	Requests []struct {
		ID, Does, As, Breaks string
		Within               metav1.Duration
		Request              map[string]json.RawMessage
	}
}

// All makes the requests.
func All(maker *requests.Maker) ([]*Request, error) {
	var f file
	if err := yaml.UnmarshalStrict(source, &f); err != nil {
		return nil, fmt.Errorf("reading the critical requests: %w", err)
	}
	all := make([]*Request, len(f.Requests))
	for i, r := range f.Requests {
		text, err := manifestOf(r.Request, f.Senders[r.As])
		if err != nil {
			return nil, fmt.Errorf("critical request %s: %w", r.ID, err)
		}
		made, err := Make(maker, r.ID, text)
		if err != nil {
			return nil, fmt.Errorf("critical request %s: %w", r.ID, err)
		}
		all[i] = &Request{made, r.ID, r.Does, r.Breaks, serverDeadline, text}
		if r.Within.Duration > 0 {
			all[i].Deadline = r.Within.Duration
		}
	}
	return all, nil
}

// manifestOf returns the AdmissionRequest of a sender. An UPDATE without a stored
// object updates an equal one.
func manifestOf(request map[string]json.RawMessage, sender json.RawMessage) (json.RawMessage, error) {
	if sender == nil {
		return nil, fmt.Errorf("the sender is not one of the file")
	}
	request["apiVersion"], request["kind"] = []byte(`"gatehouse/v1alpha1"`), []byte(`"AdmissionRequest"`)
	request["userInfo"] = sender
	if string(request["operation"]) == `"UPDATE"` && request["oldObject"] == nil {
		request["oldObject"] = request["object"]
	}
	return json.Marshal(request)
}

// Make makes a request of an AdmissionRequest in JSON. name is the name of the file
// in errors.
func Make(maker *requests.Maker, name string, text []byte) (*admission.Request, error) {
	for d, err := range manifest.Documents(name, bytes.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		made, err := maker.One(requests.Source{Document: d})
		if err != nil {
			return nil, err
		}
		return made.Request, nil
	}
	return nil, fmt.Errorf("%s: is empty", name)
}
