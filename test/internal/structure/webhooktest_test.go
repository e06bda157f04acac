package structure

import (
	"slices"
	"testing"
)

// unlinked must not be linked into the tests of a webhook author, because they
// would take long to build.
var unlinked = map[string]string{
	module + "/internal/cli":        "a test is no command",
	module + "/internal/apiserver":  "requests need no server",
	"k8s.io/apiserver/pkg/registry": "requests need no server",
	"k8s.io/apiserver/pkg/storage":  "requests need no server",
	"k8s.io/kubernetes":             "requests need no server",
	"go.etcd.io":                    "nothing is stored",
}

// TestWebhooktestLinksNothingHeavy looks at what authors of webhooks link into
// their tests. cobra is linked in any case, by k8s.io/component-base/cli/flag,
// but we do not import it.
func TestWebhooktestLinksNothingHeavy(t *testing.T) {
	packages := list(t)
	p, ok := packages["test/webhooktest"]
	if !ok {
		t.Fatal("test/webhooktest is not in the module")
	}
	for _, dep := range p.Deps {
		for prefix, why := range unlinked {
			if isUnder(dep, prefix) {
				t.Errorf("test/webhooktest links %s: %s", dep, why)
			}
		}
		if inModule(dep) && slices.Contains(packages[short(dep)].Imports, "github.com/spf13/cobra") {
			t.Errorf("test/webhooktest links %s, which imports cobra: a test is no command", dep)
		}
		if dep == "k8s.io/apiserver/pkg/server" {
			t.Errorf("test/webhooktest links %s: requests need no server", dep)
		}
	}
}
