package faultserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Parse reads a script from JSON and checks it as Validate does. The error has
// the line and column of invalid JSON, or the invalid step.
func Parse(data []byte) (Script, error) {
	s, err := read(data)
	if err != nil {
		return Script{}, fmt.Errorf("reading a fault script: %w", err)
	}
	if err := s.Validate(); err != nil {
		return Script{}, err
	}
	return s, nil
}

func read(data []byte) (Script, error) {
	data = bytes.TrimRight(data, " \t\r\n")
	if len(data) == 0 {
		return Script{}, errors.New("it is empty")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			err = at(data, int(syntax.Offset)-1, err)
		}
		return Script{}, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return Script{}, errors.New("want an object of JSON, such as {}")
	}
	s, err := decode(data)
	if err != nil {
		return Script{}, at(data, failure(data), err)
	}
	return s, nil
}

func decode(data []byte) (s Script, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&s)
	return s, err
}

// Validate returns all errors of a script. Listen and InMemory call it.
func (s Script) Validate() error {
	if err := s.validate(); err != nil {
		return fmt.Errorf("checking a fault script: %w", err)
	}
	return nil
}

// NeedsSockets returns the name of a step that needs real sockets, or "" if the
// script also works in memory.
func (s Script) NeedsSockets() string {
	if s.Other != nil {
		if name := s.Other.NeedsSockets(); name != "" {
			return name
		}
	}
	name := ""
	s.eachStep(func(_ position, step Step) {
		switch {
		case step.Reset:
			name = "reset"
		case step.HalfClose:
			name = "halfClose"
		}
	})
	return name
}

// stage is a part of a script's life.
type stage uint8

const (
	before  stage = 1 + iota // on the bare connection
	after                    // after the handshake
	request                  // a request has arrived
)

// position is the position of a step in its script.
type position struct {
	stage stage
	path  string
}

// eachStep calls visit for all steps of one origin.
func (s Script) eachStep(visit func(position, Step)) {
	walk := func(at stage, path string, steps []Step) {
		for i, step := range steps {
			visit(position{at, fmt.Sprintf("%s[%d]", path, i)}, step)
		}
	}
	for i, c := range s.Connections {
		walk(before, fmt.Sprintf("connections[%d].before", i), c.Before)
		walk(after, fmt.Sprintf("connections[%d].after", i), c.After)
	}
	for i, steps := range s.Requests {
		walk(request, fmt.Sprintf("requests[%d]", i), steps)
	}
}
