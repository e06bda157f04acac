package parity

import (
	"context"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/authentication/user"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/component-base/metrics/legacyregistry"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/plugin"
	"example.com/gatehouse/internal/testutil/testtable"
	"example.com/gatehouse/metrics"
	"example.com/gatehouse/metrics/upstream"
	"example.com/gatehouse/test/internal/parity/harness"
)

func certificateOf(s *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

// staticHost is one side's plugin with a folder of manifests.
type staticHost struct {
	side   harness.Side
	plugin string
	made   apiadmission.Interface
	// server is the identity that its metrics carry. No other host has it.
	server string
}

// openStatic makes a side's plugin. Upstream is given loaders, gatehouse has
// its own.
func openStatic(t *testing.T, side harness.Side, name, dir string, configurations ...runtime.Object) (*staticHost, error) {
	t.Helper()
	kube := fake.NewClientset(append(configurations, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}})...)
	factory := informers.NewSharedInformerFactory(kube, 0)
	drained, server := stopAtCleanup(t), fmt.Sprint(side, name, dir)
	made, err := oracle().Plugins(side).InitPlugin(name, strings.NewReader(webhookAdmission+"staticManifestsDir: "+dir+"\n"), apiadmission.PluginInitializers{
		initializer.NewAPIServerIDInitializer(server),
		initializer.New(kube, nil, factory, nil, utilfeature.DefaultFeatureGate, nil, drained, nil),
		initializing(func(p apiadmission.Interface) {
			// As kube-apiserver's own initializer does.
			p.(initializer.WantsExcludedAdmissionResources).SetExcludedAdmissionResources([]schema.GroupResource{{Group: "authentication.k8s.io", Resource: "tokenreviews"}})
			if side == harness.Upstream {
				p.(initializer.WantsManifestLoaders).SetManifestLoaders(manifestLoaders())
			}
		}),
	})
	if err != nil {
		return nil, err
	}
	factory.Start(drained)
	factory.WaitForCacheSync(drained)
	return &staticHost{side, name, made, server}, nil
}

// staticSeen is all that can be seen of a request.
type staticSeen struct {
	Error       string
	Visits      []string
	Annotations []string
	Labels      map[string]string
}

// staticRequests are ordinary ones, those for what configures admission
// (S-052), and those for what no webhook sees.
func staticRequests() map[string]func() (labelled, string) {
	return map[string]func() (labelled, string){
		"node": func() (labelled, string) { return &corev1.Node{}, "nodes" },
		"policy": func() (labelled, string) {
			return &registrationv1.ValidatingAdmissionPolicy{}, "validatingadmissionpolicies"
		},
		"token review": func() (labelled, string) { return &authenticationv1.TokenReview{}, "tokenreviews" },
	}
}

// labelled is an object.
type labelled interface {
	runtime.Object
	metav1.Object
}

// send sends one of the requests.
func (h *staticHost) send(ctx context.Context, s *staticServer, what string) staticSeen {
	object, resource := staticRequests()[what]()
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if err != nil {
		panic(err)
	}
	object.GetObjectKind().SetGroupVersionKind(kinds[0])
	object.SetName("o")
	attributes := &annotated{Attributes: apiadmission.NewAttributesRecord(object, nil, kinds[0], "", "o",
		kinds[0].GroupVersion().WithResource(resource), "", apiadmission.Create, &metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "kim"})}
	objects := apiadmission.NewObjectInterfacesFromScheme(scheme.Scheme)
	mutating, ok := h.made.(apiadmission.MutationInterface)
	if ok {
		err = mutating.Admit(ctx, attributes, objects)
	} else {
		err = h.made.(apiadmission.ValidationInterface).Validate(ctx, attributes, objects)
	}
	slices.Sort(attributes.added)
	return staticSeen{testtable.Text(err), s.visits(), attributes.added, object.GetLabels()}
}

// staticRow is a folder, what the API has besides, and how many visits a Node
// gets.
type staticRow struct {
	row
	// files are the paths of webhooks by configuration, one file for each.
	files map[string][]string
	api   []string
	nodes int
}

