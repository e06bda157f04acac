package serviceaccounts

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/authentication/authenticator"

	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// stored are the objects of a test, by resource and name.
type stored map[string]metav1.Object

func (s stored) get(_ context.Context, resource, namespace, name string) (metav1.Object, error) {
	o := s[resource+"/"+name]
	if o == nil || o.GetNamespace() != namespace {
		return nil, errors.New(resource + " " + name + " not found")
	}
	return o, nil
}

func open(t *testing.T, folder string, objects stored) *Tokens {
	t.Helper()
	tokens, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	tokens.Attach(objects.get)
	return tokens
}

func meta(name string, uid types.UID) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "ns", Name: name, UID: uid}
}

// objects returns a service account and what tokens can be bound to.
func objects() stored {
	node := &corev1.Node{ObjectMeta: meta("node", "n1")}
	node.Namespace = ""
	return stored{
		"serviceaccounts/robot": &corev1.ServiceAccount{ObjectMeta: meta("robot", "a1")},
		"pods/pod":              &corev1.Pod{ObjectMeta: meta("pod", "p1")},
		"secrets/secret":        &corev1.Secret{ObjectMeta: meta("secret", "s1")},
		"nodes/node":            node,
	}
}

func issue(t *testing.T, tokens *Tokens, r Request, now time.Time) string {
	t.Helper()
	r.Account = &corev1.ServiceAccount{ObjectMeta: meta("robot", "a1")}
	if r.Audiences == nil {
		r.Audiences = Audiences()
	}
	token, _, err := tokens.Issue(r, now)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// TestInvalidated changes the objects on which a token depends after it was
// issued.
func TestInvalidated(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		bound Bound
		// changed is replaced by now, or removed if it is nil.
		changed string
		now     metav1.Object
		want    string
	}
	account, invalidated := "serviceaccounts/robot", "service account token has been invalidated"
	deletedAt := func(ago time.Duration, m metav1.ObjectMeta) metav1.ObjectMeta {
		m.DeletionTimestamp = &metav1.Time{Time: time.Now().Add(-ago)}
		return m
	}
	pod, secret, node := Bound{Pod: &Reference{"pod", "p1"}}, Bound{Secret: &Reference{"secret", "s1"}}, Bound{Node: &Reference{"node", "n1"}}
	onNode := Bound{Pod: pod.Pod, Node: node.Node}
	rows := []test{
		{row{"unbound", "all objects exist"}, Bound{}, "", nil, ""},
		{row{"bound", "all objects exist"}, pod, "", nil, ""},
		{row{"no account", "it was deleted"}, Bound{}, account, nil, "serviceaccounts robot not found"},
		{row{"other account", "another one has the same name"}, Bound{}, account, &corev1.ServiceAccount{ObjectMeta: meta("robot", "a2")}, "service account UID (a2) does not match claim (a1)"},
		{row{"deleted account", "a finalizer delays its deletion"}, Bound{}, account, &corev1.ServiceAccount{ObjectMeta: deletedAt(2*time.Minute, meta("robot", "a1"))}, "service account ns/robot has been deleted"},
		{row{"account that is being deleted", "it was in use a minute ago"}, Bound{}, account, &corev1.ServiceAccount{ObjectMeta: deletedAt(time.Second, meta("robot", "a1"))}, ""},
		{row{"no pod", "it was deleted"}, pod, "pods/pod", nil, invalidated},
		{row{"other pod", "another one has the same name"}, pod, "pods/pod", &corev1.Pod{ObjectMeta: meta("pod", "p2")}, "pod UID (p2) does not match service account pod ref claim (p1)"},
		{row{"deleted pod", "its node does not end it"}, pod, "pods/pod", &corev1.Pod{ObjectMeta: deletedAt(2*time.Minute, meta("pod", "p1"))}, invalidated},
		{row{"no node of a pod", "the token is bound to the pod"}, onNode, "nodes/node", nil, ""},
		{row{"no node", "it was deleted"}, node, "nodes/node", nil, invalidated},
		{row{"no secret", "it was deleted"}, secret, "secrets/secret", nil, invalidated},
		{row{"other secret", "another one has the same name"}, secret, "secrets/secret", &corev1.Secret{ObjectMeta: meta("secret", "s2")}, "secret UID (s2) does not match service account secret ref claim (s1)"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		all := objects()
		tokens := open(t, "", all)
		token := issue(t, tokens, Request{Bound: r.bound, Lifetime: time.Hour}, time.Now())
		delete(all, r.changed)
		if r.now != nil {
			all[r.changed] = r.now
		}
		_, ok, err := tokens.AuthenticateToken(t.Context(), token)
		if testtable.Text(err) != r.want || ok != (r.want == "") {
			t.Errorf("accepted: %v, %v, want %q", ok, err, r.want)
		}
	})
}

