package audit_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/history"
	"example.com/gatehouse/internal/auditlog/loops"
	"example.com/gatehouse/internal/auditlog/policy"
	"example.com/gatehouse/internal/auditlog/tally"
	"example.com/gatehouse/test/apiserver"
)

func TestMain(m *testing.M) {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}

const (
	configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: labels}
webhooks:
- name: team.example.com
  clientConfig: {service: {namespace: system, name: webhook}}
  rules:
  - {apiGroups: [apps, coordination.k8s.io, discovery.k8s.io, ""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments, deployments/status, leases, endpointslices, pods, pods/status, configmaps, secrets]}
  admissionReviewVersions: [v1]
  sideEffects: None
  reinvocationPolicy: IfNeeded
- name: stamp.example.com
  clientConfig: {service: {namespace: system, name: webhook, path: /stamp}}
  rules:
  - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}
  objectSelector: {matchLabels: {stamped: "yes"}}
  admissionReviewVersions: [v1]
  sideEffects: None
`
	operator = "system:serviceaccount:shop:operator"
	manager  = "operator"
)

// addTeam adds the label team to objects without it.
func addTeam(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	var object metav1.PartialObjectMetadata
	if json.NewDecoder(r.Body).Decode(&review) != nil || json.Unmarshal(review.Request.Object.Raw, &object) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	switch {
	case object.Labels["team"] != "":
	case object.Labels == nil:
		response.Patch = []byte(`[{"op":"add","path":"/metadata/labels","value":{"team":"a"}}]`)
	default:
		response.Patch = []byte(`[{"op":"add","path":"/metadata/labels/team","value":"a"}]`)
	}
	if response.Patch != nil {
		response.PatchType = new(admissionv1.PatchTypeJSONPatch)
	}
	review.Request, review.Response = nil, response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}

// cluster is a server with an audit log.
type cluster struct {
	config *rest.Config
	log    string
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	all := func(group string, resources ...string) policy.Rule {
		r := policy.Rule{Mutating: true}
		r.Operations = []registrationv1.OperationType{registrationv1.OperationAll}
		r.APIGroups, r.Resources = []string{group}, resources
		return r
	}
	text, err := policy.Text(policy.Needs([]policy.Rule{
		all("apps", "deployments", "deployments/status", "deployments/scale"), all("coordination.k8s.io", "leases"),
		all("discovery.k8s.io", "endpointslices"), all("", "pods", "pods/status", "configmaps", "secrets"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", addTeam)
	mux.HandleFunc("/stamp", stamp)
	c := &cluster{log: filepath.Join(dir, "audit.log")}
	c.config = apiserver.Start(t, apiserver.Options{
		AuditPolicyFile: file("policy.yaml", string(text)), AuditLogFile: c.log,
		Handlers: map[string]http.Handler{"system/webhook": mux},
	})
	apiserver.Install(t, c.config, file("webhook.yaml", configuration))
	return c
}

// as returns a client of a user.
func (c *cluster) as(t *testing.T, user, agent string) *kubernetes.Clientset {
	t.Helper()
	config := rest.CopyConfig(c.config)
	config.Impersonate.UserName, config.Impersonate.Groups = user, []string{"system:masters"}
	config.UserAgent, config.QPS = agent+"/v1", -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func deployment(name string) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": name}}}
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: d.Labels}
	d.Spec.Template.Labels = d.Labels
	d.Spec.Template.Spec.Containers = []corev1.Container{{Name: name, Image: name + ":1"}}
	return d
}

// fight is a controller that removes the labels that it does not know.
func fight(t *testing.T, c *cluster) {
	client := c.as(t, operator, manager).AppsV1().Deployments("shop")
	must(client.Create(t.Context(), deployment("web"), metav1.CreateOptions{}))(t)
	for range 6 {
		d := must(client.Get(t.Context(), "web", metav1.GetOptions{}))(t)
		if d.Labels["team"] != "a" {
			t.Fatal("the webhook did not add its label")
		}
		delete(d.Labels, "team")
		must(client.Update(t.Context(), d, metav1.UpdateOptions{}))(t)
	}
}

// live sends what a cluster has all day, each several times.
func live(t *testing.T, c *cluster) {
	ctx := t.Context()
	ann, system := c.as(t, "ann", "kubectl"), c.as(t, "system:kube-controller-manager", "kube-controller-manager")
	gitops := c.as(t, "argocd", "argocd")
	apps := system.AppsV1().Deployments("shop")
	must(ann.AppsV1().Deployments("shop").Create(ctx, deployment("calm"), metav1.CreateOptions{}))(t)
	lease := must(system.CoordinationV1().Leases("shop").Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "l"}}, metav1.CreateOptions{}))(t)
	for i := range int32(8) {
		// An autoscaler, a rolling deployment and the status.
		scale := must(apps.GetScale(ctx, "calm", metav1.GetOptions{}))(t)
		scale.Spec.Replicas = 2 + i%2
		must(apps.UpdateScale(ctx, "calm", scale, metav1.UpdateOptions{}))(t)
		must(ann.AppsV1().Deployments("shop").Patch(ctx, "calm", types.StrategicMergePatchType,
			[]byte(`{"spec":{"template":{"metadata":{"annotations":{"restarted":"`+strings.Repeat("x", int(i)+1)+`"}}}}}`), metav1.PatchOptions{}))(t)
		d := must(apps.Get(ctx, "calm", metav1.GetOptions{}))(t)
		d.Status.Replicas = i % 2
		must(apps.UpdateStatus(ctx, d, metav1.UpdateOptions{}))(t)
		// Leader election.
		lease.Spec.HolderIdentity = new("candidate-" + string('a'+rune(i%2)))
		lease = must(system.CoordinationV1().Leases("shop").Update(ctx, lease, metav1.UpdateOptions{}))(t)
		// GitOps: an apply that changes nothing, and a dry run.
		applied := []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","labels":{"app":"c"}},"data":{"a":"b"}}`)
		must(gitops.CoreV1().ConfigMaps("shop").Patch(ctx, "c", types.ApplyPatchType, applied, metav1.PatchOptions{FieldManager: "argocd", Force: new(true)}))(t)
		must(gitops.AppsV1().Deployments("shop").Create(ctx, deployment("new"), metav1.CreateOptions{DryRun: []string{"All"}}))(t)
		// A pod of a StatefulSet is created again under its name, and its status is patched.
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "db-0"}}
		pod.Spec.Containers = []corev1.Container{{Name: "db", Image: "db"}}
		must(system.CoreV1().Pods("shop").Create(ctx, pod, metav1.CreateOptions{}))(t)
		must(system.CoreV1().Pods("shop").Patch(ctx, "db-0", types.StrategicMergePatchType, []byte(`{"status":{"phase":"Running"}}`), metav1.PatchOptions{}, "status"))(t)
		if err := system.CoreV1().Pods("shop").Delete(ctx, "db-0", metav1.DeleteOptions{GracePeriodSeconds: new(int64(0))}); err != nil {
			t.Fatal(err)
		}
	}
	// A user tries something, and undoes it.
	for _, team := range []string{"b", "a"} {
		must(ann.AppsV1().Deployments("shop").Patch(ctx, "calm", types.MergePatchType, []byte(`{"metadata":{"labels":{"team":"`+team+`"}}}`), metav1.PatchOptions{}))(t)
	}
}

