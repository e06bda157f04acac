package apiserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"

	"example.com/gatehouse/internal/apiserver/serviceaccounts"
	"example.com/gatehouse/internal/testutil/testtable"
)

// tokenFor returns a token of a service account.
func tokenFor(t *testing.T, client kubernetes.Interface, namespace, name string, spec authenticationv1.TokenRequestSpec) *authenticationv1.TokenRequest {
	t.Helper()
	request := &authenticationv1.TokenRequest{Spec: spec}
	accounts := client.CoreV1().ServiceAccounts(namespace)
	return must[*authenticationv1.TokenRequest](t)(accounts.CreateToken(t.Context(), name, request, metav1.CreateOptions{}))
}

// withToken returns a client of a server.
func withToken(t *testing.T, server *Server, token string) kubernetes.Interface {
	t.Helper()
	config := server.ClientConfig()
	config.BearerToken = token
	return typedFor(t, config)
}

// boundTo returns the objects of a pod that runs as the account, and a spec for
// a token that is bound to it.
func boundTo(t *testing.T, account string) (*corev1.Pod, *corev1.Node, authenticationv1.TokenRequestSpec) {
	t.Helper()
	client := typed(t, shared).CoreV1()
	node := must[*corev1.Node](t)(client.Nodes().Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: own(t)}}, metav1.CreateOptions{}))
	spec := corev1.PodSpec{ServiceAccountName: account, NodeName: node.Name, Containers: []corev1.Container{{Name: "a", Image: "a"}}}
	pod := must[*corev1.Pod](t)(client.Pods(own(t)).Create(t.Context(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: own(t)}, Spec: spec}, metav1.CreateOptions{}))
	return pod, node, authenticationv1.TokenRequestSpec{
		BoundObjectRef: &authenticationv1.BoundObjectReference{APIVersion: "v1", Kind: "Pod", Name: pod.Name, UID: pod.UID},
	}
}

// TestToken: a client with a token is the service account, as long as the pod
// exists to which the token is bound.
func TestToken(t *testing.T) {
	t.Parallel()
	name := seed(t, "serviceaccounts")
	pod, node, spec := boundTo(t, name)
	issued := tokenFor(t, typed(t, shared), own(t), name, spec)
	client := withToken(t, shared, issued.Status.Token)
	review := must[*authenticationv1.SelfSubjectReview](t)(client.AuthenticationV1().SelfSubjectReviews().Create(t.Context(), &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{}))
	user := review.Status.UserInfo
	if id := user.Extra["authentication.kubernetes.io/credential-id"]; len(id) != 1 || !strings.HasPrefix(id[0], "JTI=") {
		t.Errorf("the ID of the credential is %q", id)
	}
	delete(user.Extra, "authentication.kubernetes.io/credential-id")
	want := authenticationv1.UserInfo{
		Username: "system:serviceaccount:" + own(t) + ":" + name, UID: string(issued.UID),
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + own(t), "system:authenticated"},
		Extra: map[string]authenticationv1.ExtraValue{
			"authentication.kubernetes.io/pod-name": {pod.Name}, "authentication.kubernetes.io/pod-uid": {string(pod.UID)},
			"authentication.kubernetes.io/node-name": {node.Name}, "authentication.kubernetes.io/node-uid": {string(node.UID)},
		},
	}
	if diff := cmp.Diff(want, user); diff != "" {
		t.Errorf("user (-want, +got):\n%s", diff)
	}
	if err := typed(t, shared).CoreV1().Pods(own(t)).Delete(t.Context(), pod.Name, metav1.DeleteOptions{GracePeriodSeconds: ptr.To(int64(0))}); err != nil {
		t.Fatal(err)
	}
	_, err := client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	wantReason(t, err, metav1.StatusReasonUnauthorized)
}

// TestTokenRequest looks at the answer: the defaults are in it.
func TestTokenRequest(t *testing.T) {
	t.Parallel()
	name := seed(t, "serviceaccounts")
	before := time.Now().Truncate(time.Second)
	got := tokenFor(t, typed(t, shared), own(t), name, authenticationv1.TokenRequestSpec{})
	expires := got.Status.ExpirationTimestamp.Time
	if expires.Before(before.Add(time.Hour)) || expires.After(time.Now().Add(time.Hour)) {
		t.Errorf("it expires at %s, want in an hour", expires)
	}
	want := authenticationv1.TokenRequestSpec{Audiences: []string{serviceaccounts.Issuer}, ExpirationSeconds: ptr.To(int64(3600))}
	if diff := cmp.Diff(want, got.Spec); diff != "" || got.Name != name || got.Namespace != own(t) || got.UID == "" {
		t.Errorf("spec (-want, +got):\n%s of %s/%s, UID %q", diff, got.Namespace, got.Name, got.UID)
	}
}