// TestRejected: the token itself is wrong.
func TestRejected(t *testing.T) {
	t.Parallel()
	tokens, now := open(t, "", objects()), time.Now()
	good := issue(t, tokens, Request{Lifetime: time.Hour}, now)
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.RegisteredClaims{Issuer: Issuer}).SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	withHMAC, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{Issuer: Issuer}).SignedString([]byte(tokens.keyID))
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(good, ".")
	type test struct {
		row
		token, want string
	}
	rows := []test{
		{row{"expired", "an hour ago"}, issue(t, tokens, Request{Lifetime: time.Hour}, now.Add(-2*time.Hour)), "service account token has expired"},
		{row{"just expired", "clocks differ"}, issue(t, tokens, Request{Lifetime: time.Hour}, now.Add(-time.Hour-time.Second)), ""},
		{row{"not valid yet", "in an hour"}, issue(t, tokens, Request{Lifetime: time.Hour}, now.Add(time.Hour)), "service account token is not valid yet"},
		{row{"other audience", "it is for another server"}, issue(t, tokens, Request{Audiences: []string{"vault"}, Lifetime: time.Hour}, now), `token audiences ["vault"] is invalid for the target audiences ["https://kubernetes.default.svc.cluster.local"]`},
		{row{"other server", "it has another key"}, issue(t, open(t, "", objects()), Request{Lifetime: time.Hour}, now), "token is unverifiable: error while executing keyfunc: invalid signature, no keys found"},
		{row{"other claims", "the signature is of others"}, strings.Join([]string{parts[0], strings.Split(issue(t, tokens, Request{Lifetime: 2 * time.Hour}, now), ".")[1], parts[2]}, "."), "token signature is invalid: crypto/ecdsa: verification error"},
		{row{"unsigned", "anyone can make one"}, unsigned, "token signature is invalid: signing method none is invalid"},
		{row{"signed with what is public", "anyone can make one"}, withHMAC, "token signature is invalid: signing method HS256 is invalid"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		_, ok, err := tokens.AuthenticateToken(t.Context(), r.token)
		if testtable.Text(err) != r.want || ok != (r.want == "") {
			t.Errorf("accepted: %v, %v, want %q", ok, err, r.want)
		}
	})
}

