package lifecycle

import (
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/report"
)

// Checks returns the checks of a command, in their order. Without a launcher
// they are definitions only.
func Checks(l *Launcher) []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-START", Group: report.Lifecycle, Level: report.Should,
			Title: "is ready before its port accepts connections",
			Why:   "A pod gets calls as soon as it is ready, and without a readiness probe, or with one that only connects to the port, that is when the port accepts connections. Calls that come before the webhook has what it needs fail, or are answered without it: in every rollout, and whenever a pod starts.",
			Fix:   "Load certificates, policies and caches first, and listen after that. Otherwise give the pod a readinessProbe with a path that answers 200 only once reviews are answered rightly.",
		}, All: l.startsReady},
		{Check: report.Check{
			ID: "C-DRAIN", Group: report.Lifecycle, Level: report.Must,
			Title: "ends the calls that it has begun when it gets SIGTERM",
			Why:   "The kubelet sends SIGTERM to a pod that is deleted, replaced or evicted. Calls that are under way then have failed if their connections break, and failurePolicy decides: it refuses requests with HTTP 500, or admits what the webhook has not seen.",
			Fix:   "Handle SIGTERM: stop accepting, wait for the calls under way, then exit (in Go http.Server.Shutdown, with a context that leaves them more time than timeoutSeconds, and main that waits for it). Do not derive the context of handlers from the one that SIGTERM ends. In a shell script, start the server with exec, so that it gets the signal.",
		}, All: l.drains},
		{Check: report.Check{
			ID: "C-KEEPALIVE", Group: report.Lifecycle, Level: report.Should,
			Title: "closes idle connections when it gets SIGTERM",
			Why:   "kube-apiserver keeps connections and sends the next review on one that is idle, whichever pod has it. A process that leaves them open gets reviews until it is killed, after terminationGracePeriodSeconds; those that are under way then have failed. A rollout takes that long for each pod.",
			Fix:   "After SIGTERM close connections that are idle, and each other one after its answer (in Go http.Server.Shutdown does both; closing the listener does neither). Do not wait for clients to close them.",
		}, All: l.closesIdle},
		{Check: report.Check{
			ID: "C-RENEW", Group: report.Lifecycle, Level: report.Must,
			Title: "serves a renewed certificate without a restart",
			Why:   "cert-manager and others renew the Secret long before the certificate expires, and the kubelet replaces the files in the pod. A process that has read them once serves the old certificate until its last day, or until the CA in caBundle is another one: every call fails from then on, and failurePolicy decides.",
			Fix:   "Read the files again, with every handshake or when they change (in Go tls.Config.GetCertificate; the certwatcher of controller-runtime). The files of a Secret are links: watch their folder, not the files.",
		}, All: l.renews},
		{Check: report.Check{
			ID: "C-ROLL", Group: report.Lifecycle, Level: report.Must,
			Title: "fails no call while one process replaces another",
			Why:   "A pod gets SIGTERM at the same time at which its endpoint is removed, and the nodes learn of that later, after a second or more. New connections still arrive then. If the port is closed they are refused: calls fail in every rollout, drain of a node and eviction, and failurePolicy decides.",
			Fix:   "Go on accepting for some seconds after SIGTERM, with \"Connection: close\" in each answer, and drain after that; or give the pod a preStop hook that sleeps, and pass its time with --pre-stop. terminationGracePeriodSeconds has to cover both. Have two replicas, with maxUnavailable 0.",
		}, All: l.rolls},
		{Check: report.Check{
			ID: "C-LOAD", Group: report.Lifecycle, Level: report.Must,
			Title: "answers in time, or fails, when what it calls is slow",
			Why:   "A webhook that calls the API server or a registry for each review depends on their limits, and on those of its own client: client-go sends 5 requests a second unless told otherwise. Reviews that wait longer than timeoutSeconds have failed, users have waited for nothing, and reviews that nothing waits for any more keep those behind them from being answered.",
			Fix:   "Give each call to a server a deadline from the timeout in the query of the review, less a part of it, and the context of the request; answer with an error, or with a verdict without it, when it is over. Better, answer from a cache.",
		}, All: l.bearsLoad},
		{Check: report.Check{
			ID: "C-MEMORY", Group: report.Lifecycle, Level: report.Must,
			Title: "keeps its memory over ten thousand reviews",
			Why:   "A process that keeps something of every review is killed when it reaches the limit of its memory, with all calls that are under way. The more there is to do, the more often that happens.",
			Fix:   "Bound what is kept between reviews: caches by size, metrics by labels without names of objects, goroutines by the end of the review. A profile of the heap shows what holds the memory.",
		}, All: l.keepsMemory},
	}
}
