//go:build !unix

package process

import (
	"errors"
	"syscall"
)

// attributes returns nil: there are no process groups.
func attributes() *syscall.SysProcAttr { return nil }

// terminate kills the leader: there is no portable request to end.
func (g group) terminate() { g.kill() }

// kill kills the leader.
func (g group) kill() { _ = g.leader.Kill() }

// ended returns false: the state of the leader is unknown.
func (g group) ended() bool { return false }

// runs returns false: only the leader is known, and it has ended.
func (g group) runs() bool { return false }

// memory returns an error: it is not known.
func (g group) memory() (int64, error) { return 0, errors.ErrUnsupported }
