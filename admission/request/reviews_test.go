package request_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/testutil/testtable"
)

// reviewRow is a request and the gist of what a webhook receives; the bytes are
// in testdata/reviews.
type reviewRow struct {
	row
	ask  func() (*admission.Request, error)
	want string
}

func TestReviews(t *testing.T) {
	t.Parallel()
	rows := slices.Concat(writeRows(), subresourceRows(), deleteRows(), connectRows(), detailRows())
	testtable.Run(t, rows, func(t *testing.T, tc reviewRow) {
		r, err := tc.ask()
		if err != nil {
			t.Fatal(err)
		}
		body := received(t, r)
		if diff := cmp.Diff(tc.want, gist(t, body)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		matchFile(t, body, "reviews", strings.ReplaceAll(tc.Name(), " ", "_")+".json")
	})
}

func create(at request.Endpoint, object object, by request.By) func() (*admission.Request, error) {
	return func() (*admission.Request, error) { return request.Create(at, object, by) }
}

func change(verb changing, at request.Endpoint, old, object object, by request.By) func() (*admission.Request, error) {
	return func() (*admission.Request, error) { return verb(at, old, object, by) }
}

// changing is Update, Patch or Apply.
type changing = func(at request.Endpoint, old, object object, by request.By) (*admission.Request, error)

func writeRows() []reviewRow {
	return []reviewRow{{
		row{"create", "I-A1, S-216, S-217: the object is new, the options are CreateOptions"},
		create(pods, pod("new"), ann),
		"CREATE v1 pods shop/web: v1 Pod, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}, {
		row{"create with generated name", "S-215: mutating webhooks do not know the name yet"},
		create(pods, generated(), ann),
		"CREATE v1 pods shop/: v1 Pod, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}, {
		row{"create namespace", "S-365: it is in itself"},
		create(namespaces, namespace("new"), ann),
		"CREATE v1 namespaces shop/shop: v1 Namespace, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}, {
		row{"create without any name", "reviews are asked for, not stored, and have no names"},
		create(reviews, &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: "t"}}, ann),
		"CREATE authentication.k8s.io/v1 tokenreviews /: authentication.k8s.io/v1 TokenReview, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}, {
		row{"create custom resource", "I-A14: unstructured objects are as good as others"},
		create(gadgets, gadget("new"), ann),
		"CREATE toys.example.com/v1 gadgets shop/web: toys.example.com/v1 Gadget, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}, {
		row{"update", "I-A2, S-217: both objects, UpdateOptions"},
		change(request.Update, pods, pod("old"), pod("new"), ann),
		"UPDATE v1 pods shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"update namespace", "S-365: also when it is there already"},
		change(request.Update, namespaces, namespace("old"), namespace("new"), ann),
		"UPDATE v1 namespaces shop/shop: v1 Namespace, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"patch", "I-A3, S-216: UpdateOptions although the client sends PatchOptions"},
		change(request.Patch, pods, pod("old"), pod("new"), by(manager)),
		"UPDATE v1 pods shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"apply", "S-216, S-362: a patch like others while the object exists"},
		change(request.Apply, pods, pod("old"), pod("new"), by(manager)),
		"UPDATE v1 pods shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"apply creating", "S-216, S-362: and a creation when it does not"},
		change(request.Apply, pods, nil, pod("new"), by(manager)),
		"CREATE v1 pods shop/web: v1 Pod, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}}
}

func subresourceRows() []reviewRow {
	token := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{Audiences: []string{"shop"}}}
	on := func(e request.Endpoint, subresource string) request.Endpoint { return at(e, subresource, "", "") }
	return []reviewRow{{
		row{"status", "I-A6: the whole object is sent"},
		change(request.Update, on(pods, "status"), pod("old"), pod("new"), ann),
		"UPDATE v1 pods/status shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"status patched", "I-A7: the same as an update of it"},
		change(request.Patch, on(pods, "status"), pod("old"), pod("new"), ann),
		"UPDATE v1 pods/status shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"scale", "old and new are Scales, and no deployment is in sight"},
		change(request.Update, on(deployments, "scale"), scale(1), scale(2), ann),
		"UPDATE apps/v1 deployments/scale shop/web: autoscaling/v1 Scale, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"scale in core", "the Scale is in its own group for core resources, too"},
		change(request.Apply, on(controllers, "scale"), scale(1), scale(2), by(manager)),
		"UPDATE v1 replicationcontrollers/scale shop/web: autoscaling/v1 Scale, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"scale of custom resource", "custom resources scale with the same kind"},
		change(request.Update, on(gadgets, "scale"), scale(1), scale(2), ann),
		"UPDATE toys.example.com/v1 gadgets/scale shop/web: autoscaling/v1 Scale, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"status of custom resource", "any resource may have a status"},
		change(request.Update, on(gadgets, "status"), gadget("old"), gadget("new"), ann),
		"UPDATE toys.example.com/v1 gadgets/status shop/web: toys.example.com/v1 Gadget, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"ephemeralcontainers", "a pod, of which only the debug containers count"},
		change(request.Update, on(pods, "ephemeralcontainers"), pod("old"), pod("new"), ann),
		"UPDATE v1 pods/ephemeralcontainers shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"resize", "a pod, of which only the resources count"},
		change(request.Patch, on(pods, "resize"), pod("old"), pod("new"), ann),
		"UPDATE v1 pods/resize shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"approval", "the certificate signing request with another condition"},
		change(request.Update, on(csrs, "approval"), csr("old"), csr("new"), ann),
		"UPDATE certificates.k8s.io/v1 certificatesigningrequests/approval /ann: certificates.k8s.io/v1 CertificateSigningRequest, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"finalize", "I-A8: how a namespace loses its finalizers"},
		change(request.Update, on(namespaces, "finalize"), namespace("old"), namespace("new"), ann),
		"UPDATE v1 namespaces/finalize shop/shop: v1 Namespace, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"binding", "I-A11: a creation with the name of the pod"},
		create(on(pods, "binding"), binding(), ann),
		"CREATE v1 pods/binding shop/web: v1 Binding, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}, {
		row{"bindings", "I-A11: the older way is a resource"},
		create(bindings, binding(), ann),
		"CREATE v1 bindings shop/web: v1 Binding, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}, {
		row{"eviction", "I-A11: policy/v1 although the resource is in the core group"},
		create(on(pods, "eviction"), eviction(), by(dry)),
		"CREATE v1 pods/eviction shop/web: policy/v1 Eviction, object same, old null, options meta.k8s.io/v1 CreateOptions, dry run",
	}, {
		row{"token", "I-A13: the path names the account, the body need not"},
		create(at(accounts, "token", "shop", "web"), token, ann),
		"CREATE v1 serviceaccounts/token shop/web: authentication.k8s.io/v1 TokenRequest, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}}
}

func deleteRows() []reviewRow {
	gently := by(func(b *request.By) {
		b.GracePeriodSeconds, b.PropagationPolicy = new(int64), new(metav1.DeletePropagationForeground)
		b.Preconditions = &metav1.Preconditions{ResourceVersion: new("7")}
	})
	remove := func(at request.Endpoint, old object, by request.By) func() (*admission.Request, error) {
		return func() (*admission.Request, error) { return request.Delete(at, old, by) }
	}
	return []reviewRow{{
		row{"delete", "I-A4, S-217: only the old object, DeleteOptions"},
		remove(pods, pod("old"), gently),
		"DELETE v1 pods shop/web: v1 Pod, object null, old same, options meta.k8s.io/v1 DeleteOptions",
	}, {
		row{"delete namespace", "I-A8, S-365: it is in itself"},
		remove(namespaces, namespace("old"), ann),
		"DELETE v1 namespaces shop/shop: v1 Namespace, object null, old same, options meta.k8s.io/v1 DeleteOptions",
	}, {
		row{"delete in dry run", "S-202: webhooks are told, in two places"},
		remove(pods, pod("old"), by(dry)),
		"DELETE v1 pods shop/web: v1 Pod, object null, old same, options meta.k8s.io/v1 DeleteOptions, dry run",
	}, {
		row{"delete collection", "I-A5, S-217: the members are not named"},
		func() (*admission.Request, error) {
			all, err := request.DeleteCollection(pods, []object{pod("old")}, ann)
			if err != nil {
				return nil, err
			}
			return all[0], nil
		},
		"DELETE v1 pods shop/: v1 Pod, object null, old same, options meta.k8s.io/v1 DeleteOptions",
	}}
}

func connectRows() []reviewRow {
	to := func(e request.Endpoint, subresource, namespace string, options object) func() (*admission.Request, error) {
		return func() (*admission.Request, error) {
			return request.Connect(at(e, subresource, namespace, "web"), options, ann)
		}
	}
	return []reviewRow{{
		row{"exec", "I-A10, S-216, S-217: the object is the options, and the options are null"},
		to(pods, "exec", "shop", &corev1.PodExecOptions{Stdin: true, Container: "main", Command: []string{"sh"}}),
		"CONNECT v1 pods/exec shop/web: v1 PodExecOptions, object same, old null, options null",
	}, {
		row{"attach", "I-A10: each has a kind of its own"},
		to(pods, "attach", "shop", &corev1.PodAttachOptions{Container: "main"}),
		"CONNECT v1 pods/attach shop/web: v1 PodAttachOptions, object same, old null, options null",
	}, {
		row{"portforward", "I-A10: each has a kind of its own"},
		to(pods, "portforward", "shop", &corev1.PodPortForwardOptions{Ports: []int32{80}}),
		"CONNECT v1 pods/portforward shop/web: v1 PodPortForwardOptions, object same, old null, options null",
	}, {
		row{"proxy to pod", "I-A12: the path is in the object"},
		to(pods, "proxy", "shop", &corev1.PodProxyOptions{Path: "/healthz"}),
		"CONNECT v1 pods/proxy shop/web: v1 PodProxyOptions, object same, old null, options null",
	}, {
		row{"proxy to service", "I-A12: each has a kind of its own"},
		to(services, "proxy", "shop", &corev1.ServiceProxyOptions{Path: "/healthz"}),
		"CONNECT v1 services/proxy shop/web: v1 ServiceProxyOptions, object same, old null, options null",
	}, {
		row{"proxy to node", "I-A12: nodes are in no namespace"},
		to(nodes, "proxy", "", &corev1.NodeProxyOptions{Path: "/stats"}),
		"CONNECT v1 nodes/proxy /web: v1 NodeProxyOptions, object same, old null, options null",
	}}
}

func detailRows() []reviewRow {
	return []reviewRow{{
		row{"who asks", "S-214: all that is known of the user"},
		create(pods, pod("new"), request.By{User: authenticationv1.UserInfo{
			Username: "ann", UID: "1", Groups: []string{"staff", "system:authenticated"},
			Extra: map[string]authenticationv1.ExtraValue{"scopes": {"read", "write"}},
		}}),
		"CREATE v1 pods shop/web: v1 Pod, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}, {
		row{"options of create", "S-202, S-216: what the query says is in the options"},
		create(pods, pod("new"), by(func(b *request.By) { b.DryRun, b.FieldManager, b.FieldValidation = true, "kubectl", "Strict" })),
		"CREATE v1 pods shop/web: v1 Pod, object same, old null, options meta.k8s.io/v1 CreateOptions, dry run",
	}, {
		row{"options of update", "S-202, S-216: also of an update"},
		change(request.Update, pods, pod("old"), pod("new"),
			by(func(b *request.By) { b.DryRun, b.FieldManager, b.FieldValidation = true, "kubectl", "Strict" })),
		"UPDATE v1 pods shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions, dry run",
	}, {
		row{"namespace of the path", "objects without a namespace get that of the path, as on a server"},
		change(request.Update, at(pods, "", "shop", ""),
			&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}}, ann),
		"UPDATE v1 pods shop/web: v1 Pod, object same, old same, options meta.k8s.io/v1 UpdateOptions",
	}, {
		row{"namespace where there are none", "objects outside of namespaces lose theirs, as on a server"},
		create(nodes, &corev1.Node{ObjectMeta: web("new")}, ann),
		"CREATE v1 nodes /web: v1 Node, object same, old null, options meta.k8s.io/v1 CreateOptions",
	}}
}