// TestNotOurs: tokens of others are left to other authenticators.
func TestNotOurs(t *testing.T) {
	t.Parallel()
	tokens := open(t, "", objects())
	for _, token := range []string{"", "a", "a.b.c", "..", "e30.bnVsbA.e30", "e30.W10.e30", "e30.e30.e30"} {
		if _, ok, err := tokens.AuthenticateToken(t.Context(), token); ok || err != nil {
			t.Errorf("%q: accepted: %v, %v", token, ok, err)
		}
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	tokens := open(t, "", objects())
	now := time.Now().Truncate(time.Second)
	bound := Bound{Pod: &Reference{"pod", "p1"}, Node: &Reference{"node", "n1"}}
	token := issue(t, tokens, Request{Bound: bound, Lifetime: projectedLifetime}, now)
	var got map[string]any
	payload, err := jwt.NewParser().DecodeSegment(strings.Split(token, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(payload, &got); err != nil {
		t.Fatal(err)
	}
	if id, _ := got["jti"].(string); len(id) != 36 {
		t.Errorf("jti is %v, want a UUID", got["jti"])
	}
	delete(got, "jti")
	second := func(after time.Duration) any { return float64(now.Add(after).Unix()) }
	want := map[string]any{
		"iss": Issuer, "sub": "system:serviceaccount:ns:robot", "aud": []any{Issuer},
		"iat": second(0), "nbf": second(0), "exp": second(365 * 24 * time.Hour),
		"kubernetes.io": map[string]any{
			"namespace": "ns", "serviceaccount": map[string]any{"name": "robot", "uid": "a1"},
			"pod": map[string]any{"name": "pod", "uid": "p1"}, "node": map[string]any{"name": "node", "uid": "n1"},
			"warnafter": second(3607 * time.Second),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("claims (-want, +got):\n%s", diff)
	}
	response, _, err := tokens.AuthenticateToken(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	extra := response.User.GetExtra()
	delete(extra, "authentication.kubernetes.io/credential-id") // the random ID
	wantExtra := map[string][]string{
		"authentication.kubernetes.io/pod-name": {"pod"}, "authentication.kubernetes.io/pod-uid": {"p1"},
		"authentication.kubernetes.io/node-name": {"node"}, "authentication.kubernetes.io/node-uid": {"n1"},
	}
	if diff := cmp.Diff(wantExtra, extra); diff != "" {
		t.Errorf("extra (-want, +got):\n%s", diff)
	}
}

// TestLegacy: the token of a Secret is valid as long as it is there.
func TestLegacy(t *testing.T) {
	t.Parallel()
	all := objects()
	tokens := open(t, "", all)
	secret := &corev1.Secret{ObjectMeta: meta("token", "t1"), Type: corev1.SecretTypeServiceAccountToken}
	secret.Annotations = map[string]string{corev1.ServiceAccountNameKey: "robot"}
	if err := tokens.Fill(t.Context(), secret, []byte("CA")); err != nil {
		t.Fatal(err)
	}
	token := string(secret.Data["token"])
	secret.Data["token"] = nil
	want := map[string][]byte{"token": nil, "ca.crt": []byte("CA"), "namespace": []byte("ns")}
	if diff := cmp.Diff(want, secret.Data); diff != "" || secret.Annotations[corev1.ServiceAccountUIDKey] != "a1" {
		t.Errorf("data (-want, +got):\n%s, annotations %v", diff, secret.Annotations)
	}
	check := func(want string) {
		t.Helper()
		_, ok, err := tokens.AuthenticateToken(t.Context(), token)
		if testtable.Text(err) != want || ok != (want == "") {
			t.Errorf("accepted: %v, %v, want %q", ok, err, want)
		}
	}
	check("service account token has been invalidated")
	all["secrets/token"] = secret
	check("service account token does not match server's copy")
	secret.Data["token"] = []byte(token)
	check("")
	ctx := authenticator.WithAudiences(t.Context(), authenticator.Audiences{"vault"})
	if _, ok, err := tokens.AuthenticateToken(ctx, token); ok || err == nil {
		t.Error("the token is accepted for another audience")
	}
	delete(all, "serviceaccounts/robot")
	check("serviceaccounts robot not found")
}

// TestFillLeaves: other Secrets, and values that a client has set, stay.
func TestFillLeaves(t *testing.T) {
	t.Parallel()
	tokens := open(t, "", objects())
	of := func(kind corev1.SecretType, annotations map[string]string, data map[string][]byte) *corev1.Secret {
		return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a", Annotations: annotations}, Type: kind, Data: data}
	}
	name := map[string]string{corev1.ServiceAccountNameKey: "robot"}
	other := map[string]string{corev1.ServiceAccountNameKey: "robot", corev1.ServiceAccountUIDKey: "a0"}
	for _, secret := range []*corev1.Secret{
		of(corev1.SecretTypeOpaque, name, nil),
		of(corev1.SecretTypeServiceAccountToken, nil, nil),
		of(corev1.SecretTypeServiceAccountToken, other, nil),
	} {
		before := secret.DeepCopy()
		if err := tokens.Fill(t.Context(), secret, nil); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(before, secret); diff != "" {
			t.Errorf("the secret was changed (-before, +after):\n%s", diff)
		}
	}
	kept := of(corev1.SecretTypeServiceAccountToken, name, map[string][]byte{"token": []byte("mine")})
	if err := tokens.Fill(t.Context(), kept, nil); err != nil || string(kept.Data["token"]) != "mine" {
		t.Errorf("the token is %q, %v", kept.Data["token"], err)
	}
}

// TestKeyFile: the key outlives the server, only its owner reads it, and what is
// no key is not replaced.
func TestKeyFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	token := issue(t, open(t, folder, objects()), Request{Lifetime: time.Hour}, time.Now())
	if _, ok, err := open(t, folder, objects()).AuthenticateToken(t.Context(), token); !ok {
		t.Errorf("the token is not accepted: %v", err)
	}
	file := filepath.Join(folder, keyFile)
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(file, []byte("-----BEGIN"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Open(folder)
	if want := file + ": want a private ECDSA key on the curve P-256, in PEM: remove the file to have one created"; testtable.Text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestKeyFileIncomplete: a server that cannot write the whole key does not
// prevent the next one from starting. The limit on the size of files stands for
// a full disk.
func TestKeyFileIncomplete(t *testing.T) {
	t.Parallel()
	const variable = "GATEHOUSE_TEST_FOLDER"
	if folder := os.Getenv(variable); folder != "" {
		open(t, folder, nil)
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("the limit on the size of files is that of a shell on Linux")
	}
	folder := t.TempDir()
	limited := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -f 0 && exec "$0" -test.run '^TestKeyFileIncomplete$'`, os.Args[0])
	limited.Env = append(os.Environ(), variable+"="+folder)
	if text, err := limited.CombinedOutput(); !strings.Contains(string(text), "file too large") {
		t.Fatalf("got %v, want an error because of the limit:\n%s", err, text)
	}
	open(t, folder, nil)
}

// TestDocuments verifies a token with what the server publishes.
func TestDocuments(t *testing.T) {
	t.Parallel()
	tokens := open(t, "", objects())
	handler, err := tokens.Documents("https://server")
	if err != nil {
		t.Fatal(err)
	}
	get := func(path, contentType string) map[string]any {
		t.Helper()
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Header().Get("Content-Type") != contentType {
			t.Fatalf("%s: %v, %s, %s", path, err, w.Header(), w.Body)
		}
		return got
	}
	config := get(ConfigPath, "application/json")
	if config["issuer"] != Issuer || config["jwks_uri"] != "https://server/openid/v1/jwks" {
		t.Errorf("got %v", config)
	}
	key := get(KeysPath, "application/jwk-set+json")["keys"].([]any)[0].(map[string]any)
	decode := jwt.NewParser().DecodeSegment
	x, errX := decode(key["x"].(string))
	y, errY := decode(key["y"].(string))
	point, err := tokens.key.PublicKey.Bytes()
	if got := append(append([]byte{4}, x...), y...); errors.Join(errX, errY, err) != nil || !cmp.Equal(point, got) {
		t.Errorf("got the point %x, want %x", got, point)
	}
	delete(key, "x")
	delete(key, "y")
	if diff := cmp.Diff(map[string]any{"use": "sig", "kty": "EC", "crv": "P-256", "alg": "ES256", "kid": tokens.keyID}, key); diff != "" {
		t.Errorf("key (-want, +got):\n%s", diff)
	}
}
