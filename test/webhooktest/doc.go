// Package webhooktest is for authors of admission webhooks who write Go tests: it makes
// requests, takes them through the webhooks of their configurations as a cluster would, and
// compares what comes of them with what is expected. A request takes well below a
// millisecond, besides what the webhooks themselves take.
//
// Suites that are files, as `gatehouse test` runs them, need one line:
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
// Golden files are written by a test that has been told so, as by `go test -update`:
//
//	var update = flag.Bool("update", false, "write golden files")
//
//	s := webhooktest.New(t, webhooktest.Files("config"), webhooktest.UpdateGoldens(*update))
//
// # Steps
//
//  1. New reads what the options name. At least one webhook has to be among it.
//  2. Webhooks with a Handler answer in the process of the test, without a connection.
//     ServedBy has them called over TLS at a Server, and Address where something else
//     listens; all others are called where the suite says, or else where their
//     configurations do. An option that names no webhooks is for all that are left, but not
//     for those to which a suite gives an address. Commands of suites in files are started
//     unless there is another way to all their webhooks.
//  3. Each Case is a subtest, parallel to the others unless the suite is Serial: its request
//     is made, goes through the mutating and then the validating webhooks, and the final
//     response is compared with what is wanted.
//  4. A case that fails says all that is not as wanted, hints at what may be the reason, and
//     explains what happened, as `gatehouse explain` does. The data of Secrets is hidden there.
//  5. At the end of the test connections are closed and commands stopped.
//
// Suite.Do returns the response itself, for tests that want to know something else about
// it; package admissiontest helps them to explain it.
//
// # Objects
//
// Objects are pointers to values of Kubernetes' types, with or without apiVersion and kind if
// they are of types that client-go knows; unstructured ones; texts in YAML or JSON, as string
// or []byte; or anything else of which json.Marshal makes an object with apiVersion and kind,
// such as an apply configuration. Like a server, gatehouse fills in the defaults of built-in
// kinds and refuses unknown fields.
//
// # Concurrency
//
// A Suite may be used by many tests at a time. Handlers are called from many goroutines.
// Requests, and what is wanted of them, are values: each method returns a changed copy.
//
// # Errors
//
// Mistakes, such as a file that is not there, end the test; those in a Case end its subtest
// only. They say where in the Go code, or in the file, they are. A webhook that cannot be
// called is not one: the request fares as it would in a cluster, and the case fails unless
// that is wanted.
//
// # What it does not do
//
// It stores nothing, so that no request changes what another one meets. Objects are not
// validated but by webhooks. And it needs no API server: for tests of controllers, see
// docs/envtest.md.
package webhooktest
