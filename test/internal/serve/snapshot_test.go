package serve_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	auditv1 "k8s.io/apiserver/pkg/apis/audit/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/testutil/process"
)

// params is the number of params that a binding selects: more than a page, which has 250.
const params = 251

// snapshotted is a server with objects of all kinds that a snapshot has.
type snapshotted struct {
	*process.Process
	client *kubernetes.Clientset
	// objects is a client for objects of all kinds.
	objects *dynamic.DynamicClient
	audit   string
}

// startSnapshotted starts the server with n params.
func startSnapshotted(t *testing.T, n int) *snapshotted {
	t.Helper()
	folder := t.TempDir()
	policy, log := filepath.Join(folder, "policy.yaml"), filepath.Join(folder, "log")
	text := "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n"
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &snapshotted{audit: log, Process: process.Start(t, binary, "--authorization", "RBAC",
		"-f", "testdata/snapshot/cluster.yaml", "--audit-policy-file", policy, "--audit-log-path", log)}
	config := s.Config(t)
	config.QPS = -1
	var err error
	if s.client, err = kubernetes.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	if s.objects, err = dynamic.NewForConfig(config); err != nil {
		t.Fatal(err)
	}
	limit := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Limit", "metadata": map[string]any{"name": "limit"},
		"spec": map[string]any{"max": int64(5), "ratio": 1e21},
	}}
	limits := s.objects.Resource(schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "limits"})
	if _, err := limits.Create(t.Context(), limit, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		tier := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("tier-%d", i), Labels: map[string]string{"tiers": "true"}},
			Data:       map[string]string{"tier": "front"},
		}
		if _, err := s.client.CoreV1().ConfigMaps("policy").Create(t.Context(), tier, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run runs the command with the server, and returns what it printed and its exit status.
func (s *snapshotted) run(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	var out, problems strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &problems
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.Kubeconfig)
	_ = cmd.Run() // the status says it
	return out.String(), problems.String(), cmd.ProcessState.ExitCode()
}

