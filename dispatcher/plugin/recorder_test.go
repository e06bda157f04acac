package plugin_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	apiadmission "k8s.io/apiserver/pkg/admission"
	webhookutil "k8s.io/apiserver/pkg/util/webhook"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"example.com/gatehouse/dispatcher/plugin"
)

// reportRow is a request through one webhook and its log lines. In lines, URL
// stands for the webhook's address.
type reportRow struct {
	row
	answer http.HandlerFunc
	edits  []func(*registrationv1.MutatingWebhook)
	wrap   webhookutil.AuthenticationInfoResolverWrapper
	// spoil prepares the request.
	spoil func(apiadmission.Attributes)
	// gone cancels the request when the webhook has received it.
	gone bool
	// only is the plugin that can get there; both if it is empty.
	only  string
	lines []string
}

// secrets are what requests and answers are full of, and logs must not be.
var secrets = regexp.MustCompile(`object-content|patch-content|annotation-value|webhook-message`)

// TestReport compares whole logs (S-353).
func TestReport(t *testing.T) {
	t.Parallel()
	runTable(t, append(reportRows(), reportFailureRows()...), func(t *testing.T, name string, tc reportRow) {
		if tc.only != "" && tc.only != name {
			return
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if tc.gone {
			tc.answer = leaves(cancel)
		}
		client := backend(t, tc.answer)
		h := host{cluster: newCluster(configured(name, "a", client, tc.edits...)), wrap: tc.wrap}
		p := h.open(t, name)
		attributes := creation()
		if tc.spoil != nil {
			tc.spoil(attributes)
		}
		var log bytes.Buffer
		ctx = klog.NewContext(ctx, textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&log))))
		err := admitted(ctx, p, attributes)
		if diff := cmp.Diff(tc.expected(name, *client.URL), messages(log.String())); diff != "" {
			t.Errorf("log (-want +got):\n%s\nthe request ended with %v", diff, err)
		}
		if leak := secrets.FindString(log.String()); leak != "" {
			t.Errorf("the log shows %q:\n%s", leak, log.String())
		}
	})
}

// expected returns the row's lines for a plugin and a webhook.
func (tc *reportRow) expected(name, url string) []string {
	phase := "mutating"
	if name == plugin.ValidatingName {
		phase = "validating"
	}
	var lines []string
	for _, line := range tc.lines {
		lines = append(lines, strings.NewReplacer("URL", url, "PHASE", phase).Replace(line))
	}
	return lines
}

// leaves is a webhook that cancels its request by calling leave. It writes no
// response afterwards, because the client might still read it.
func leaves(leave func()) http.HandlerFunc {
	return func(_ http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body) // or the server would not notice
		leave()
		<-req.Context().Done()
		panic(http.ErrAbortHandler)
	}
}

// messages returns the lines without what klog puts in front of them, and of
// stacks only that there is one.
func messages(log string) []string {
	var lines []string
	for line := range strings.Lines(log) {
		head, message, ok := strings.Cut(line, "] ")
		if !ok || !regexp.MustCompile(`^[IWE]\d{4} `).MatchString(head) {
			continue // a stack goes on
		}
		message, _, stack := strings.Cut(strings.TrimSpace(message), " stack=")
		if stack {
			message += " and a stack"
		}
		lines = append(lines, head[:1]+" "+message)
	}
	return lines
}

const about = ` webhook="a.example.com" phase="PHASE"`

