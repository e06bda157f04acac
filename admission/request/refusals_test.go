package request_test

import (
	"errors"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/testutil/testtable"
)

// refusalRow is a request that cannot be made, and the error without the part
// that every error begins with.
type refusalRow struct {
	row
	ask  func() (*admission.Request, error)
	want string
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][]refusalRow{
		"endpoints": endpointRefusals(), "objects": objectRefusals(), "options": optionRefusals(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testtable.Run(t, rows, func(t *testing.T, tc refusalRow) {
				r, err := tc.ask()
				if err == nil || r != nil {
					t.Fatalf("got %v, %v", r, err)
				}
				attempted, reason, _ := strings.Cut(err.Error(), ": ")
				var found *request.ArgumentError
				if !errors.As(err, &found) || found.Error() != reason {
					t.Errorf("the argument at fault is %v in %v", found, err)
				}
				if reason != tc.want || !strings.HasPrefix(attempted, "making a request to ") {
					t.Errorf("got  %s: %s\nwant %s", attempted, reason, tc.want)
				}
			})
		})
	}
}

func endpointRefusals() []refusalRow {
	nowhere, kindless := pods, pods
	nowhere.Resource.Resource, nowhere.Resource.Version = "", ""
	kindless.Kind.Kind, kindless.Kind.Version = "", ""
	exec := &corev1.PodExecOptions{}
	connect := func(at request.Endpoint) func() (*admission.Request, error) {
		return func() (*admission.Request, error) { return request.Connect(at, exec, ann) }
	}
	return []refusalRow{
		{row{"no resource", "there is nowhere to send it"}, create(nowhere, pod("new"), ann), "Endpoint.Resource: required"},
		{row{"no kind", "rules and conversion need one"}, create(kindless, pod("new"), ann), "Endpoint.Kind: required"},
		{row{"namespace of nodes", "a path that does not exist"}, create(at(nodes, "", "shop", ""), &corev1.Node{}, ann),
			`Endpoint.Namespace: "shop", but nodes are cluster-scoped`},
		{row{"no namespace", "pods are always in one"}, create(pods, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, ann),
			"Endpoint.Namespace: required: pods are namespaced"},
		{row{"no namespace to connect", "options do not say where the pod is"}, connect(at(pods, "exec", "", "web")),
			"Endpoint.Namespace: required: pods are namespaced"},
		{row{"no name to connect", "options do not say which pod"}, connect(at(pods, "exec", "shop", "")), "Endpoint.Name: required"},
		{row{"no name of the account", "the body of a token request need not have one"},
			create(at(accounts, "token", "shop", ""), &authenticationv1.TokenRequest{}, ann), "Endpoint.Name: required"},
		{row{"connecting to pods", "it is always a subresource"}, connect(at(pods, "", "shop", "web")),
			"Endpoint.Subresource: required: a CONNECT to pods needs a subresource"},
		{row{"unknown subresource", "it would be a guess"}, create(at(pods, "log", "shop", "web"), pod("new"), ann),
			`Endpoint.Subresource: pods have no subresource "log"`},
		{row{"subresource of others", "only pods are resized"},
			change(request.Update, at(deployments, "resize", "", ""), pod("old"), pod("new"), ann),
			`Endpoint.Subresource: deployments.apps have no subresource "resize"`},
		{row{"pods of another group", "only those of the core group can be evicted"},
			create(at(namespaced("metrics.k8s.io", "v1beta1", "PodMetrics", "pods"), "eviction", "", ""), eviction(), ann),
			`Endpoint.Subresource: pods.metrics.k8s.io have no subresource "eviction"`},
		{row{"updating an eviction", "it is a creation"}, change(request.Update, at(pods, "eviction", "", ""), eviction(), eviction(), ann),
			"Endpoint.Subresource: requests to pods/eviction are CREATE, not UPDATE"},
		{row{"rollback", "no server of this release has it"}, create(at(deployments, "rollback", "shop", ""), scale(1), ann),
			`Endpoint.Subresource: deployments.apps have no subresource "rollback"`},
		{row{"creating a status", "it is an update"}, create(at(pods, "status", "", ""), pod("new"), ann),
			"Endpoint.Subresource: requests to pods/status are UPDATE, not CREATE"},
		{row{"deleting a status", "it is an update"},
			func() (*admission.Request, error) { return request.Delete(at(pods, "status", "", ""), pod("old"), ann) },
			"Endpoint.Subresource: requests to pods/status are UPDATE, not DELETE"},
	}
}

