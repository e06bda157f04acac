package engine

import (
	"io"
	"log"

	"k8s.io/klog/v2"
)

// Quiet turns off logging for the whole process, because a soak provokes slow
// calls and unsolicited responses, which gatehouse and net/http log at length.
// Call it at the start of a program.
func Quiet() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	log.SetOutput(io.Discard)
}