func reportRows() []reportRow {
	return []reportRow{{
		row:    row{"allowed", "what goes well is in the metrics"},
		answer: allows(),
	}, {
		row:    row{"patched", "S-316: patches are for the audit log"},
		answer: patches(`[{"op":"add","path":"/metadata/labels/a","value":"patch-content"}]`),
		only:   plugin.MutatingName,
	}, {
		row:    row{"rejected", "S-195: webhook and code are logged; the reason is for the client"},
		answer: denies("webhook-message"),
		lines:  []string{`I "Rejected by webhook"` + about + ` code=418`},
	}, {
		row:    row{"unusable patch", "S-249: the client reads which operation it was"},
		answer: patches(`[{"op":"test","path":"/metadata/labels/label","value":"patch-content"}]`),
		only:   plugin.MutatingName,
		lines:  []string{`I "Webhook's answer could not be used"` + about + ` reason="InternalError"`},
	}, {
		row: row{"annotation with a bad key", "S-310: the key, but not the value"},
		answer: says(func(r *admissionv1.AdmissionResponse) {
			r.AuditAnnotations = map[string]string{"a b": "annotation-value"}
		}),
		lines: []string{`I "Failed to set admission audit annotation"` + about + ` key="a.example.com/a b"`},
	}, {
		row: row{"annotation that is there already", "S-310, S-312: the attributes quote both values, the log neither"},
		answer: says(func(r *admissionv1.AdmissionResponse) {
			r.AuditAnnotations = map[string]string{"k": "annotation-value-2"}
		}),
		spoil: func(a apiadmission.Attributes) { _ = a.AddAnnotation("a.example.com/k", "annotation-value-1") },
		lines: []string{`I "Failed to set admission audit annotation"` + about + ` key="a.example.com/k"`},
	}, {
		row: row{"redirect that breaks off", "where to is in the webhook's words"},
		answer: func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path != "/webhook-message" {
				http.Redirect(w, req, "/webhook-message", http.StatusTemporaryRedirect)
				return
			}
			panic(http.ErrAbortHandler)
		},
		lines: []string{`I "Failed calling webhook, failing closed"` + about + ` err="failed calling webhook \"a.example.com\": exchanging the review: the response cannot be used"`},
	}, {
		row:    row{"condition that fails", "S-131: the request ends here, so it is logged; CEL's error may quote the object"},
		answer: allows(),
		edits: []func(*registrationv1.MutatingWebhook){func(w *registrationv1.MutatingWebhook) {
			w.MatchConditions = []registrationv1.MatchCondition{{Name: "c", Expression: "object.metadata.nothing == 'a'"}}
		}},
		lines: []string{`I "Failed evaluating match conditions, failing closed" webhook="a.example.com" matchCondition="c"`},
	}}
}

func reportFailureRows() []reportRow {
	// Some proxies send back what they were sent.
	broken := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.Copy(w, r.Body)
	}
	panics := func(webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
		return &webhookutil.AuthenticationInfoResolverDelegator{
			ClientConfigForFunc: func(string) (*rest.Config, error) { panic("no credentials today") },
		}
	}
	crashes := func(webhookutil.AuthenticationInfoResolver) webhookutil.AuthenticationInfoResolver {
		return &webhookutil.AuthenticationInfoResolverDelegator{
			ClientConfigForFunc: func(string) (*rest.Config, error) {
				var none *rest.Config
				none.Host = "none.example"
				return nil, nil
			},
		}
	}
	ignoring := []func(*registrationv1.MutatingWebhook){func(w *registrationv1.MutatingWebhook) {
		w.FailurePolicy = new(registrationv1.Ignore)
	}}
	const (
		failure    = `err="failed calling webhook \"a.example.com\": failed to call webhook: `
		badGateway = `err="failed calling webhook \"a.example.com\": status 502 Bad Gateway"`
		canceled   = failure + `Post \"URL/?timeout=30s\": context canceled"`
		handled    = ` logger="UnhandledError"`
		panicked   = ` err="panic with a value of type string" and a stack`
	)
	return []reportRow{{
		row:    row{"failed closed", "S-256"},
		answer: broken,
		lines:  []string{`I "Failed calling webhook, failing closed"` + about + " " + badGateway},
	}, {
		row:    row{"failed open", "S-255: as a log line and as an unhandled error"},
		answer: broken, edits: ignoring,
		lines: []string{`I "Failed calling webhook, failing open"` + about + " " + badGateway, `E "Failed calling webhook" ` + badGateway + handled},
	}, {
		row:   row{"caller gone, closed", "S-256: the request fails as it would have"},
		gone:  true,
		lines: []string{`I "Failed calling webhook, failing closed"` + about + " " + canceled},
	}, {
		row:  row{"caller gone, open", "S-255: not held against the webhook"},
		gone: true, edits: ignoring,
		lines: []string{`I "Context canceled when calling webhook"` + about, `E "Failed calling webhook" ` + canceled + handled},
	}, {
		row:    row{"panic while validating, closed", "S-193: with the stack, which only the log has"},
		answer: allows(), wrap: panics, only: plugin.ValidatingName,
		lines: []string{`I "Panic calling webhook, failing closed"` + about + panicked},
	}, {
		row:    row{"panic while validating, open", "S-193: with the stack, which only the log has"},
		answer: allows(), wrap: panics, only: plugin.ValidatingName, edits: ignoring,
		lines: []string{`I "Panic calling webhook, failing open"` + about + panicked},
	}, {
		row:    row{"panic while mutating", "a failed call like any other"},
		answer: allows(), wrap: panics, only: plugin.MutatingName,
		lines: []string{`I "Failed calling webhook, failing closed"` + about + ` err="failed calling webhook \"a.example.com\": getting the endpoint: panic with a value of type string"`},
	}, {
		row:    row{"panic of the runtime", "the runtime's message quotes no object"},
		answer: allows(), wrap: crashes, only: plugin.ValidatingName,
		lines: []string{`I "Panic calling webhook, failing closed"` + about + ` err="panic: runtime error: invalid memory address or nil pointer dereference" and a stack`},
	}}
}
