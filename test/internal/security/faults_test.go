package security_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// What must not come out, wherever it was put in.
const (
	ofObject = "SENTINEL-object"
	ofPatch  = "SENTINEL-patch"
	ofAudit  = "SENTINEL-audit"
	ofToken  = "SENTINEL-token"
	// ofAnswer is everything else that a webhook writes. It is for the client,
	// if it comes in the place of a reason, and for no log: it may be what it
	// was sent.
	ofAnswer = "SENTINEL-answer"
)

// fault is a webhook that may leak what it was sent.
type fault struct {
	row
	answer func(w http.ResponseWriter, r *http.Request)
	// condition is a matchCondition of the webhook, which is then not called.
	// quoted: the client's error quotes the value, in kube-apiserver's words.
	condition string
	quoted    bool
}

func faults() []fault { return slices.Concat(answers, nonsense, mutations, conditions) }

// says is a webhook whose response edit changes.
func says(edit func(*admissionv1.AdmissionResponse)) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
			http.Error(w, "no review", http.StatusBadRequest)
			return
		}
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		review.Request = nil
		edit(review.Response)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(review)
	}
}

// patches is a webhook that answers with a patch.
func patches(patch string) func(http.ResponseWriter, *http.Request) {
	return says(func(r *admissionv1.AdmissionResponse) {
		r.Patch, r.PatchType = []byte(patch), new(admissionv1.PatchTypeJSONPatch)
	})
}

// writes is a webhook that responds with a body, in which UID stands for the
// review's uid.
func writes(status int, contentType, body string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		_ = json.NewDecoder(r.Body).Decode(&review)
		uid := ""
		if review.Request != nil {
			uid = string(review.Request.UID)
		}
		w.Header()["Content-Type"] = []string{contentType}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(strings.ReplaceAll(body, "UID", uid)))
	}
}

// sends is a webhook that is no HTTP server: it writes lines as they are.
func sends(lines ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		hijack(w, r, func(conn net.Conn, _ *bufio.ReadWriter) {
			_, _ = conn.Write([]byte(strings.Join(lines, "\r\n")))
		})
	}
}

// hijack takes the connection and closes it in the end.
func hijack(w http.ResponseWriter, r *http.Request, with func(net.Conn, *bufio.ReadWriter)) {
	var body json.RawMessage
	_ = json.NewDecoder(r.Body).Decode(&body) // the client has sent all
	conn, buffer, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	with(conn, buffer)
}

// review is the text of a review with a response.
func review(response string) string {
	return `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":` + response + `}`
}

func op(kind, path, rest string) string {
	return fmt.Sprintf(`[{"op":%q,"path":%q%s}]`, kind, path, rest)
}

