package session

import (
	"fmt"

	"example.com/gatehouse/internal/offline/cluster"
	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/merge"
	"example.com/gatehouse/internal/offline/requests"
)

// Inputs returns what was read of the files, read-only.
func (s *Session) Inputs() *cluster.Set { return s.cluster }

// Kinds returns the built-in kinds and those of the inputs.
func (s *Session) Kinds() *kinds.Registry { return s.kinds }

// Maker returns a maker of requests that are not among the inputs, with the
// namespace and the user of the options.
func (s *Session) Maker() (*requests.Maker, error) {
	merger, err := merge.New(s.objects, s.cluster.Definitions...)
	if err != nil {
		return nil, fmt.Errorf("preparing to merge objects: %w", err)
	}
	return requests.New(s.kinds, merger, s.settings), nil
}
