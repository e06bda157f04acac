//go:build !unix

package cputime

import (
	"errors"
	"time"
)

// Used returns an error: it is not known.
func Used() (time.Duration, error) { return 0, errors.ErrUnsupported }