// answers are honest and less honest reviews.
var answers = []fault{
	{row: row{"allows", "an ordinary answer"}, answer: says(func(r *admissionv1.AdmissionResponse) {
		r.Warnings = []string{ofAnswer}
		r.AuditAnnotations = map[string]string{"good": ofAudit, "bad key!": ofAudit, strings.Repeat("k", 99): ofAudit}
	})},
	{row: row{"denies", "the reason is the client's to read"}, answer: says(func(r *admissionv1.AdmissionResponse) {
		r.Allowed, r.AuditAnnotations = false, map[string]string{"bad key!": ofAudit}
		r.Result = &metav1.Status{Message: ofAnswer, Reason: ofAnswer, Code: 403, Details: &metav1.StatusDetails{Name: ofAnswer, Causes: []metav1.StatusCause{{Message: ofAnswer}}}}
	})},
	{row: row{"wrong uid", "which the webhook has made up"}, answer: writes(200, "application/json", review(`{"uid":"`+ofAnswer+`","allowed":true}`))},
	{row: row{"wrong kind", "which the webhook has made up"}, answer: writes(200, "application/json", `{"apiVersion":"v1","kind":"`+ofAnswer+`","response":{"uid":"UID"}}`)},
	{row: row{"wrong version", "which the webhook has made up"}, answer: writes(200, "application/json", `{"apiVersion":"`+ofAnswer+`/v1","kind":"AdmissionReview"}`)},
	{row: row{"no kind", "decoders quote such documents"}, answer: writes(200, "application/json", `{"apiVersion":"admission.k8s.io/v1","response":{"uid":"`+ofAnswer+`"}}`)},
	{row: row{"answer of no kind", "decoders quote such documents"}, answer: writes(200, "application/json", `{"response":{"uid":"`+ofAnswer+`"}}`)},
	{row: row{"wrong type", "a text in place of a truth value"}, answer: writes(200, "application/json", review(`{"uid":"UID","allowed":"`+ofAnswer+`"}`))},
	{row: row{"wrong number", "a text in place of a number"}, answer: writes(200, "application/json", review(`{"uid":"UID","status":{"code":"`+ofAnswer+`"}}`))},
	{row: row{"wrong kind of kind", "a list in place of a text"}, answer: writes(200, "application/json", `{"kind":["`+ofAnswer+`"]}`)},
	{row: row{"status", "a structured error"}, answer: writes(200, "application/json", `{"apiVersion":"v1","kind":"Status","status":"Failure","code":403,"message":"`+ofAnswer+`","reason":"`+ofAnswer+`"}`)},
	{row: row{"YAML", "whose decoder quotes what it cannot use"}, answer: writes(200, "application/json", "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse:\n  uid: UID\n  allowed: "+ofAnswer+"\n")},
	{row: row{"bad YAML", "whose decoder quotes what it cannot read"}, answer: writes(200, "application/json", "a: *"+ofAnswer+"\n")},
	{row: row{"text", "no review at all"}, answer: writes(200, "text/plain", ofAnswer)},
	{row: row{"broken off", "the end is missing"}, answer: writes(200, "application/json", review(`{"uid":"UID","allowed":true,"warnings":["`+ofAnswer))},
	{row: row{"500", "upstream's error has 2048 bytes of it"}, answer: writes(500, "text/plain", ofAnswer)},
	{row: row{"500 without type", "taken for text"}, answer: writes(500, "", ofAnswer)},
	{row: row{"500 with status", "reason and details are the webhook's"}, answer: writes(500, "application/json", `{"apiVersion":"v1","kind":"Status","status":"Failure","code":403,"message":"`+ofAnswer+`","reason":"`+ofAnswer+`","details":{"name":"`+ofAnswer+`"}}`)},
	{row: row{"200 with bad type", "the type is the webhook's"}, answer: writes(200, "a/b/"+ofAnswer, "{}")},
	{row: row{"302 elsewhere", "path, query and user are the webhook's"}, answer: redirects("https://" + ofAnswer + ":x@127.0.0.1:9/" + ofAnswer + "?" + ofAnswer)},
	{row: row{"307 to a host", "the host is the webhook's, and may be what it was sent"}, answer: redirects("https://" + ofAnswer + "/")},
	{row: row{"307 to a scheme", "and so is the scheme"}, answer: redirects(ofAnswer + "://127.0.0.1:9/")},
	{row: row{"307 nowhere", "what cannot be parsed is quoted by net/url"}, answer: redirects("https://%zz" + ofAnswer)},
	{row: row{"307 at home", "net/http names the address at which it failed"}, answer: func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == ofAnswer {
			panic(http.ErrAbortHandler)
		}
		redirects(r.URL.Path+"?"+ofAnswer)(w, r)
	}},
	{row: row{"307 other scheme", "net/http would quote it"}, answer: redirects("file:///" + ofAnswer)},
}

// nonsense are answers that are no HTTP, or only just.
var nonsense = []fault{
	{row: row{"101", "another protocol"}, answer: sends("HTTP/1.1 101 "+ofAnswer, "Connection: upgrade", "Upgrade: "+ofAnswer, "", ofAnswer)},
	{row: row{"banner", "some other server answers first"}, answer: sends(ofAnswer+"-2.0", "")},
	{row: row{"status code", "no number"}, answer: sends("HTTP/1.1 "+ofAnswer+" OK", "", "")},
	{row: row{"status text", "as free as a body"}, answer: sends("HTTP/1.1 500 "+ofAnswer, "Content-Length: 0", "", "")},
	{row: row{"header line", "no colon"}, answer: sends("HTTP/1.1 200 OK", ofAnswer, "", "")},
	{row: row{"length", "no number"}, answer: sends("HTTP/1.1 200 OK", "Content-Length: "+ofAnswer, "", "")},
	{row: row{"encoding", "an unknown one"}, answer: sends("HTTP/1.1 200 OK", "Transfer-Encoding: "+ofAnswer, "", "")},
	{row: row{"chunk", "no number"}, answer: sends("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", ofAnswer, "")},
	{row: row{"headers", "client-go logs headers at high verbosity"}, answer: sends("HTTP/1.1 500 No", "Warning: 299 - \""+ofAnswer+"\"", "Set-Cookie: a="+ofAnswer, "X-Object: "+ofAnswer, "Content-Length: 0", "", "")},
}

