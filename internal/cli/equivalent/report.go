package equivalent

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/internal/cli/command"
	"example.com/gatehouse/internal/equivalence"
)

// Report is the document that `gatehouse equivalent -o json` prints.
type Report struct {
	// TypeMeta is apiVersion gatehouse/v1alpha1 and kind EquivalenceReport.
	metav1.TypeMeta `json:",inline"`
	// Equal says that no difference was found, and that both sides are deterministic.
	Equal bool `json:"equal"`
	// Given and Drawn are how many requests were compared. Invalid is how many an API
	// server would refuse, and Repeated how many were drawn before.
	Given    int `json:"given"`
	Drawn    int `json:"drawn"`
	Invalid  int `json:"invalid"`
	Repeated int `json:"repeated"`
	// Endpoints and Branches say what was reached; Allowed and Denied are what the
	// first side did with drawn requests. See equivalence.Verdict.
	Endpoints int `json:"endpoints"`
	Branches  int `json:"branches"`
	Allowed   int `json:"allowed"`
	Denied    int `json:"denied"`
	// Seed and Compared are the values of flags.
	Seed     uint64   `json:"seed"`
	Compared []string `json:"compared"`
	// Unknown are the resources that rules name, and whose CustomResourceDefinitions are
	// not among the inputs.
	Unknown []string `json:"unknown,omitempty"`
	// Interrupted and Late say what ended the search early.
	Interrupted bool `json:"interrupted,omitempty"`
	Late        bool `json:"late,omitempty"`
	// Different is the request with different answers.
	Different *Counterexample `json:"different,omitempty"`
	// Unstable is the first request that a side answers differently when it is asked
	// again, and SetAside how many there were.
	Unstable *Counterexample `json:"unstable,omitempty"`
	SetAside int             `json:"setAside,omitempty"`
}

// Counterexample is a request with two different answers.
type Counterexample struct {
	// Aspect is the first one in which they differ.
	Aspect string `json:"aspect"`
	// Given names the object of a request that is one of the inputs.
	Given string `json:"given,omitempty"`
	// Answers are those of the two sides, or two of one side.
	Answers []Answer `json:"answers"`
	// Fields is how many fields the request has besides the required ones, and Found
	// how many it had before it was shrunk.
	Fields int `json:"fields"`
	Found  int `json:"found"`
	// Manifest is the request in YAML. It is empty for a given request that has a
	// Secret.
	Manifest string `json:"manifest,omitempty"`
}

// Answer is what a side says.
type Answer struct {
	Side    string   `json:"side"`
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"`
}

func newReport(v *equivalence.Verdict, f *Flags) (*Report, error) {
	r := &Report{
		TypeMeta: metav1.TypeMeta{APIVersion: command.APIVersion, Kind: "EquivalenceReport"},
		Equal:    v.Different == nil && v.Unstable == nil,
		Given:    v.Given, Drawn: v.Drawn, Invalid: v.Invalid, Repeated: v.Repeated,
		Endpoints: v.Endpoints, Branches: v.Branches, Allowed: v.Allowed, Denied: v.Denied,
		Seed: f.seed, Compared: append([]string{}, f.aspects...), Unknown: v.Unknown,
		Interrupted: v.Interrupted, Late: v.Late, SetAside: v.SetAside,
	}
	var err error
	if r.Different, err = newCounterexample(v.Different); err != nil {
		return nil, err
	}
	r.Unstable, err = newCounterexample(v.Unstable)
	return r, err
}

func newCounterexample(e *equivalence.Counterexample) (*Counterexample, error) {
	if e == nil {
		return nil, nil
	}
	c := &Counterexample{
		Aspect: string(e.Aspect), Given: e.Given, Fields: e.Extra(), Found: e.Found,
	}
	for i, a := range []*equivalence.Answer{e.Before, e.After} {
		c.Answers = append(c.Answers, Answer{e.Names[i], a.Verdict(), append([]string{}, a.Reasons()...)})
	}
	manifest, err := e.Manifest()
	if err != nil && !errors.Is(err, equivalence.ErrWithheld) {
		return nil, err
	}
	c.Manifest = string(manifest)
	return c, nil
}