func read(t *testing.T, path string, visit func(*auditlog.Event)) *auditlog.Stats {
	t.Helper()
	stats, err := auditlog.Read(context.Background(), auditlog.Input{Paths: []string{path}}, func(e *auditlog.Event) error {
		visit(e)
		return nil
	})
	if err != nil || stats.Broken > 0 {
		t.Fatal(err, stats.Problems)
	}
	return stats
}

// TestFight: the webhook and the controller that fight are found, both by name, and nothing
// else is.
func TestFight(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
	must(c.as(t, "ann", "kubectl").CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{}))(t)
	live(t, c)
	liveSystems(t, c)
	fight(t, c)
	finder, counts := loops.New(loops.Config{}), tally.New()
	query, err := history.ParseQuery("deployment/shop/web")
	if err != nil {
		t.Fatal(err)
	}
	object := history.New(query)
	stats := read(t, c.log, func(e *auditlog.Event) {
		finder.Add(e)
		counts.Add(e)
		object.Add(e)
	})
	checkSecondRound(t, counts.Report())
	found := finder.Loops()
	if len(found) != 1 {
		t.Fatalf("%d loops in %d events: %+v", len(found), stats.Events, found)
	}
	l := found[0]
	if l.Kind != loops.Undone || l.Webhook != "labels/team.example.com" || l.Resource != "deployments.apps" ||
		l.Name != "web" || l.Times != 6 || l.Objects != 1 || strings.Join(l.Paths, " ") != "metadata.labels.team" ||
		len(l.Undoers) != 1 || l.Undoers[0].User != operator || l.Undoers[0].Manager != manager || l.Request == nil {
		t.Errorf("got %+v", l)
	}
	checkHistory(t, object)
}

// checkHistory: in each request the webhook wrote the label, and nothing is unexplained but
// what the server writes itself.
func checkHistory(t *testing.T, object *history.History) {
	t.Helper()
	entries, err := object.Entries()
	if err != nil || len(entries) != 7 {
		t.Fatalf("%d requests, %v", len(entries), err)
	}
	path, err := explain.ParsePath("metadata.labels.team")
	if err != nil {
		t.Fatal(err)
	}
	for i, entry := range entries {
		fields := entry.Explanation.ForPath(path).Fields
		if len(fields) != 1 || fields[0].Writer.Webhook != "team.example.com" || len(entry.Explanation.Problems) > 0 {
			t.Errorf("request %d: %s", i, entry.Explanation)
		}
		for _, f := range entry.Explanation.Fields {
			if f.Writer.By == explain.ByServer && !strings.HasPrefix(f.Path, "metadata.") {
				t.Errorf("request %d: %s is by the server", i, f.Path)
			}
		}
	}
}
