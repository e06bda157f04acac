//go:build !unix

package process

import "syscall"

// attributes asks for nothing: there are no groups.
func attributes() *syscall.SysProcAttr { return nil }

// terminate ends the leader. There is no gentle way that all programs know of.
func (g group) terminate() { g.kill() }

// kill ends the leader.
func (g group) kill() { _ = g.leader.Kill() }

// ended reports that it is not known whether the leader has ended.
func (g group) ended() bool { return false }

// runs reports that nobody runs, when the leader has ended.
func (g group) runs() bool { return false }