func TestTokenRequestRejects(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		name    string
		request authenticationv1.TokenRequest
		want    string
	}
	bound := func(apiVersion, kind, name string) authenticationv1.TokenRequest {
		ref := &authenticationv1.BoundObjectReference{APIVersion: apiVersion, Kind: kind, Name: name, UID: "u"}
		return authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{BoundObjectRef: ref}}
	}
	lasting := func(seconds int64) authenticationv1.TokenRequest {
		return authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
	}
	named := func(m metav1.ObjectMeta) authenticationv1.TokenRequest {
		return authenticationv1.TokenRequest{ObjectMeta: m}
	}
	const invalid = `TokenRequest.authentication.k8s.io "" is invalid: spec.`
	rows := []test{
		{row{"no account", "it must exist"}, "missing", authenticationv1.TokenRequest{}, `serviceaccounts "missing" not found`},
		{row{"other name", "it says whose token it is"}, "", named(metav1.ObjectMeta{Name: "other"}), `metadata.name: Invalid value: "other": must match the service account name if specified`},
		{row{"other UID", "it is a precondition"}, "", named(metav1.ObjectMeta{UID: "u"}), "the UID in the token request (u) does not match the UID of the service account ("},
		{row{"short", "kube-apiserver's limit"}, "", lasting(599), invalid + "expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes"},
		{row{"long", "kube-apiserver's limit"}, "", lasting(1<<32 + 1), invalid + "expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds"},
		{row{"attestation", "it is for tokens for webhooks"}, "", authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{Attestations: map[string]authenticationv1.AttestationValue{"a": {"b"}}}}, invalid + "attestations: Invalid value: "},
		{row{"no pod", "it must exist"}, "", bound("v1", "Pod", "missing"), `pods "missing" not found`},
		{row{"other pod", "its service account is another one"}, "", bound("v1", "Pod", "pod"), `to pod running with different serviceaccount name.`},
		{row{"no secret", "it must exist"}, "", bound("v1", "Secret", "missing"), `secrets "missing" not found`},
		{row{"other secret", "the UID is a precondition"}, "", bound("v1", "Secret", "secret"), `Operation cannot be fulfilled on Secret "secret": the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated`},
		{row{"no node", "it must exist"}, "", bound("v1", "Node", "missing"), `nodes "missing" not found`},
		{row{"ConfigMap", "nothing is bound to it"}, "", bound("v1", "ConfigMap", "a"), "cannot bind token to object of type /v1, Kind=ConfigMap"},
		{
			row{"webhook", "the feature is off by default"}, "", bound("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "a"),
			"cannot bind token to object of type admissionregistration.k8s.io/v1, Kind=ValidatingWebhookConfiguration (feature gate APIServerWebhookAuthenticationToken is disabled)",
		},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		name, client := seed(t, "serviceaccounts"), typed(t, shared).CoreV1()
		if r.name != "" {
			name = r.name
		}
		meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }
		spec := corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "a"}}}
		must[*corev1.Pod](t)(client.Pods(own(t)).Create(t.Context(), &corev1.Pod{ObjectMeta: meta("pod"), Spec: spec}, metav1.CreateOptions{}))
		must[*corev1.Secret](t)(client.Secrets(own(t)).Create(t.Context(), &corev1.Secret{ObjectMeta: meta("secret")}, metav1.CreateOptions{}))
		_, err := client.ServiceAccounts(own(t)).CreateToken(t.Context(), name, &r.request, metav1.CreateOptions{})
		if !strings.Contains(testtable.Text(err), r.want) {
			t.Errorf("got %v, want %q in it", err, r.want)
		}
	})
}

// TestTokenReview: a token for another server is not valid here, and the other
// server is told so.
func TestTokenReview(t *testing.T) {
	t.Parallel()
	name := seed(t, "serviceaccounts")
	token := tokenFor(t, typed(t, shared), own(t), name, authenticationv1.TokenRequestSpec{Audiences: []string{"vault", "other"}}).Status.Token
	_, err := withToken(t, shared, token).CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	wantReason(t, err, metav1.StatusReasonUnauthorized)
	ask := func(audiences ...string) authenticationv1.TokenReviewStatus {
		t.Helper()
		review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token, Audiences: audiences}}
		return must[*authenticationv1.TokenReview](t)(typed(t, shared).AuthenticationV1().TokenReviews().Create(t.Context(), review, metav1.CreateOptions{})).Status
	}
	if got := ask("vault", "db"); !got.Authenticated || !cmp.Equal(got.Audiences, []string{"vault"}) || got.User.Username != "system:serviceaccount:"+own(t)+":"+name {
		t.Errorf("got %+v", got)
	}
	want := authenticationv1.TokenReviewStatus{Error: `[invalid bearer token, token audiences ["vault" "other"] is invalid for the target audiences ["` + serviceaccounts.Issuer + `"]]`}
	if diff := cmp.Diff(want, ask()); diff != "" {
		t.Errorf("status (-want, +got):\n%s", diff)
	}
	if err := typed(t, shared).CoreV1().ServiceAccounts(own(t)).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	want.Error = `[invalid bearer token, serviceaccounts "` + name + `" not found]`
	if diff := cmp.Diff(want, ask("vault")); diff != "" {
		t.Errorf("status (-want, +got):\n%s", diff)
	}
}

