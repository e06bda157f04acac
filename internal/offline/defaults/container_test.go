package defaults

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"example.com/gatehouse/internal/testutil/testtable"
)

func TestContainers(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []defaulted{
		{testtable.Row{"image only", "the least that a container has to say"}, of(container), `image: nginx`, `
			imagePullPolicy: Always
			terminationMessagePath: /dev/termination-log
			terminationMessagePolicy: File`},
		{testtable.Row{"ports", "TCP unless it is something else"}, of(container), `{` + bare + `ports: [{containerPort: 80}, {containerPort: 53, protocol: UDP}]}`,
			`ports[0].protocol: TCP`},
		{testtable.Row{"env", "references to fields name the version of the names; keys of files are needed; the rest is as it is"}, of(container), `{` + bare + `
env: [{name: a, value: b}, {name: c, valueFrom: {fieldRef: {fieldPath: metadata.name}}},
  {name: d, valueFrom: {fileKeyRef: {volumeName: v, path: p, key: k}}}, {name: e, valueFrom: {secretKeyRef: {name: s, key: k}}}]}`, `
			env[1].valueFrom.fieldRef.apiVersion: v1
			env[2].valueFrom.fileKeyRef.optional: false`},
		{testtable.Row{"all probes", "each of the three is completed"}, of(container), `{` + bare + `
livenessProbe: {exec: {command: [a]}, timeoutSeconds: 2, periodSeconds: 3, failureThreshold: 4, successThreshold: 5},
readinessProbe: {httpGet: {port: 80}, timeoutSeconds: 2, periodSeconds: 3, failureThreshold: 4},
startupProbe: {exec: {command: [a]}, timeoutSeconds: 2, periodSeconds: 3, successThreshold: 5}}`, `
			readinessProbe.httpGet.path: /
			readinessProbe.httpGet.scheme: HTTP
			readinessProbe.successThreshold: 1
			startupProbe.failureThreshold: 3`},
		{testtable.Row{"lifecycle", "both hooks may be requests"}, of(container), `{` + bare + `
lifecycle: {postStart: {httpGet: {port: 80}}, preStop: {httpGet: {port: 80, path: /stop, scheme: HTTPS}}}}`, `
			lifecycle.postStart.httpGet.path: /
			lifecycle.postStart.httpGet.scheme: HTTP`},
		{testtable.Row{"small quantities", "what is smaller than a thousandth is rounded up, which is the server's own change"}, of(container), `{` + bare + `
resources: {limits: {cpu: 1500u}, requests: {cpu: 100n, memory: 100M}}}`, `
			resources.limits.cpu: 2m
			resources.requests.cpu: 1m`},
		{testtable.Row{"ephemeral", "a container for debugging is one like any other"}, of(ephemeralContainer), `{image: "busybox:1.28", targetContainerName: app}`, `
			imagePullPolicy: IfNotPresent
			terminationMessagePath: /dev/termination-log
			terminationMessagePolicy: File`},
		{testtable.Row{"probe", "the times and counts of a probe that says how to probe and no more"}, of(probe), `tcpSocket: {port: 80}`, `
			failureThreshold: 3
			periodSeconds: 10
			successThreshold: 1
			timeoutSeconds: 1`},
		{testtable.Row{"gRPC probe", "the service has a name, which is empty"}, of(probe), `{grpc: {port: 80}, timeoutSeconds: 2, periodSeconds: 3, failureThreshold: 4, successThreshold: 5}`,
			`grpc.service:`},
	}, func(t *testing.T, r defaulted) { r.check(t) })
}

func TestPullPolicy(t *testing.T) {
	t.Parallel()
	const digest = "@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	type image struct {
		testtable.Row
		name string
		want corev1.PullPolicy
	}
	testtable.Run(t, []image{
		{testtable.Row{"no tag", "it means the latest"}, "nginx", corev1.PullAlways},
		{testtable.Row{"latest", "the tag that moves"}, "nginx:latest", corev1.PullAlways},
		{testtable.Row{"tag", "other tags do not move, or so it is hoped"}, "nginx:1.14.2", corev1.PullIfNotPresent},
		{testtable.Row{"tag that begins alike", "only the whole tag counts"}, "nginx:latest-alpine", corev1.PullIfNotPresent},
		{testtable.Row{"digest", "a digest never moves"}, "nginx" + digest, corev1.PullIfNotPresent},
		{testtable.Row{"digest and latest", "the tag is looked at first"}, "nginx:latest" + digest, corev1.PullAlways},
		{testtable.Row{"digest and tag", "neither moves"}, "nginx:1.14.2" + digest, corev1.PullIfNotPresent},
		{testtable.Row{"port, no tag", "the number after a colon in the host is no tag"}, "registry.example.com:5000/team/app", corev1.PullAlways},
		{testtable.Row{"port and tag", "the last colon is the tag's"}, "registry.example.com:5000/team/app:v1", corev1.PullIfNotPresent},
		{testtable.Row{"localhost", "a host needs no dot"}, "localhost/app", corev1.PullAlways},
		{testtable.Row{"IPv6", "an address in brackets is a host"}, "[::1]:5000/app", corev1.PullAlways},
		{testtable.Row{"host with capitals", "hosts may have capitals, names may not"}, "Registry.example.com/app", corev1.PullAlways},
		{testtable.Row{"separators", "dots, underscores and dashes may be in a name"}, "a.b/c__d/e---f_g", corev1.PullAlways},
		{testtable.Row{"name called latest", "the name is not the tag"}, "latest:v1", corev1.PullIfNotPresent},
		{testtable.Row{"nothing", "templates may leave the image out"}, "", corev1.PullIfNotPresent},
		{testtable.Row{"capitals", "it is no name, so that it has no tag"}, "Nginx", corev1.PullIfNotPresent},
		{testtable.Row{"space", "it is no name"}, "nginx ", corev1.PullIfNotPresent},
		{testtable.Row{"empty tag", "it is no name"}, "nginx:", corev1.PullIfNotPresent},
		{testtable.Row{"template of another tool", "it is no name"}, "{{ .Image }}", corev1.PullIfNotPresent},
		{testtable.Row{"identifier", "64 hexadecimal digits are an image, not a name"}, digest[len("@sha256:"):], corev1.PullIfNotPresent},
	}, func(t *testing.T, r image) {
		if got := pullPolicy(r.name); got != r.want {
			t.Errorf("pullPolicy(%q) = %s, want %s", r.name, got, r.want)
		}
	})
}
