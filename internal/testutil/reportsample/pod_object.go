package reportsample

import (
	"encoding/json"
	"maps"
	"slices"

	"example.com/gatehouse/dispatcher/explain"
)

// podSent is the pod that the client sent, and podObject the result.
const (
	podSent = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-7d9f4c","namespace":"prod",
		"labels":{"app":"web"},"annotations":{"example.com/debug":"true"}},
		"spec":{"containers":[{"name":"web","image":"registry.example.com/web:latest",
		"env":[{"name":"LEVEL","value":"info"},{"name":"TOKEN","value":"(redacted)"}],
		"ports":[{"containerPort":8080}]}]}}`
	podObject = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-7d9f4c","namespace":"prod",
		"labels":{"app":"web","example.com/team":"shop","example.com/cost-center":"cc-42"},
		"annotations":{"mesh.example.com/status":"{\"version\":\"1.27\",\"containers\":[\"proxy\"]}","example.com/generation":9007199254740993}},
		"spec":{"containers":[
		{"name":"web","image":"registry.example.com/web:latest","imagePullPolicy":"Always",
		"env":[{"name":"LEVEL","value":"info"},{"name":"TOKEN","value":"(redacted)"}],
		"ports":[{"containerPort":8080,"protocol":"TCP"}],"resources":{}},
		{"name":"proxy","image":"registry.example.com/mesh/proxy:1.27","imagePullPolicy":"IfNotPresent",
		"args":["--drain","5s","--yes","no"],"ports":[{"containerPort":15001,"protocol":"TCP"}],
		"resources":{"limits":{"cpu":"100m","memory":"64Mi"}},"terminationMessagePath":"/dev/termination-log"}],
		"restartPolicy":"Always","dnsPolicy":"ClusterFirst","terminationGracePeriodSeconds":30,
		"nodeSelector":{"example.com/pool":"shop"},"tolerations":[]}}`
)

func user() explain.Writer { return explain.Writer{By: "user"} }

func teams(round int) explain.Writer {
	return explain.Writer{By: "webhook", Webhook: "teams.example.com",
		Configuration: "platform-teams", Round: round}
}

func sidecar() explain.Writer {
	return explain.Writer{By: "webhook", Webhook: "sidecar.mesh.example.com",
		Configuration: "mesh", Index: 2}
}

func finance() explain.Writer {
	return explain.Writer{By: "webhook", Webhook: "cost.finance.example.com",
		Configuration: "finance", Index: 3}
}

func defaulting() explain.Writer { return explain.Writer{By: "defaulting"} }

func defaultsAfter(w explain.Writer) explain.Writer {
	w.By = "defaulting"
	return w
}

// costCenter is the label that two webhooks fight over.
func costCenter() []explain.Write {
	return []explain.Write{
		{Writer: teams(0), Value: json.RawMessage(`"cc-42"`)},
		{Writer: finance(), Value: json.RawMessage(`"unassigned"`)},
		{Writer: teams(1), Value: json.RawMessage(`"cc-42"`)},
	}
}

// podWriters maps the fields that the user did not write to their writers.
func podWriters() map[string]explain.Writer {
	return map[string]explain.Writer{
		"metadata.labels['example.com/team']":             teams(0),
		"metadata.labels['example.com/cost-center']":      teams(1),
		"metadata.annotations['example.com/generation']":  finance(),
		"metadata.annotations['mesh.example.com/status']": sidecar(),
		"spec.containers[0].imagePullPolicy":              defaulting(),
		"spec.containers[0].ports[0].protocol":            defaulting(),
		"spec.containers[0].resources":                    defaulting(),
		"spec.containers[1].name":                         sidecar(),
		"spec.containers[1].image":                        sidecar(),
		"spec.containers[1].args[0]":                      sidecar(),
		"spec.containers[1].args[1]":                      sidecar(),
		"spec.containers[1].args[2]":                      sidecar(),
		"spec.containers[1].args[3]":                      sidecar(),
		"spec.containers[1].ports[0].containerPort":       sidecar(),
		"spec.containers[1].resources.limits.cpu":         sidecar(),
		"spec.containers[1].resources.limits.memory":      sidecar(),
		"spec.containers[1].imagePullPolicy":              defaultsAfter(sidecar()),
		"spec.containers[1].ports[0].protocol":            defaultsAfter(sidecar()),
		"spec.containers[1].terminationMessagePath":       defaultsAfter(sidecar()),
		"spec.restartPolicy":                              defaulting(),
		"spec.dnsPolicy":                                  defaulting(),
		"spec.terminationGracePeriodSeconds":              teams(0),
		"spec.nodeSelector['example.com/pool']":           finance(),
		"spec.tolerations":                                defaulting(),
	}
}

func podFields() []explain.Field {
	writers := podWriters()
	earlier := map[string][]explain.Write{
		"metadata.labels['example.com/cost-center']": costCenter()[:2],
		"spec.terminationGracePeriodSeconds": {{Writer: defaulting(),
			Value: json.RawMessage(`5`)}},
	}
	var fields []explain.Field
	leaves(explain.Path{}, json.RawMessage(podObject), func(path string, value json.RawMessage) {
		writer, ok := writers[path]
		if !ok {
			writer = user()
		}
		fields = append(
			fields, explain.Field{Path: path, Value: value, Writer: writer, Earlier: earlier[path]})
	})
	return fields
}

// leaves visits the leaves of an object, the keys of maps in order.
func leaves(path explain.Path, raw json.RawMessage, visit func(string, json.RawMessage)) {
	var items []json.RawMessage
	var entries map[string]json.RawMessage
	switch {
	case json.Unmarshal(raw, &items) == nil && len(items) > 0:
		for i, item := range items {
			leaves(path.Index(i), item, visit)
		}
	case json.Unmarshal(raw, &entries) == nil && len(entries) > 0:
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			leaves(path.Key(key), entries[key], visit)
		}
	default:
		visit(path.String(), raw)
	}
}
