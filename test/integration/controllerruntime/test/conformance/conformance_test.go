package conformance

import (
	"path/filepath"
	"testing"

	"github.com/go-logr/logr"
	"go.uber.org/goleak"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"example.com/backups/test/served"
	"example.com/gatehouse/test/integration/findings"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	ctrl.SetLogger(logr.Discard())
	goleak.VerifyTestMain(m)
}

// TestConformance finds what fails that is not known to, and what is known to
// fail but does not.
func TestConformance(t *testing.T) {
	folder := findings.Certify(t, served.Service)
	address := served.Webhooks(t, folder)
	library().Look(t, "-f", "../../config/crd/bases", "-f", "../../config/webhook/manifests.yaml",
		"--resolve", served.Service+":443:"+address, "--ca-file", filepath.Join(folder, "ca.crt"), "testdata/plans.yaml")
}

// TestProcess finds what has changed in the life of the manager's process.
func TestProcess(t *testing.T) {
	findings.Live(t, "manager of controller-runtime", "-f", "../../config/crd/bases", "-f", "../../config/webhook/manifests.yaml",
		"testdata/plans.yaml", "--exec", "exec "+findings.Build(t, "../../cmd/webhooks"))
}

// TestFindings keeps the table and the page together.
func TestFindings(t *testing.T) { library().Tell(t) }
