package generate

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/scenario"
)

var (
	labelKeys   = []string{"a", "b", "c"}
	labelValues = []string{"1", "2"}
)

// request draws a request about r.
func request(t *rapid.T, r *resource) scenario.Request {
	q := scenario.Request{
		Operation:   oneOf(t, "operation", r.operations),
		Kind:        r.kind,
		Resource:    r.gvr(),
		Subresource: r.subresource,
		Form:        r.form,
		Name:        oneOf(t, "name", []string{"x", "x", "y", ""}),
		DryRun:      rarely(t, "dry run", 8),
		User:        user(t),
	}
	if !r.clusterScoped {
		q.Namespace = oneOf(t, "namespace", []string{"shop", "shop", "shop", "shop", "shop", "lab", "lab", "bare", "bare", "live", "live", "missing"})
	}
	if q.Operation != "DELETE" {
		q.Object = object(t, r, &q, "object")
	}
	if q.Operation == "UPDATE" || q.Operation == "DELETE" {
		q.OldObject = object(t, r, &q, "oldObject")
	}
	q.Options = options(t, &q)
	if rarely(t, "too late", 60) {
		q.Deadline = metav1.Duration{Duration: -time.Second}
	}
	return q
}

func user(t *rapid.T) *authenticationv1.UserInfo {
	return oneOf(t, "user", []*authenticationv1.UserInfo{
		nil,
		{Username: "bob", UID: "7", Groups: []string{"g"}, Extra: map[string]authenticationv1.ExtraValue{"k": {"v", "w"}}},
		{Username: "system:serviceaccount:shop:default", Groups: []string{"system:serviceaccounts", "system:authenticated"}},
	})
}

// object draws an object of r. The object of CONNECT are options, which have no
// metadata.
func object(t *rapid.T, r *resource, q *scenario.Request, label string) *runtime.RawExtension {
	apiVersion := strings.TrimPrefix(r.kind.Group+"/"+r.kind.Version, "/")
	members := []string{fmt.Sprintf(`"apiVersion":%q,"kind":%q`, apiVersion, r.kind.Kind)}
	if q.Operation != "CONNECT" {
		members = append(members, `"metadata":`+metadata(t, r, q, label))
	}
	members = append(members, r.object)
	return &runtime.RawExtension{Raw: []byte("{" + strings.Join(members, ",") + "}")}
}

func metadata(t *rapid.T, r *resource, q *scenario.Request, label string) string {
	m := map[string]any{}
	switch {
	case q.Name != "":
		m["name"] = q.Name
	case q.Operation == "DELETE": // of a collection: each object has its name, the request has none
		m["name"] = "y"
	default:
		m["generateName"] = "x-"
	}
	if !r.clusterScoped {
		m["namespace"] = q.Namespace
	}
	labels := map[string]string{}
	for _, key := range some(t, label+": label", 3, labelKeys) {
		labels[key] = oneOf(t, label+": value", labelValues)
	}
	if len(labels) > 0 {
		m["labels"] = labels
	}
	if rarely(t, label+": annotated", 3) {
		m["annotations"] = map[string]string{"note": "<&> é"}
	}
	encoded, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("generate: metadata made of texts cannot be encoded: %v", err))
	}
	return string(encoded)
}

// options draws what the client sent along.
func options(t *rapid.T, q *scenario.Request) *runtime.RawExtension {
	if q.Operation == "CONNECT" || rarely(t, "no options", 4) {
		return nil
	}
	kind := map[string]string{"CREATE": "CreateOptions", "UPDATE": "UpdateOptions",
		"DELETE": "DeleteOptions"}[q.Operation]
	dry := ""
	if q.DryRun {
		dry = `,"dryRun":["All"]`
	}
	return &runtime.RawExtension{Raw: []byte(
		fmt.Sprintf(`{"apiVersion":"meta.k8s.io/v1","kind":%q%s}`, kind, dry))}
}
