package apiserver_test

import (
	"testing"

	"go.uber.org/goleak"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	klog.SetLogger(klog.Logger{}) // which drops everything
	goleak.VerifyTestMain(m,
		// An alarm clock of the watch cache that rings after three seconds, whoever
		// still listens.
		goleak.IgnoreTopFunction("k8s.io/apiserver/pkg/storage/cacher.(*watchCache).waitUntilFreshLocked.func2"))
}
