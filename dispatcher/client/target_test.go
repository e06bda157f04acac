package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/testutil/testtable"
)

type targetRow struct {
	row
	config registrationv1.WebhookClientConfig
	// url is the URL of requests; auth is the key of the look-up of
	// credentials.
	url, auth string
	err       string
}

func byURL(u string) registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{URL: &u}
}

func byService(path string, port int32) registrationv1.WebhookClientConfig {
	return registrationv1.WebhookClientConfig{Service: &registrationv1.ServiceReference{
		Namespace: "hooks", Name: "gate", Path: &path, Port: &port,
	}}
}

var targetRows = []targetRow{
	{
		row:    row{"url", "the plain case"},
		config: byURL("https://hook.example:8443/review"),
		url:    "https://hook.example:8443/review", auth: "hook.example:8443",
	},
	{
		row:    row{"url without port", "the look-up key gets 443, the URL does not (S-279)"},
		config: byURL("https://hook.example/review"),
		url:    "https://hook.example/review", auth: "hook.example:443",
	},
	{
		row:    row{"url without path", "an empty path becomes / (S-276)"},
		config: byURL("https://hook.example"),
		url:    "https://hook.example/", auth: "hook.example:443",
	},
	{
		row:    row{"url with trailing slash", "paths are cleaned (S-276)"},
		config: byURL("https://hook.example/base//path/../review/"),
		url:    "https://hook.example/base/review", auth: "hook.example:443",
	},
	{
		row:    row{"url with escapes", "the decoded path is what is cleaned and encoded again"},
		config: byURL("https://hook.example/a%3Fb%2Fc"),
		url:    "https://hook.example/a%3Fb/c", auth: "hook.example:443",
	},
	{
		row:    row{"url with everything else", "user, query and fragment are dropped (S-276)"},
		config: byURL("https://user:secret@hook.example/review?a=b#c"),
		url:    "https://hook.example/review", auth: "hook.example:443",
	},
	{
		row:    row{"url with http", "the scheme is not checked here (S-276)"},
		config: byURL("http://hook.example/review"),
		url:    "http://hook.example/review", auth: "hook.example:443",
	},
	{
		row:    row{"url with IPv6 address", "the key is bracketed twice (S-279)"},
		config: byURL("https://[::1]/review"),
		url:    "https://[::1]/review", auth: "[[::1]]:443",
	},
	{
		row:    row{"url without scheme", "client-go's error"},
		config: byURL("hook.example/review"),
		err:    `host must be a URL or a host:port pair: "://"`,
	},
	{
		row:    row{"url that does not parse", "kube-apiserver's text (S-275)"},
		config: byURL("https://hook.example/%zz"),
		err:    `failed calling webhook "hook.example.com": Unparsable URL: parse "https://hook.example/%zz": invalid URL escape "%zz"`,
	},
	{
		row: row{"neither url nor service", "the configuration has no address (S-275)"},
		err: `failed calling webhook "hook.example.com": webhook configuration must have either service or URL`,
	},
	{
		row:    row{"empty url", "counts as absent (S-275)"},
		config: byURL(""),
		err:    `failed calling webhook "hook.example.com": webhook configuration must have either service or URL`,
	},
	{
		row:    row{"service", "the plain case (S-272)"},
		config: byService("/review/", 8443),
		url:    "https://gate.hooks.svc:8443/review", auth: "gate.hooks:8443",
	},
	{
		row: row{"service with defaults", "port 443, path / (S-272)"},
		config: registrationv1.WebhookClientConfig{Service: &registrationv1.ServiceReference{
			Namespace: "hooks", Name: "gate",
		}},
		url: "https://gate.hooks.svc:443/", auth: "gate.hooks:443",
	},
	{
		row:    row{"service with port zero", "a zero port counts as absent"},
		config: byService("", 0),
		url:    "https://gate.hooks.svc:443/", auth: "gate.hooks:443",
	},
	{
		row: row{"both", "the service wins, even over a URL that does not parse (S-275)"},
		config: registrationv1.WebhookClientConfig{
			URL: new("https://hook.example/%zz"), Service: byService("", 443).Service,
		},
		url: "https://gate.hooks.svc:443/", auth: "gate.hooks:443",
	},
}

// TestTarget compares the endpoint's URL of each configuration with that of
// kube-apiserver's client manager.
func TestTarget(t *testing.T) {
	t.Parallel()
	testtable.Run(t, targetRows, func(t *testing.T, r targetRow) {
		w := &admission.Webhook{Name: "hook.example.com", ClientConfig: r.config}
		url, auth, err := endpointURL(t, w)
		if diff := cmp.Diff([]string{r.url, r.auth, r.err}, []string{url, auth, err}); diff != "" {
			t.Errorf("unexpected target (-want +got):\n%s", diff)
		}
		url, err = upstreamURL(t, w)
		if diff := cmp.Diff([]string{r.url, r.err}, []string{url, err}); diff != "" {
			t.Errorf("kube-apiserver differs (-want +got):\n%s", diff)
		}
	})
}

// endpointURL returns the URL of w's endpoint, the key of the look-up of
// credentials, and the error's text.
func endpointURL(t *testing.T, w *admission.Webhook) (url, auth, errText string) {
	t.Helper()
	keys := &keyRecorder{}
	e, err := newClient(t, Config{AuthInfo: keys}).Endpoint(t.Context(), w)
	if err != nil {
		return "", "", err.Error()
	}
	return e.URL.String(), keys.last, ""
}

// upstreamURL returns the URL of kube-apiserver's client manager.
func upstreamURL(t *testing.T, w *admission.Webhook) (url, errText string) {
	t.Helper()
	cm, err := webhookutil.NewClientManager([]schema.GroupVersion{admissionv1.SchemeGroupVersion}, admissionv1.AddToScheme)
	if err != nil {
		t.Fatal(err)
	}
	cm.SetAuthenticationInfoResolver(authInfo(&rest.Config{}))
	cm.SetServiceResolver(webhookutil.NewDefaultServiceResolver())
	cc := webhookutil.ClientConfig{Name: w.Name, URL: urlOf(&w.ClientConfig)}
	if ref := w.ClientConfig.Service; ref != nil {
		cc.Service = &webhookutil.ClientConfigService{Name: ref.Name, Namespace: ref.Namespace}
		if ref.Path != nil {
			cc.Service.Path = *ref.Path
		}
		if ref.Port != nil {
			cc.Service.Port = *ref.Port
		}
	}
	client, err := cm.HookClient(cc)
	if err != nil {
		return "", err.Error()
	}
	return client.Post().URL().String(), ""
}
