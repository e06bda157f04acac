package engine

import (
	"io"
	"log"

	"k8s.io/klog/v2"
)

// Quiet has nothing logged from now on, by the whole process: slow calls and answers
// that nobody asked for are meant, and told of at length. It is for the beginning of a
// program.
func Quiet() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	log.SetOutput(io.Discard)
}