func staticRows() []staticRow {
	return []staticRow{
		{row{"empty folder", "S-040: nothing but the API's webhooks"}, nil, []string{"allow"}, 1},
		{row{"static alone", "S-051: without an API there are webhooks"}, map[string][]string{"s": {"allow"}}, nil, 1},
		{row{"both allow", "S-051: static ones first, so the API's have other indices"}, map[string][]string{"s": {"allow", "allow2"}}, []string{"allow3", "label"}, 4},
		{row{"several files", "S-046: by the names of configurations"}, map[string][]string{"z": {"allow1"}, "a": {"allow2", "allow3"}, "m": {"label"}}, []string{"allow4"}, 5},
		{row{"static denies", "S-051: the API's webhooks are not asked when mutating"}, map[string][]string{"s": {"deny"}}, nil, 1},
		{row{"the API denies", "S-052: but not what configures it"}, map[string][]string{"s": {"label"}}, []string{"deny"}, 2},
	}
}

// TestStaticManifests sends requests through both plugins of all sides over the
// same folder and the same API.
func TestStaticManifests(t *testing.T) {
	for _, tc := range testtable.Checked(t, staticRows()) {
		for _, name := range []string{plugin.MutatingName, plugin.ValidatingName} {
			t.Run(tc.Name()+"/"+name, func(t *testing.T) {
				s, dir := newStaticServer(t, name), t.TempDir()
				for configuration, paths := range tc.files {
					writeManifests(t, dir, map[string]string{configuration + ".yaml": s.manifest(configuration, paths...)})
				}
				seen := map[harness.Side]map[string]staticSeen{}
				for _, side := range []harness.Side{harness.Upstream, harness.Gatehouse, harness.Exact} {
					h, err := openStatic(t, side, name, dir, s.configurations(tc.api)...)
					if err != nil {
						t.Fatal(err)
					}
					seen[side] = map[string]staticSeen{}
					for what := range staticRequests() {
						seen[side][what] = h.send(t.Context(), s, what)
					}
				}
				for _, side := range []harness.Side{harness.Gatehouse, harness.Exact} {
					if diff := cmp.Diff(seen[harness.Upstream], seen[side]); diff != "" {
						t.Errorf("%s (-upstream +gatehouse):\n%s\nwhy: %s", side, diff, tc.Why())
					}
				}
				if got := len(seen[harness.Upstream]["node"].Visits); got != tc.nodes {
					t.Errorf("%d webhooks saw the node, want %d: %+v", got, tc.nodes, seen[harness.Upstream]["node"])
				}
			})
		}
	}
}

// configurations returns what the API has: a configuration with a webhook for
// each path.
func (s *staticServer) configurations(paths []string) []runtime.Object {
	m := &registrationv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "api"}}
	v := &registrationv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "api"}}
	for _, path := range paths {
		w := registrationv1.MutatingWebhook{
			Name:              path + ".api.example.com",
			ClientConfig:      registrationv1.WebhookClientConfig{URL: new(s.URL + "/" + path), CABundle: certificateOf(s.Server)},
			NamespaceSelector: &metav1.LabelSelector{}, ObjectSelector: &metav1.LabelSelector{},
			SideEffects: new(registrationv1.SideEffectClassNone), AdmissionReviewVersions: []string{"v1"},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{"*"},
				Rule:       registrationv1.Rule{APIGroups: []string{"*"}, APIVersions: []string{"*"}, Resources: []string{"*"}},
			}},
		}
		m.Webhooks = append(m.Webhooks, w)
		v.Webhooks = append(v.Webhooks, registrationv1.ValidatingWebhook{
			Name: w.Name, ClientConfig: w.ClientConfig, NamespaceSelector: w.NamespaceSelector, ObjectSelector: w.ObjectSelector,
			SideEffects: w.SideEffects, AdmissionReviewVersions: w.AdmissionReviewVersions, Rules: w.Rules,
		})
	}
	if s.plugin == plugin.MutatingName {
		return []runtime.Object{m}
	}
	return []runtime.Object{v}
}

// staticErrorRow is a folder that no plugin takes.
type staticErrorRow struct {
	row
	files map[string]string
}