// TestSecretToken: the client that creates the Secret receives it with the
// token.
func TestSecretToken(t *testing.T) {
	t.Parallel()
	name, client := seed(t, "serviceaccounts"), typed(t, shared).CoreV1()
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: own(t), Annotations: map[string]string{corev1.ServiceAccountNameKey: name}},
		Type:       corev1.SecretTypeServiceAccountToken,
	}
	tried := must[*corev1.Secret](t)(client.Secrets(own(t)).Create(t.Context(), secret, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}))
	if len(tried.Data) > 0 {
		t.Error("a dry run issues a token")
	}
	created := must[*corev1.Secret](t)(client.Secrets(own(t)).Create(t.Context(), secret, metav1.CreateOptions{}))
	stored := must[*corev1.Secret](t)(client.Secrets(own(t)).Get(t.Context(), own(t), metav1.GetOptions{}))
	if diff := cmp.Diff(stored, created); diff != "" {
		t.Errorf("the client receives another object (-stored, +received):\n%s", diff)
	}
	if ca := string(shared.ClientConfig().CAData); string(created.Data["ca.crt"]) != ca || string(created.Data["namespace"]) != own(t) {
		t.Errorf("got %s, want the CA and the namespace", created.Data)
	}
	withSecret := withToken(t, shared, string(created.Data["token"]))
	must[*corev1.NamespaceList](t)(withSecret.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{}))
	if err := client.Secrets(own(t)).Delete(t.Context(), own(t), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err := withSecret.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{})
	wantReason(t, err, metav1.StatusReasonUnauthorized)
}

// TestTokensOutlive: a token is valid for the next server on the same data, and
// each namespace has a service account if that is asked for.
func TestTokensOutlive(t *testing.T) {
	t.Parallel()
	config := Config{DataDir: t.TempDir()}
	first := start(t, config)
	client := typed(t, first)
	if _, err := client.CoreV1().ServiceAccounts("default").Get(t.Context(), "default", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the service account exists: %v", err)
	}
	must[*corev1.ServiceAccount](t)(client.CoreV1().ServiceAccounts("default").Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "robot"}}, metav1.CreateOptions{}))
	token := tokenFor(t, client, "default", "robot", authenticationv1.TokenRequestSpec{}).Status.Token
	stop(t, first)

	config.DefaultServiceAccounts = true
	second := start(t, config)
	client = withToken(t, second, token)
	must[*corev1.Namespace](t)(client.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "new-"}}, metav1.CreateOptions{}))
	namespaces := must[*corev1.NamespaceList](t)(client.CoreV1().Namespaces().List(t.Context(), metav1.ListOptions{}))
	if len(namespaces.Items) != 5 {
		t.Errorf("there are %d namespaces, want five", len(namespaces.Items))
	}
	for _, n := range namespaces.Items {
		must[*corev1.ServiceAccount](t)(client.CoreV1().ServiceAccounts(n.Name).Get(t.Context(), "default", metav1.GetOptions{}))
	}
	stop(t, second)

	key := filepath.Join(config.DataDir, "service-account.key")
	if err := os.WriteFile(key, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	rejected(t, t.Context(), config, "remove the file to have one created")
}

// TestOpenID: the documents are for clients with credentials, like all else.
func TestOpenID(t *testing.T) {
	t.Parallel()
	name := seed(t, "serviceaccounts")
	token := tokenFor(t, typed(t, shared), own(t), name, authenticationv1.TokenRequestSpec{}).Status.Token
	for _, path := range []string{serviceaccounts.ConfigPath, serviceaccounts.KeysPath} {
		if code, body := get(t, token, path, "*/*"); code != 200 {
			t.Errorf("%s: %d %s", path, code, body)
		}
		if code, _ := get(t, "", path, "*/*"); code != 401 {
			t.Errorf("%s: without a token the code is %d, want 401", path, code)
		}
	}
}
