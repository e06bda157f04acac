// Package webhooktest tests admission webhooks in Go tests: it makes requests,
// admits them through the webhooks of a configuration as a cluster would, and
// compares the responses with expectations. A request takes well below a
// millisecond, without the time of the webhooks themselves.
//
// Suites in files, as `gatehouse test` runs them, need one line:
//
//	func TestSuites(t *testing.T) {
//		webhooktest.Run(t, "testdata/suites", webhooktest.Handler(handler, "sidecar.example.com"))
//	}
//
// Suites can be written in Go as well:
//
//	func TestSidecar(t *testing.T) {
//		s := webhooktest.New(t,
//			webhooktest.Files("config/webhook.yaml"),
//			webhooktest.Namespace("shop", map[string]string{"sidecar": "enabled"}),
//			webhooktest.Handler(handler, "sidecar.example.com"),
//		)
//		s.Run(t,
//			webhooktest.Case{
//				Name:    "adds the sidecar",
//				Request: webhooktest.Create(pod).As("ann", "sellers").In("shop"),
//				Want: webhooktest.Allowed().Called("sidecar.example.com").
//					Object(`spec: {containers: [{name: web}, {name: sidecar}]}`),
//			},
//			webhooktest.Case{
//				Name:    "leaves other namespaces alone",
//				Request: webhooktest.Create(pod).In("kube-system"),
//				Want:    webhooktest.Allowed().NotCalled("sidecar.example.com", "^namespaceSelector: "),
//			},
//			webhooktest.Case{
//				Name:    "refuses pods that have one",
//				Request: webhooktest.Create("apiVersion: v1\nkind: Pod\n…").In("shop"),
//				Want:    webhooktest.Denied().Code(403).Message("already"),
//			},
//		)
//	}
//
// A flag such as `go test -update` writes golden files:
//
//	var update = flag.Bool("update", false, "write golden files")
//
//	s := webhooktest.New(t, webhooktest.Files("config"), webhooktest.UpdateGoldens(*update))
//
// A webhook with a Handler is called in-process; ServedBy and Address call it
// over TLS at a Server or at another address; all others are called where the
// suite or the configuration says. An option without names is for all remaining
// webhooks without an address in a suite. Commands of suites in files start
// only if one of their webhooks needs them, and are stopped at the end of the
// test.
//
// Each Case is a subtest, parallel unless the suite is Serial. A failed case
// has all failures, hints at likely reasons, and an explanation, as `gatehouse
// explain` prints it, without the data of Secrets. Suite.Do returns the
// response itself, for other comparisons; package admissiontest explains it
// when they fail.
//
// Objects are pointers to Kubernetes types, with apiVersion and kind unless
// client-go knows the type; unstructured objects; YAML or JSON, as string or
// []byte; or values that json.Marshal encodes as an object with apiVersion and
// kind, such as an apply configuration. Like an API server, gatehouse fills in
// the defaults of built-in kinds and rejects unknown fields.
//
// A Suite is safe for concurrent use. Handlers are called from many goroutines.
// Request and Want are values: each method returns a modified copy.
//
// A mistake, such as a missing file, ends the test; a mistake in a Case ends
// its subtest. A webhook that cannot be called fails its calls as in a cluster,
// and the case fails unless it expects that.
//
// Nothing is stored: requests are independent. Only webhooks validate objects.
// For tests of controllers, see docs/envtest.md.
package webhooktest
