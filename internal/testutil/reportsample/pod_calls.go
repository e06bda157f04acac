package reportsample

import (
	"fmt"

	"example.com/gatehouse/dispatcher/explain"
)

// exchange is a successful call over a new connection.
func exchange(service string, index int, begin, seconds float64) *explain.Call {
	return &explain.Call{
		Index: index, UID: fmt.Sprintf("8d0c6d1e-5a1b-4a64-9d53-2f1f2a6f%04d", index), ReviewVersion: "v1",
		URL: "https://" + service + ".svc:443/admit?timeout=10s", Address: "10.96.14.2:443",
		Protocol: "HTTP/2.0", TLS: "TLS 1.3, TLS_AES_128_GCM_SHA256, for " + service + ".svc",
		StatusCode: 200, Code: 200, Outcome: "allowed",
		Begin: begin, Seconds: seconds,
		Timing: &explain.Timing{Connect: seconds * 0.08, TLS: seconds * 0.27, Wait: seconds * 0.48,
			Read: seconds * 0.04},
	}
}

func teamsCall() *explain.Call {
	c := exchange("teams.platform", 0, 0.0021, 0.0084)
	c.Mutated = true
	c.Patch = []explain.Operation{
		{Op: "add", Path: "/metadata/labels/example.com~1team", Value: raw(`"shop"`)},
		{Op: "add", Path: "/metadata/labels/example.com~1cost-center", Value: raw(`"cc-42"`)},
		{Op: "remove", Path: "/metadata/annotations/example.com~1debug"},
		{Op: "replace", Path: "/spec/terminationGracePeriodSeconds", Value: raw(`30`)},
	}
	c.Changes = []explain.Change{
		{Path: "metadata.annotations['example.com/debug']", Op: "remove", Old: raw(`"true"`)},
		{Path: "metadata.labels['example.com/cost-center']", Op: "add", New: raw(`"cc-42"`)},
		{Path: "metadata.labels['example.com/team']", Op: "add", New: raw(`"shop"`)},
		{Path: "spec.terminationGracePeriodSeconds", Op: "replace", Old: raw(`5`), New: raw(`30`)},
	}
	return c
}

func teamsAgain() *explain.Call {
	c := exchange("teams.platform", 0, 0.0392, 0.0031)
	c.Reused, c.Timing = true, &explain.Timing{Wait: 0.0024, Read: 0.0001}
	c.Mutated = true
	c.Patch = []explain.Operation{{Op: "replace", Path: "/metadata/labels/example.com~1cost-center",
		Value: raw(`"cc-42"`)}}
	c.Changes = []explain.Change{{Path: "metadata.labels['example.com/cost-center']", Op: "replace",
		Old: raw(`"unassigned"`), New: raw(`"cc-42"`)}}
	return c
}

func sidecarCall() *explain.Call {
	const proxy = `{"name":"proxy","image":"registry.example.com/mesh/proxy:1.27","args":["--drain","5s","--yes","no"],
		"ports":[{"containerPort":15001}],"resources":{"limits":{"cpu":"100m","memory":"64Mi"}}}`
	c := exchange("injector.mesh", 2, 0.0109, 0.0231)
	c.Mutated = true
	c.Patch = []explain.Operation{
		{Op: "add", Path: "/spec/containers/-", Value: raw(proxy)},
		{Op: "add", Path: "/metadata/annotations", Value: raw(`{"mesh.example.com/status":"{\"version\":\"1.27\",\"containers\":[\"proxy\"]}"}`)},
	}
	c.Changes = []explain.Change{
		{Path: "metadata.annotations", Op: "add", New: raw(`{"mesh.example.com/status":"{\"version\":\"1.27\",\"containers\":[\"proxy\"]}"}`)},
		{Path: "spec.containers[1]", Op: "add", New: raw(proxy)},
	}
	c.Defaulted = []explain.Change{
		{Path: "spec.containers[1].imagePullPolicy", Op: "add", New: raw(`"IfNotPresent"`)},
		{Path: "spec.containers[1].ports[0].protocol", Op: "add", New: raw(`"TCP"`)},
		{Path: "spec.containers[1].terminationMessagePath", Op: "add", New: raw(`"/dev/termination-log"`)},
	}
	c.Warnings = []string{"the annotation mesh.example.com/inject is deprecated; use the label of that name"}
	c.AuditAnnotations = map[string]string{"revision": "1-27", "template": "sidecar"}
	c.Request = raw(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"8d0c6d1e","operation":"CREATE","dryRun":false,"object":` + podSent + `}}`)
	c.Response = raw(`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"8d0c6d1e","allowed":true,"patchType":"JSONPatch","patch":"W3sib3AiOiJhZGQifV0="}}`)
	return c
}

func financeCall() *explain.Call {
	c := exchange("cost.finance", 3, 0.0345, 0.0042)
	c.Mutated = true
	c.Patch = []explain.Operation{
		{Op: "replace", Path: "/metadata/labels/example.com~1cost-center", Value: raw(`"unassigned"`)},
		{Op: "add", Path: "/metadata/annotations/example.com~1generation", Value: raw(`9007199254740993`)},
		{Op: "add", Path: "/spec/nodeSelector", Value: raw(`{"example.com/pool":"shop"}`)},
	}
	c.Changes = []explain.Change{
		{Path: "metadata.annotations['example.com/generation']", Op: "add", New: raw(`9007199254740993`)},
		{Path: "metadata.labels['example.com/cost-center']", Op: "replace", Old: raw(`"cc-42"`), New: raw(`"unassigned"`)},
		{Path: "spec.nodeSelector", Op: "add", New: raw(`{"example.com/pool":"shop"}`)},
	}
	return c
}

func imagesCall() *explain.Call {
	c := exchange("policy.images", 0, 0.0431, 0.0122)
	c.Warnings = []string{`image "registry.example.com/web:latest" has no digest; it will be refused from March on`}
	return c
}

func limitsCall() *explain.Call {
	c := exchange("limits.platform", 1, 0.0432, 0.0313)
	c.Outcome, c.Code = "rejected", 403
	c.Error = `admission webhook "limits.example.com" denied the request: container "web" has no memory limit`
	c.AuditAnnotations = map[string]string{"rule": "memory-limit-required"}
	return c
}

func scannerCall() *explain.Call {
	c := exchange("scanner.security", 2, 0.0431, 0.0018)
	c.Outcome, c.Code, c.StatusCode, c.Fault = "failed open", 500, 0, "refuse"
	c.Address, c.Protocol, c.TLS, c.Timing = "", "", "", &explain.Timing{Connect: 0.0015}
	c.Error = `failed calling webhook "scanner.security.example.com": failed to call webhook: Post "https://scanner.security.svc:443/admit?timeout=10s": dial tcp 10.96.44.9:443: connect: connection refused`
	c.Policy = "failurePolicy is Ignore, so the request went on"
	return c
}

func quotaCall() *explain.Call {
	c := exchange("quota.platform", 3, 0.0433, 0.0059)
	c.Reused, c.Timing = true, &explain.Timing{Wait: 0.0051, Read: 0.0002}
	c.AuditAnnotations = map[string]string{"remaining": "17"}
	return c
}