func objectRefusals() []refusalRow {
	var none *corev1.Pod
	labeled := func(version, kind string) *corev1.Pod {
		p := pod("new")
		p.APIVersion, p.Kind = version, kind
		return p
	}
	named := func(name, namespace string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
	}
	return []refusalRow{
		{row{"no object", "S-217: a creation is about one"}, create(pods, nil, ann), "object: required"},
		{row{"nil pointer", "it is no object either"}, create(pods, none, ann), "object: required"},
		{row{"no old object", "S-217: an update has two"}, change(request.Update, pods, nil, pod("new"), ann), "old: required"},
		{row{"patch of nothing", "S-362: only an apply creates"}, change(request.Patch, pods, nil, pod("new"), ann), "old: required"},
		{row{"apply to a subresource of nothing", "no subresource is created by an apply"},
			change(request.Apply, at(pods, "status", "", ""), nil, pod("new"), by(manager)), "old: required"},
		{row{"no object to delete", "S-217: webhooks see what goes"},
			func() (*admission.Request, error) { return request.Delete(pods, nil, ann) }, "old: required"},
		{row{"another kind", "a server would not take it"}, create(pods, labeled("apps/v1", "Deployment"), ann),
			"object: is apps/v1 Deployment, but pods take v1 Pod"},
		{row{"parent of a subresource", "a common mistake: the deployment is not what is scaled"},
			change(request.Update, at(deployments, "scale", "", ""), scale(1), labeled("apps/v1", "Deployment"), ann),
			"object: is apps/v1 Deployment, but deployments.apps/scale take autoscaling/v1 Scale"},
		{row{"parent of a subresource without kind", "never a wrong object: it would be sent as a Scale"},
			change(request.Update, at(deployments, "scale", "", ""), scale(1), pod("new"), ann),
			"object: is of Go type v1.Pod, without apiVersion and kind, but deployments.apps/scale take autoscaling/v1 Scale"},
		{row{"unstructured without kind", "nothing says what it is"}, create(gadgets, &unstructured.Unstructured{}, ann),
			"object: is of Go type unstructured.Unstructured, without apiVersion and kind, but gadgets.toys.example.com take toys.example.com/v1 Gadget"},
		{row{"no name", "a stored object has one"}, change(request.Update, pods, named("", "shop"), pod("new"), ann),
			"old.metadata.name: required"},
		{row{"no name to apply", "a patch has a name in its path"}, change(request.Apply, pods, nil, generated(), by(manager)),
			"object.metadata.name: required"},
		{row{"another name", "an update does not rename"}, change(request.Update, pods, pod("old"), named("other", "shop"), ann),
			`object.metadata.name: "other", but the request is for "web"`},
		{row{"another namespace", "an update does not move"}, change(request.Update, pods, pod("old"), named("web", "other"), ann),
			`object.metadata.namespace: "other", but the request is for "shop"`},
		{row{"another name in the path", "a server refuses it"}, create(at(pods, "binding", "shop", "other"), binding(), ann),
			`object.metadata.name: "web", but the request is for "other"`},
		{row{"generated name in the path", "S-215: it is not known yet"}, create(at(pods, "", "shop", "web"), generated(), ann),
			`object.metadata.name: empty, but the request is for "web"`},
	}
}

func optionRefusals() []refusalRow {
	remove := func(edit func(*request.By)) func() (*admission.Request, error) {
		return func() (*admission.Request, error) { return request.Delete(pods, pod("old"), by(edit)) }
	}
	connect := func(edit func(*request.By)) func() (*admission.Request, error) {
		return func() (*admission.Request, error) {
			return request.Connect(at(pods, "exec", "shop", "web"), &corev1.PodExecOptions{}, by(edit))
		}
	}
	creating := func(edit func(*request.By)) func() (*admission.Request, error) {
		return create(pods, pod("new"), by(edit))
	}
	strict := func(b *request.By) { b.FieldValidation = "Strict" }
	grace := func(b *request.By) { b.GracePeriodSeconds = new(int64) }
	return []refusalRow{
		{row{"no user name", "S-214: the review has a user name"}, creating(func(b *request.By) { b.User.Username = "" }),
			"By.User.Username: required: every request has a user name"},
		{row{"dry run of connect", "S-364: refused before any webhook hears of it"}, connect(dry),
			"By.DryRun: dryRun is not supported for CONNECT"},
		{row{"manager of connect", "S-216: it has no options"}, connect(manager), "By.FieldManager: must be absent for CONNECT"},
		{row{"grace period of connect", "S-216: it has no options"}, connect(grace), "By.GracePeriodSeconds: must be absent for CONNECT"},
		{row{"manager of delete", "DeleteOptions have no place for it"}, remove(manager), "By.FieldManager: must be absent for DELETE"},
		{row{"field validation of delete", "DeleteOptions have no place for it"}, remove(strict), "By.FieldValidation: must be absent for DELETE"},
		{row{"grace period of create", "CreateOptions have no place for it"}, creating(grace), "By.GracePeriodSeconds: must be absent for CREATE"},
		{row{"propagation of create", "CreateOptions have no place for it"},
			creating(func(b *request.By) { b.PropagationPolicy = new(metav1.DeletePropagationOrphan) }), "By.PropagationPolicy: must be absent for CREATE"},
		{row{"preconditions of update", "UpdateOptions have no place for them"},
			change(request.Update, pods, pod("old"), pod("new"), by(func(b *request.By) { b.Preconditions = &metav1.Preconditions{} })),
			"By.Preconditions: must be absent for UPDATE"},
		{row{"apply without manager", "a server requires one"}, change(request.Apply, pods, pod("old"), pod("new"), ann),
			"By.FieldManager: required for server-side apply"},
		{row{"creating apply without manager", "a server requires one"}, change(request.Apply, pods, nil, pod("new"), ann),
			"By.FieldManager: required for server-side apply"},
		{row{"field validation", "a server knows three, and none at all"}, creating(func(b *request.By) { b.FieldValidation = "Maybe" }),
			`By.FieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"`},
		{row{"manager", "a server wants to be able to print it"},
			change(request.Update, pods, pod("old"), pod("new"), by(func(b *request.By) { b.FieldManager = "\a" })),
			`By.FieldManager: Invalid value: "\a": invalid character U+0007 (at position 0)`},
		{row{"propagation", "a server knows three"},
			remove(func(b *request.By) { b.PropagationPolicy = new(metav1.DeletionPropagation("Later")) }),
			`By.PropagationPolicy: Unsupported value: "Later": supported values: "Foreground", "Background", "Orphan", "nil"`},
	}
}