func staticErrorRows() []staticErrorRow {
	const v1 = "apiVersion: admissionregistration.k8s.io/v1\n"
	one := func(name, why, content string) staticErrorRow {
		return staticErrorRow{row{name, why}, map[string]string{"a.yaml": content}}
	}
	configured := func(name, client string) string {
		webhooks := "webhooks:\n- {name: w.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: " + client + "}\n"
		m := v1 + "kind: MutatingWebhookConfiguration\nmetadata: {name: " + name + "}\n" + webhooks
		return m + "---\n" + strings.Replace(m, "Mutating", "Validating", 1)
	}
	item := func(kind string) string {
		return "- {apiVersion: admissionregistration.k8s.io/v1, kind: " + kind + "}\n"
	}
	return []staticErrorRow{
		one("Pod", "S-042", "apiVersion: v1\nkind: Pod\n"),
		one("policy", "S-042", v1+"kind: ValidatingAdmissionPolicy\n"),
		one("v1beta1", "S-042", "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingWebhookConfiguration\n"),
		one("both kinds", "S-042: each plugin refuses the other's", configured("a.static.k8s.io", `{url: "https://a"}`)),
		one("unknown field", "S-042", v1+"kind: MutatingWebhookConfiguration\nextra: 1\n"),
		one("no kind", "S-042", v1),
		one("no YAML", "S-042", "a: b: c"),
		one("no JSON", "S-042", "{]"),
		one("two separators", "S-040", "---\n---\n"+v1),
		one("list of lists", "S-042", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}\n"),
		one("list without kinds", "S-042", "apiVersion: v1\nkind: List\nitems: [{}]\n"),
		one("list of null", "S-042", "apiVersion: v1\nkind: List\nitems: [null]\n"),
		one("without names", "S-043, S-044", "apiVersion: v1\nkind: List\nitems:\n"+item("MutatingWebhookConfiguration")+item("ValidatingWebhookConfiguration")),
		one("name without the ending", "S-044", configured("a", `{url: "https://a"}`)),
		one("service", "S-045", configured("a.static.k8s.io", "{service: {name: a, namespace: b}}")),
		one("status", "S-042", "kind: Status\napiVersion: v1\n"),
		{row{"second file", "S-040: the file at fault is named"}, map[string]string{"a.yaml": "", "b.json": "{}"}},
	}
}

// TestStaticManifestErrors compares whole texts.
func TestStaticManifestErrors(t *testing.T) {
	for _, tc := range testtable.Checked(t, staticErrorRows()) {
		for _, name := range []string{plugin.MutatingName, plugin.ValidatingName} {
			dir := t.TempDir()
			writeManifests(t, dir, tc.files)
			texts := map[harness.Side]string{}
			for _, side := range []harness.Side{harness.Upstream, harness.Gatehouse, harness.Exact} {
				_, err := openStatic(t, side, name, dir)
				texts[side] = testtable.Text(err)
			}
			if want := texts[harness.Upstream]; want == "" || texts[harness.Gatehouse] != want || texts[harness.Exact] != want {
				t.Errorf("%s, %s: %q", tc.Name(), name, texts)
			}
		}
	}
}

// reloadStep is a change of one file. If it is refused, the set before it stays
// in force.
type reloadStep struct {
	file, content string
	refused       bool
	want          []string
}

// TestStaticManifestReloads changes a folder under all sides. After each change
// they agree.
func TestStaticManifestReloads(t *testing.T) {
	for _, name := range []string{plugin.MutatingName, plugin.ValidatingName} {
		s, dir := newStaticServer(t, name), t.TempDir()
		writeManifests(t, dir, map[string]string{"a.yaml": s.manifest("a", "first")})
		var hosts []*staticHost
		for _, side := range []harness.Side{harness.Upstream, harness.Gatehouse, harness.Exact} {
			h, err := openStatic(t, side, name, dir, s.configurations([]string{"api"})...)
			if err != nil {
				t.Fatal(err)
			}
			hosts = append(hosts, h)
		}
		for _, step := range []reloadStep{
			{"a.yaml", s.manifest("a", "second"), false, []string{"/api", "/second"}},
			{"b.yaml", s.manifest("b", "third"), false, []string{"/api", "/second", "/third"}},
			{"b.yaml", s.manifest("b", "fourth") + "---\n{}\n", true, []string{"/api", "/second", "/third"}},
			{"b.yaml", s.manifest("b", "fourth"), false, []string{"/api", "/fourth", "/second"}},
		} {
			before := make([]int, len(hosts))
			for i, h := range hosts {
				before[i] = h.refusals(t)
			}
			moveManifest(t, filepath.Join(dir, step.file), step.content)
			for i, h := range hosts {
				// What is wanted then holds before the change is noticed, too.
				if step.refused && !eventually(func() bool { return h.refusals(t) > before[i] }) {
					t.Errorf("%s, %s: the host has not refused a manifest that does not load", h.side, name)
				}
				h.follows(t, s, step)
			}
		}
	}
}

