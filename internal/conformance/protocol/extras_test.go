package protocol

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/admission/request"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/conformance/report"
	"example.com/gatehouse/internal/testutil/testtable"
)

const unwarned = "the webhook warned of none of the samples"

func warning(texts ...string) http.Handler { return sets("warnings", texts) }

func TestWarnings(t *testing.T) {
	t.Parallel()
	const id = "C-WARNINGS"
	long := strings.Repeat("ä", 256)
	var many, same []string
	for i := range 20 {
		many = append(many, fmt.Sprintf("%03d%s", i, strings.Repeat("x", 253)))
		same = append(same, long)
	}
	runAll(t, []seen{
		{row{"good", "a sentence is short"}, id, validating(), warning("the tag latest may become anything"), one(), report.Pass, ""},
		{row{"just short", "characters are counted, not bytes"}, id, validating(), warning(long), one(), report.Pass, ""},
		{row{"long", "the end of it may be lost"}, id, validating(), warning(long + "x"), one(), report.Fail,
			`a warning has 257 characters: "` + long + `x"`},
		{row{"many", "some of them are lost"}, id, validating(), warning(many...), one(), report.Fail, "the warnings have 5120 characters together"},
		{row{"repeated", "users see it once"}, id, validating(), warning(same...), one(), report.Pass, ""},
		{row{"none", "there is nothing to be cut"}, id, validating(), good(), one(), report.Skip, unwarned},
	})
}

func TestWarningsPrintable(t *testing.T) {
	t.Parallel()
	const id = "C-WARNINGS-PRINTABLE"
	runAll(t, []seen{
		{row{"good", "any language will do, and quotes are escaped"}, id, validating(), warning(`"latest" ist unbestimmt – 不定`), one(), report.Pass, ""},
		{row{"two lines", "a header has one"}, id, validating(), warning("careful", "first\nsecond"), one(), report.Fail,
			`a warning has a control character in it: "first\nsecond"`},
		{row{"tab", "it is a control character, too"}, id, validating(), warning("a\tb"), one(), report.Fail, `a warning has a control character in it: "a\tb"`},
		{row{"none", "there is nothing to be dropped"}, id, validating(), good(), one(), report.Skip, unwarned},
	})
}

// quoting is a webhook that quotes from the Secrets that it is asked about.
func quoting(quote func(value string, header http.Header, response map[string]any)) http.Handler {
	return writes(func(out http.ResponseWriter, review map[string]any) {
		quote(password, out.Header(), review["response"].(map[string]any))
	})
}

// password is what a Secret keeps.
const password = "Correct \"Horse\" <Battery>\nStaple-of-the-Year"

func secrets(t *testing.T) []*admission.Request {
	t.Helper()
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "s", Namespace: "shop"}, Data: map[string][]byte{"pw": []byte(password)}}
	at := request.Endpoint{
		Resource: corev1.SchemeGroupVersion.WithResource("secrets"), Kind: corev1.SchemeGroupVersion.WithKind("Secret"),
		Namespaced: true, Namespace: "shop",
	}
	r, err := request.Create(at, secret, request.By{User: authenticationv1.UserInfo{Username: "ann"}})
	if err != nil {
		t.Fatal(err)
	}
	return []*admission.Request{r}
}

// TestFindingsHaveNoSecrets: no part of one, in whatever way the webhook quotes
// it, and whatever the check makes of that.
func TestFindingsHaveNoSecrets(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		id    string
		quote func(value string, header http.Header, response map[string]any)
	}
	warns := func(format string) func(string, http.Header, map[string]any) {
		return func(value string, _ http.Header, response map[string]any) {
			response["warnings"] = []string{fmt.Sprintf(format, value) + strings.Repeat("!", 260)}
		}
	}
	testtable.Run(t, []test{
		{row{"at the 40th character", "what is cut there is no value that could be found"}, "C-WARNINGS", warns("the password of this Secret, %s, is weak")},
		{row{"at the end of what is kept", "the same further behind"}, "C-WARNINGS", warns(strings.Repeat("x", 955) + "%s")},
		{row{"quoted", "the finding quotes the quote"}, "C-WARNINGS", warns("the password %q is weak")},
		{row{"unprintable", "the value itself has a line break"}, "C-WARNINGS-PRINTABLE", warns("the password of this Secret, %s, is weak")},
		{row{"key", "it is quoted twice, too"}, "C-AUDIT-KEYS", func(value string, _ http.Header, response map[string]any) {
			response["auditAnnotations"] = map[string]string{fmt.Sprintf("password %q", value): "weak"}
		}},
		{row{"content type", "a parser writes it in small letters"}, "C-CONTENT-TYPE", func(value string, header http.Header, _ map[string]any) {
			header.Set("Content-Type", "text/"+value[strings.LastIndex(value, "\n")+1:])
		}},
	}, func(t *testing.T, tc test) {
		s := seen{row: tc.row, id: tc.id, webhook: validating(), handler: quoting(tc.quote), requests: secrets(t)}
		got := s.look(t)
		if got.Verdict != report.Fail || !strings.Contains(got.Findings[0].Message, "[redacted]") {
			t.Fatalf("nothing was found that hides something: %+v", got)
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"correct", "horse", "battery", "staple"} {
			if strings.Contains(strings.ToLower(string(text)), part) {
				t.Errorf("%s: %q is shown in\n%s", tc.Why(), part, text)
			}
		}
	})
}

func TestAuditKeys(t *testing.T) {
	t.Parallel()
	const (
		id   = "C-AUDIT-KEYS"
		none = "no answer has audit annotations"
	)
	noting := func(keys ...string) http.Handler {
		annotations := map[string]string{}
		for _, key := range keys {
			annotations[key] = "yes"
		}
		return sets("auditAnnotations", annotations)
	}
	capital := probetest.Validating("hook", "/", func(w *registrationv1.ValidatingWebhook) { w.Name = "Hook.example.com" })
	runAll(t, []seen{
		{row{"good", "a word is a key"}, id, validating(), noting("image", "image.registry_2"), one(), report.Pass, ""},
		{row{"prefixed", "the prefix is the name of the webhook already"}, id, validating(), noting("image", "policy.example.com/image"), one(), report.Fail,
			`"hook.example.com/policy.example.com/image" has a second slash in it: the first one is behind the name of the webhook`},
		{row{"long", "names have at most 63 characters"}, id, validating(), noting(strings.Repeat("k", 64)), one(), report.Fail,
			`"hook.example.com/` + strings.Repeat("k", 64) + `" is no key of an audit annotation: name part must be no more than 63 bytes`},
		{row{"webhook", "its name is part of all keys"}, id, capital, noting("image"), one(), report.Fail,
			`"Hook.example.com/image" is no key of an audit annotation: prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',` +
				` and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		{row{"none", "there is nothing to be dropped"}, id, validating(), good(), one(), report.Skip, none},
	})
}
