package doctor

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/gatehouse/internal/certs"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/inventory"
	"example.com/gatehouse/internal/testutil/testtable"
)

type row = testtable.Row

// examine returns the checks of the webhooks in a text, one line each. ${bundle}, ${crt}
// and ${key} are a CA and a certificate of it, in base64.
func examine(t *testing.T, text string) string {
	t.Helper()
	authority, err := certs.NewAuthority("guard")
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := authority.Server("guard.guard.svc")
	if err != nil {
		t.Fatal(err)
	}
	chain, key, err := certs.PEM(certificate)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.StdEncoding.EncodeToString
	text = strings.NewReplacer("${bundle}", encode(authority.Bundle()), "${crt}", encode(chain), "${key}", encode(key)).Replace(text)
	in, err := inventory.Read(inventory.Files{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	c, err := lint.NewCluster(t.Context(), in, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Examine(c)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, d := range all {
		for _, check := range d.Checks {
			fmt.Fprintf(&out, "%s %s: %s\n", check.Name, check.Status, check.Message)
		}
	}
	return out.String()
}

const (
	webhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.example.com
  clientConfig: {service: {namespace: guard, name: guard, path: /validate}, caBundle: "${bundle}"}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  admissionReviewVersions: [v1]
  sideEffects: None
`
	service = `---
apiVersion: v1
kind: Service
metadata: {name: guard, namespace: guard}
spec: {selector: {app: guard}, ports: [{port: 443, targetPort: https}]}
`
	deployment = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: guard, namespace: guard}
spec:
  selector: {matchLabels: {app: guard}}
  template:
    metadata: {labels: {app: guard}}
    spec:
      containers: [{name: guard, image: guard, ports: [{name: https, containerPort: 9443}]}]
      volumes: [{name: tls, secret: {secretName: tls}}]
`
	secret = `---
apiVersion: v1
kind: Secret
metadata: {name: tls, namespace: guard}
data: {tls.crt: "${crt}", tls.key: "${key}"}
`
	pod = `---
apiVersion: v1
kind: Pod
metadata: {name: guard-1, namespace: guard, labels: {app: guard}}
spec: {containers: [{name: guard, image: guard}]}
status: {conditions: [{type: Ready, status: "True"}]}
`
	slice = `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: guard-1, namespace: guard, labels: {kubernetes.io/service-name: guard}}
addressType: IPv4
endpoints: [{addresses: [10.0.0.1], conditions: {ready: true}}, {addresses: [10.0.0.2], conditions: {ready: false}}]
`
)

const everything = webhook + service + deployment + secret + pod + slice

// diagnosis is a case: inputs, and lines of the checks.
type diagnosis struct {
	row
	text string
	want []string
}

func TestExamine(t *testing.T) {
	t.Parallel()
	replaced := func(old, new string) string {
		text := strings.Replace(everything, old, new, 1)
		if text == everything {
			t.Fatalf("%q is not in the inputs", old)
		}
		return text
	}
	testtable.Run(t, []diagnosis{
		{row{"all right", "every check is known"}, everything, []string{
			"name ok: API servers connect to guard.guard.svc:443 and verify the name guard.guard.svc",
			"caBundle ok: CN=guard, valid from 1999-12-31 until 2099-12-31",
			"certificate ok: Secret guard/tls has CN=guard server for guard.guard.svc, valid from 1999-12-31 until 2099-12-31",
			"service ok: guard/guard leads to port 9443 of container guard, which is named https",
			"pods ok: 1 of 1 are ready", "endpoints ok: 1 of 2 are ready", "path ok: reviews go to /validate",
		}},
		{row{"nothing known", "each check says what is missing"}, strings.Replace(webhook, "${bundle}", "", 1), []string{
			"caBundle not known: there is none: API servers trust the CAs of their machine",
			"certificate not known: no Secret with it is among the inputs, that pods of the webhook mount",
			"service not known: no Service is among the inputs", "endpoints not known: no EndpointSlice of guard/guard is among the inputs",
		}},
		{row{"no PEM", "the caBundle is some other text"}, replaced("${bundle}", "eHh4"),
			[]string{"caBundle problem: It has no certificate in PEM."}},
		{row{"placeholder", "a controller sets the CA"}, replaced("${bundle}", "Cg=="),
			[]string{"caBundle not known: there is none: API servers trust the CAs of their machine"}},
		{row{"no CA", "only the webhook itself could have this certificate"}, replaced("${bundle}", "${crt}"),
			[]string{"caBundle not known: CN=guard server for guard.guard.svc, valid from 1999-12-31 until 2099-12-31: no CA, so the webhook has to serve this certificate itself"}},
		{row{"key as certificate", "a Secret whose fields are mixed up"}, replaced(`tls.crt: "${crt}"`, `tls.crt: "${key}"`),
			[]string{"certificate problem: tls.crt of Secret guard/tls cannot be read as certificates in PEM"}},
		{row{"stringData", "the API server makes data of it"}, replaced(`data: {tls.crt: "${crt}", tls.key: "${key}"}`, `stringData: {tls.crt: text}`),
			[]string{"certificate problem: tls.crt of Secret guard/tls cannot be read as certificates in PEM"}},
		{row{"other Service", "a rule of lint finds it"}, replaced("name: guard, namespace: guard}\nspec: {selector", "name: other, namespace: guard}\nspec: {selector"),
			[]string{"service problem: There is no Service guard/guard among the inputs."}},
		{row{"no such port", "the API server looks up the port of the Service"}, replaced("port: 443", "port: 8443"),
			[]string{"service problem: The port is 443, and the Service has [8443]."}},
		{row{"port without name", "kube-proxy finds no port in the pods"}, strings.NewReplacer("name: https, ", "").Replace(everything),
			[]string{`service problem: guard/guard leads to port "https", and no container of the pods has a port with that name`}},
		{row{"port of a sidecar", "it runs beside the containers"}, replaced("containers: [{name: guard, image: guard, ports",
			"containers: [{name: guard, image: guard}]\n      initContainers: [{name: proxy, image: proxy, restartPolicy: Always, ports"),
			[]string{"service ok: guard/guard leads to port 9443 of container proxy, which is named https"}},
		{row{"port of an init container", "it has ended"}, replaced("containers: [{name: guard, image: guard, ports",
			"containers: [{name: guard, image: guard}]\n      initContainers: [{name: proxy, image: proxy, ports"),
			[]string{`service problem: guard/guard leads to port "https", and no container of the pods has a port with that name`}},
		{row{"port with number", "443 is the default of the webhook, and the port that of the pods"}, replaced(", targetPort: https", ""),
			[]string{"service ok: guard/guard leads to port 443 of the pods"}},
		{row{"pods not known", "the port could be that of any container"}, webhook + service, []string{
			`service not known: guard/guard leads to port "https", and no pods with it are among the inputs`,
			"pods not known: no Pod that guard/guard selects is among the inputs",
		}},
		{row{"Pods not known", "a Deployment says nothing about readiness"}, webhook + service + deployment,
			[]string{"pods not known: no Pod is among the inputs, but what creates some"}},
		{row{"not ready", "the pods are there"}, replaced(`status: "True"`, `status: "False"`), []string{"pods problem: 0 of 1 are ready"}},
		{row{"no endpoint", "a rule of lint finds it"}, replaced("{ready: true}", "{ready: false}"),
			[]string{"endpoints problem: No endpoint of guard/guard is ready."}},
		{row{"no path", "it is /"}, replaced(", path: /validate", ""), []string{"path ok: reviews go to /, because clientConfig.service has no path"}},
		{row{"URL", "there is no Service"}, replaced("service: {namespace: guard, name: guard, path: /validate}", "url: https://Example.com/x"),
			[]string{"name ok: API servers connect to example.com:443 and verify the name Example.com"}},
	}, func(t *testing.T, d diagnosis) {
		got := examine(t, d.text)
		for _, line := range d.want {
			if !strings.Contains("\n"+got, "\n"+line+"\n") {
				t.Errorf("%s is not in\n%s", line, got)
			}
		}
	})
}