// moveManifest puts a file into a folder at once: a reader never finds half of
// it.
func moveManifest(t *testing.T, path, content string) {
	t.Helper()
	elsewhere := t.TempDir()
	writeManifests(t, elsewhere, map[string]string{"new": content})
	if err := os.Rename(filepath.Join(elsewhere, "new"), path); err != nil {
		t.Fatal(err)
	}
}

// eventually reports whether something becomes true in the time that a busy
// machine may need.
func eventually(is func() bool) bool {
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if is() {
			return true
		}
	}
	return false
}

// follows requires that a node's visits become what a step expects. If the step
// was rejected they must be that already.
func (h *staticHost) follows(t *testing.T, s *staticServer, step reloadStep) {
	t.Helper()
	var got []string
	wanted := func() bool {
		got = h.send(t.Context(), s, "node").Visits
		slices.Sort(got)
		return slices.Equal(got, step.want)
	}
	if !wanted() && !step.refused {
		eventually(wanted)
	}
	if !slices.Equal(got, step.want) {
		t.Errorf("%s, %s: visits %v, want %v", h.side, h.plugin, got, step.want)
	}
}

// refusals returns how often the host has refused what was in its folder, as
// its metrics say.
func (h *staticHost) refusals(t *testing.T) int {
	t.Helper()
	total := 0
	for _, line := range scrapeManifests(t, legacyregistry.DefaultGatherer, h.server) {
		if !strings.Contains(line, `_reloads_total{`) || !strings.Contains(line, `status="failure"`) {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(line[strings.LastIndex(line, " "):]))
		if err != nil {
			t.Fatal(err)
		}
		total += n
	}
	return total
}

// TestStaticManifestMetrics compares gatehouse's metrics with upstream's
// (S-054): both count the same, and then all that a scrape shows of a server
// has to be equal but the times.
func TestStaticManifestMetrics(t *testing.T) {
	server := fmt.Sprint("metrics-", time.Now().UnixNano()) // others have left series with their own
	reg := prometheus.NewPedanticRegistry()
	for _, phase := range []admission.Phase{admission.Mutating, admission.Validating} {
		m, err := metrics.NewManifests(reg, phase, server)
		if err != nil {
			t.Fatal(err)
		}
		for _, counts := range []interface {
			Reloaded(hash string)
			ReloadFailed()
		}{m, upstream.NewManifests(phase, server)} {
			counts.Reloaded("hash-1")
			counts.ReloadFailed()
			counts.Reloaded("hash-2")
		}
	}
	theirs, ours := scrapeManifests(t, legacyregistry.DefaultGatherer, server), scrapeManifests(t, reg, server)
	if diff := cmp.Diff(theirs, ours); diff != "" || len(theirs) != 6+10 {
		t.Errorf("%d lines (-upstream +gatehouse):\n%s", len(theirs), diff)
	}
}

// scrapeManifests returns the lines of the families of manifests, and of series
// only those of one server.
func scrapeManifests(t *testing.T, g prometheus.Gatherer, server string) []string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(g, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	identity := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(server)))
	var lines []string
	for line := range strings.Lines(w.Body.String()) {
		series := strings.HasPrefix(line, "apiserver_manifest_") && strings.Contains(line, identity)
		if series && strings.Contains(line, "_timestamp_") {
			line = line[:strings.LastIndex(line, " ")]
		}
		if series || strings.HasPrefix(line, "#") && strings.Contains(line, " apiserver_manifest_") {
			lines = append(lines, line)
		}
	}
	return lines
}