// mutations are patches, for mutating webhooks.
var mutations = []fault{
	{row: row{"patches", "an ordinary patch"}, answer: patches(op("add", "/metadata/annotations/x", `,"value":"`+ofPatch+`"`))},
	{row: row{"test fails", "the value is in the patch"}, answer: patches(op("test", "/metadata/name", `,"value":"`+ofPatch+`"`))},
	{row: row{"test of a secret", "and the other in the object"}, answer: patches(op("test", "/metadata/annotations/secret", `,"value":"`+ofPatch+`"`))},
	{row: row{"below nothing", "the usual mistake"}, answer: patches(op("add", "/metadata/none/x", `,"value":"`+ofPatch+`"`))},
	{row: row{"below a text", "the text is no object"}, answer: patches(op("add", "/metadata/annotations/secret/x", `,"value":"`+ofPatch+`"`))},
	{row: row{"bad time", "parsers of times quote what they cannot read"}, answer: patches(op("add", "/metadata/creationTimestamp", `,"value":"`+ofPatch+`"`))},
	{row: row{"secret as time", "and so a part of the object"}, answer: patches(op("copy", "/metadata/creationTimestamp", `,"from":"/metadata/annotations/secret"`))},
	{row: row{"bad number", "a text in its place"}, answer: patches(op("add", "/metadata/generation", `,"value":"`+ofPatch+`"`))},
	{row: row{"secret as map", "a text in its place"}, answer: patches(op("copy", "/metadata/labels", `,"from":"/metadata/annotations/secret"`))},
	{row: row{"secret as kind", "decoders look for kinds"}, answer: patches(op("copy", "/kind", `,"from":"/metadata/annotations/secret"`))},
	{row: row{"secret as version", "decoders look for versions"}, answer: patches(op("copy", "/apiVersion", `,"from":"/metadata/annotations/secret"`))},
	{row: row{"patch of the kind", "decoders quote such documents"}, answer: patches(op("remove", "/kind", ""))},
	{row: row{"text as object", "decoders quote such documents"}, answer: patches(op("copy", "", `,"from":"/metadata/annotations/secret"`))},
	{row: row{"no operation", "the name is the webhook's"}, answer: patches(op(ofAnswer, "/metadata/name", ""))},
	{row: row{"no list", "decoders say what they found"}, answer: patches(`{"op":"` + ofPatch + `"}`)},
	{row: row{"no JSON", "decoders say what they found"}, answer: patches(ofPatch)},
	{row: row{"no base64", "decoders say what they found"}, answer: writes(200, "application/json", review(`{"uid":"UID","allowed":true,"patchType":"JSONPatch","patch":"!`+ofPatch+`"}`))},
	{row: row{"patch type", "the webhook's word"}, answer: writes(200, "application/json", review(`{"uid":"UID","allowed":true,"patchType":"`+ofAnswer+`","patch":"`+base64.StdEncoding.EncodeToString([]byte(`[{"op":"remove","path":"/metadata/name"}]`))+`"}`))},
	{row: row{"panics", "the library's own panic"}, answer: patches(op("test", "", `,"value":"`+ofPatch+`"`))},
}

// conditions fail, and have a secret in their hands.
var conditions = func() (all []fault) {
	for _, convert := range []string{"int", "uint", "double", "bool", "timestamp", "duration", "quantity", "url", "ip", "cidr", "semver", "optional.none().orValue"} {
		all = append(all, fault{row: row{"condition " + convert, "CEL says why it could not convert"}, quoted: convert == "ip" || convert == "cidr", condition: "string(" + convert + `(object.metadata.annotations.secret)) == ""`})
	}
	for what, expression := range map[string]string{
		"key":     `object.metadata.annotations[object.metadata.annotations.secret] == ""`,
		"map":     `{object.metadata.annotations.secret: 1}["none"] == 1`,
		"pattern": `"a".matches("[" + object.metadata.annotations.secret)`,
		"index":   `[1][object.metadata.annotations.secret == "" ? 0 : 5] == 1`,
	} {
		all = append(all, fault{row: row{"condition " + what, "CEL says what it did not find"}, condition: expression})
	}
	return all
}()

// redirects is a webhook that is elsewhere.
func redirects(location string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Location"] = []string{location}
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
}