// snapshot takes a snapshot and returns its files.
func (s *snapshotted) snapshot(t *testing.T, folder string, args ...string) map[string]string {
	t.Helper()
	_, stderr, status := s.run(t, append([]string{"snapshot", "-o", folder}, args...)...)
	if status != 0 || !strings.HasSuffix(stderr, " objects written to "+folder+"\n") {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	files := map[string]string{}
	for _, name := range left(t, folder) {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

// collections are those of which a snapshot has all objects, by the names of the files.
var collections = map[string]schema.GroupVersionResource{
	"mutatingwebhookconfigurations.admissionregistration.k8s.io":     {},
	"validatingwebhookconfigurations.admissionregistration.k8s.io":   {},
	"mutatingadmissionpolicies.admissionregistration.k8s.io":         {},
	"mutatingadmissionpolicybindings.admissionregistration.k8s.io":   {},
	"validatingadmissionpolicies.admissionregistration.k8s.io":       {},
	"validatingadmissionpolicybindings.admissionregistration.k8s.io": {},
	"customresourcedefinitions.apiextensions.k8s.io":                 {},
	"namespaces":                                    {},
	"services":                                      {},
	"endpointslices.discovery.k8s.io":               {},
	"deployments.apps":                              {},
	"statefulsets.apps":                             {},
	"daemonsets.apps":                               {},
	"poddisruptionbudgets.policy":                   {},
	"clusterroles.rbac.authorization.k8s.io":        {},
	"clusterrolebindings.rbac.authorization.k8s.io": {},
	"roles.rbac.authorization.k8s.io":               {},
	"rolebindings.rbac.authorization.k8s.io":        {},
	"params.limits.v1.example.com":                  {Group: "example.com", Version: "v1", Resource: "limits"},
}

// TestSnapshot: a snapshot has all objects as the server has them, is the same a second time,
// is read by other commands, and only reads.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	s := startSnapshotted(t, params)
	folder := filepath.Join(t.TempDir(), "a")
	files := s.snapshot(t, folder, "--secret", "policy/cert")
	if again := s.snapshot(t, folder, "--secret", "policy/cert"); !maps.Equal(again, files) {
		t.Error("the second snapshot differs")
	}
	s.wantObjects(t, files)
	for _, command := range []string{"validate", "plan", "explain", "lint", "outage"} {
		if _, stderr, status := s.run(t, command, "-f", folder); status > 1 {
			t.Errorf("%s: exit status %d: %s", command, status, stderr)
		}
	}
	process.Start(t, binary, "-f", folder).Config(t) // which waits until it is ready
	if status := s.Stop(t); status != 0 {
		t.Errorf("exit status %d", status)
	}
	s.wantReadOnly(t)
}

// wantObjects compares files with the objects of the server.
func (s *snapshotted) wantObjects(t *testing.T, files map[string]string) {
	t.Helper()
	for name, gvr := range collections {
		if gvr.Resource == "" {
			gvr = schema.ParseGroupResource(name).WithVersion("v1")
		}
		list, err := s.objects.Resource(gvr).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := documents(t, files[name+".yaml"])
		if len(list.Items) != len(got) || len(got) == 0 {
			t.Errorf("%s: there are %d, and the server has %d", name, len(got), len(list.Items))
			continue
		}
		for i := range list.Items {
			want := expected(t, list.Items[i].Object)
			if id := identityOf(want); !reflect.DeepEqual(got[id], want) {
				t.Errorf("%s %s: got\n%v\nwant\n%v", name, id, got[id], want)
			}
		}
	}
	if got := documents(t, files["params.configmaps.v1.yaml"]); len(got) != params || got["policy/unrelated"] != nil {
		t.Errorf("there are %d params", len(got))
	}
	if got := documents(t, files["pods.yaml"]); len(got) != 1 || got["policy/guard-x"] == nil {
		t.Errorf("the pods are %v", got)
	}
	if got := documents(t, files["secrets.yaml"]); len(got) != 1 || len(got["policy/cert"]["data"].(map[string]any)) > 0 {
		t.Errorf("the secrets are %v", got)
	}
}

// documents returns the objects of a file by their names.
func documents(t *testing.T, text string) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	for part := range strings.SplitSeq(text, "---\n") {
		if part == "" {
			continue
		}
		var object map[string]any
		if err := yaml.UnmarshalStrict([]byte(part), &object); err != nil {
			t.Fatal(err)
		}
		all[identityOf(object)] = object
	}
	return all
}

func identityOf(object map[string]any) string {
	o := unstructured.Unstructured{Object: object}
	return o.GetNamespace() + "/" + o.GetName()
}

// expected returns an object of the server as docs/snapshot.md describes it.
func expected(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	metadata := object["metadata"].(map[string]any)
	for _, field := range []string{"generation", "managedFields", "resourceVersion", "uid"} {
		delete(metadata, field)
	}
	status, _ := object["status"].(map[string]any)
	maps.DeleteFunc(status, func(name string, _ any) bool {
		return name != "phase" && !strings.HasSuffix(strings.ToLower(name), "replicas") &&
			!strings.Contains(name, "Number") && !strings.HasPrefix(name, "number")
	})
	if len(status) == 0 {
		delete(object, "status")
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var same map[string]any // with the types of numbers that decoding yields
	if err := json.Unmarshal(text, &same); err != nil {
		t.Fatal(err)
	}
	return same
}

// wantReadOnly looks into the audit log.
func (s *snapshotted) wantReadOnly(t *testing.T) {
	t.Helper()
	file, err := os.Open(s.audit)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	pages, secrets := 0, map[string]bool{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event auditv1.Event
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(event.UserAgent, "gatehouse/") {
			continue
		}
		if event.Verb != "get" && event.Verb != "list" {
			t.Errorf("it sent %s %s", event.Verb, event.RequestURI)
		}
		if strings.Contains(event.RequestURI, "continue=") {
			pages++
		}
		if strings.Contains(event.RequestURI, "secrets") {
			secrets[event.RequestURI] = true
		}
	}
	if pages == 0 {
		t.Error("the log has no second page: are the requests in it?")
	}
	if want := map[string]bool{"/api/v1/namespaces/policy/secrets/cert": true}; !maps.Equal(secrets, want) {
		t.Errorf("it read the secrets %v", secrets)
	}
}

// TestSnapshotRBAC: what a user may not read is named, the printed roles suffice, and no rule
// of them can go.
func TestSnapshotRBAC(t *testing.T) {
	t.Parallel()
	s := startSnapshotted(t, 1)
	parent := t.TempDir()
	asReader := []string{"--as", "reader", "--secret", "policy/cert"}
	take := append([]string{"snapshot", "-o", filepath.Join(parent, "a")}, asReader...)
	_, stderr, status := s.run(t, take...)
	if status != 2 || len(left(t, parent)) > 0 {
		t.Errorf("exit status %d, and it left %q", status, left(t, parent))
	}
	for name, gvr := range collections {
		if gvr.Resource == "" && !strings.Contains(stderr, "gatehouse: "+name+": "+name+` is forbidden: User "reader" cannot list`) {
			t.Errorf("%s is not named in\n%s", name, stderr)
		}
	}
	printed, stderr, status := s.run(t, "snapshot", "--rbac", "--secret", "policy/cert")
	if status != 0 || stderr != "" {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	cluster, role := s.bind(t, printed)
	files := s.snapshot(t, filepath.Join(parent, "a"), asReader...)
	if admin := s.snapshot(t, filepath.Join(parent, "b"), "--secret", "policy/cert"); !maps.Equal(files, admin) {
		t.Error("the snapshot of the reader is not that of the administrator")
	}
	roles := s.client.RbacV1()
	for i, rule := range cluster.Rules {
		if len(rule.NonResourceURLs) > 0 {
			continue // every user may use discovery, unless an administrator forbids it
		}
		without := cluster.DeepCopy()
		without.Rules = slices.Delete(without.Rules, i, i+1)
		if _, err := roles.ClusterRoles().Update(t.Context(), without, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, stderr, status := s.run(t, take...); status != 2 || !strings.Contains(stderr, rule.Resources[0]) {
			t.Errorf("without %v: exit status %d: %s", rule, status, stderr)
		}
	}
	if _, err := roles.ClusterRoles().Update(t.Context(), cluster, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := roles.Roles(role.Namespace).Delete(t.Context(), role.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	_, stderr, status = s.run(t, append(take, "--skip-forbidden")...)
	const want = "gatehouse: secrets policy/cert: left out, because the user has no permission to read it\n"
	if status != 0 || !strings.HasPrefix(stderr, want) {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}

// bind creates the roles that the command has printed, and binds the user reader to them.
func (s *snapshotted) bind(t *testing.T, printed string) (*rbacv1.ClusterRole, *rbacv1.Role) {
	t.Helper()
	parts := strings.Split(printed, "---\n")
	if len(parts) != 3 {
		t.Fatalf("it printed\n%s", printed)
	}
	var cluster rbacv1.ClusterRole
	var role rbacv1.Role
	if err := yaml.UnmarshalStrict([]byte(parts[1]), &cluster); err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict([]byte(parts[2]), &role); err != nil {
		t.Fatal(err)
	}
	subjects := []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "reader"}}
	api := s.client.RbacV1()
	created, err := api.ClusterRoles().Create(t.Context(), &cluster, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	created.ResourceVersion = "" // later changes do not depend on it
	if _, err := api.Roles(role.Namespace).Create(t.Context(), &role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := api.ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Subjects: subjects,
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: cluster.Name},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := api.RoleBindings(role.Namespace).Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "reader"}, Subjects: subjects,
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return created, &role
}
