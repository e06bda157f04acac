package lifecycle

import (
	"example.com/gatehouse/internal/conformance/check"
	"example.com/gatehouse/internal/conformance/report"
)

// Checks returns the checks of a command, in their order. If l is nil, the
// checks are only definitions.
func Checks(l *Launcher) []check.Check {
	return []check.Check{
		{Check: report.Check{
			ID: "C-START", Group: report.Lifecycle, Level: report.Should,
			Title: "is ready before its port accepts connections",
			Why:   "A pod receives calls as soon as it is ready. Without a readiness probe, or with a probe that only connects to the port, the pod is ready when the port accepts connections. If the webhook has not loaded its data by then, calls fail, or the webhook decides without the data: in every rollout, and whenever a pod starts.",
			Fix:   "Load certificates, policies and caches before you listen on the port. Or give the pod a readinessProbe with a path that returns 200 only when the webhook can answer reviews correctly.",
		}, All: l.startsReady},
		{Check: report.Check{
			ID: "C-DRAIN", Group: report.Lifecycle, Level: report.Must,
			Title: "finishes the calls in flight when it receives SIGTERM",
			Why:   "The kubelet sends SIGTERM to a pod that is deleted, replaced or evicted. If the process breaks the connections of calls in flight, these calls fail, and failurePolicy decides: kube-apiserver rejects the requests with HTTP 500, or allows them unchecked.",
			Fix:   "Handle SIGTERM: stop accepting, wait for the calls in flight, then exit. In Go, call http.Server.Shutdown with a context that allows more time than timeoutSeconds, and let main wait for it. Do not derive the context of handlers from the one that SIGTERM cancels. In a shell script, start the server with exec, so that it receives the signal.",
		}, All: l.drains},
		{Check: report.Check{
			ID: "C-KEEPALIVE", Group: report.Lifecycle, Level: report.Should,
			Title: "closes idle connections when it receives SIGTERM",
			Why:   "kube-apiserver keeps connections open and sends the next review on an idle connection, whichever pod holds it. If a process does not close idle connections, it receives reviews until it is killed after terminationGracePeriodSeconds. Calls in flight then fail. A rollout takes that long for each pod.",
			Fix:   "After SIGTERM, close idle connections at once, and each other connection after its response. In Go, http.Server.Shutdown does both; closing the listener does neither. Do not wait for clients to close connections.",
		}, All: l.closesIdle},
		{Check: report.Check{
			ID: "C-RENEW", Group: report.Lifecycle, Level: report.Must,
			Title: "serves a renewed certificate without a restart",
			Why:   "cert-manager and other tools renew the Secret long before the certificate expires, and the kubelet replaces the files in the pod. If the process reads them only once, it serves the old certificate. Every call fails as soon as that certificate expires or the CA in caBundle changes, and failurePolicy decides.",
			Fix:   "Read the files again for every handshake, or when they change (in Go, with tls.Config.GetCertificate or the certwatcher of controller-runtime). The files of a Secret are links: watch their folder, not the files.",
		}, All: l.renews},
		{Check: report.Check{
			ID: "C-ROLL", Group: report.Lifecycle, Level: report.Must,
			Title: "fails no call while one process replaces another",
			Why:   "A pod receives SIGTERM at the moment its endpoint is removed, but the nodes learn of the removal a second or more later. New connections still arrive in the meantime. If the port is closed, they are refused: calls fail in every rollout, node drain and eviction, and failurePolicy decides.",
			Fix:   "Continue to accept connections for some seconds after SIGTERM, with \"Connection: close\" in each response, and drain after that. Or give the pod a preStop hook that sleeps, and pass its duration with --pre-stop. terminationGracePeriodSeconds must cover both. Run two replicas, with maxUnavailable 0.",
		}, All: l.rolls},
		{Check: report.Check{
			ID: "C-LOAD", Group: report.Lifecycle, Level: report.Must,
			Title: "answers in time, or fails, when its backend is slow",
			Why:   "If a webhook calls the API server or a registry for each review, it depends on their limits and on those of its own client: client-go sends 5 requests per second by default. Reviews that wait longer than timeoutSeconds fail, and the users have waited in vain. Reviews that no client waits for any more delay the reviews behind them.",
			Fix:   "Give each call to a server the context of the request, and a deadline that is shorter than the timeout in the query of the review. After the deadline, return an error, or a verdict that does not need the server. Better, answer from a cache.",
		}, All: l.bearsLoad},
		{Check: report.Check{
			ID: "C-MEMORY", Group: report.Lifecycle, Level: report.Must,
			Title: "does not accumulate memory over ten thousand reviews",
			Why:   "If a process keeps data of every review, it is killed when it reaches its memory limit, with all calls in flight. The higher the load, the more often this happens.",
			Fix:   "Limit the data that outlives a review: bound the size of caches, use no object names as metric labels, and end goroutines with their review. A heap profile shows what holds the memory.",
		}, All: l.keepsMemory},
	}
}
