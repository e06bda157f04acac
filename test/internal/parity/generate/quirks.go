package generate

import (
	"pgregory.net/rapid"

	"example.com/gatehouse/test/internal/parity/scenario"
)

// quirk draws an answer of an unusual form, most of which are understood.
func quirk(t *rapid.T) scenario.Answer {
	a := scenario.Answer{Allowed: true}
	switch below(t, "quirk", 4) {
	case 0:
		a.Gzip = true
		if boolean(t, "without compression") {
			a.Gzip, a.Header = false, map[string]string{"Content-Encoding": oneOf(t, "encoding", []string{"gzip", "deflate", "identity", "br"})}
		}
	case 1:
		a.Header = map[string]string{"Content-Type": oneOf(t, "content type", []string{
			"text/plain", "application/yaml", "application/json; charset=utf-16", "application/vnd.kubernetes.protobuf", "none", "application/json;as=Table"})}
	case 2:
		a.Status = oneOf(t, "HTTP status", []int{201, 202, 203, 204, 206, 226, 304, 299, 401, 402, 405, 409, 410, 412, 415, 418, 422, 499, 501, 504, 599})
		a.Gzip = boolean(t, "compressed")
	case 3:
		a.Body = new(oneOf(t, "quirky body", quirkyBodies))
	}
	return a
}

// quirkyBodies have keys in another case, keys that are there twice, escapes,
// values of another type, more than is needed, and YAML. Aliases of YAML are
// left out: gatehouse refuses them.
var quirkyBodies = []string{
	`{"KIND":"AdmissionReview","ApiVersion":"{{apiVersion}}","Response":{"Uid":"{{uid}}","ALLOWED":true}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","Allowed":true,"allowed":false}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"warnings":["a"],"Warnings":["b","c"]}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"auditAnnotations":{"a":"1","a":"2"}}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true},"response":{"warnings":["second"]}}`,
	`{"kind":"AdmissionReview","kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":null,"response":{"uid":"{{uid}}","allowed":true}}`,
	`{"kind":"Admission\u0052eview","apiVersion":"{{apiVersion}}","\u0072esponse":{"uid":"{{uid}}","all\u006fwed":true,"warnings":["\u00e9\ud83d\ude00\ud800<&>"]}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"warnings":null,"auditAnnotations":null,"patch":null,"patchType":null,"status":null}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":1}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":null}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":false,"status":{"code":403.0,"message":"no"}}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":false,"status":{"code":"403","message":"no"}}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":false,"status":{"code":4e2,"Message":"no","details":{"causes":[null]}}}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"warnings":"one"}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"auditAnnotations":{"a":1}}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":[{"uid":"{{uid}}","allowed":true}]}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"unknown":{"deep":[1,{"x":null}]}},"request":{"uid":"other"},"more":1e400}`,
	"\ufeff" + `{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true}}`,
	" \t\r\n" + `{"kind":"AdmissionReview" , "apiVersion" : "{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true}}` + "\n\n",
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true}} trailing`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true}}{"kind":"AdmissionReview"}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"patchType":"JSONPatch","patch":"W10"}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"patchType":"MergePatch","patch":"W10="}}`,
	`{"kind":"AdmissionReview","apiVersion":"{{apiVersion}}","response":{"uid":"{{uid}}","allowed":true,"patchType":"JSONPatch","patch":""}}`,
	"kind: AdmissionReview\napiVersion: {{apiVersion}}\nresponse:\n  uid: \"{{uid}}\"\n  allowed: true # yes\n  warnings: [careful]\n",
	"---\nkind: AdmissionReview\napiVersion: {{apiVersion}}\nresponse: {uid: \"{{uid}}\", allowed: false, status: {code: 0x193, message: |\n  two\n  lines\n  }}\n",
	"kind: AdmissionReview\napiVersion: {{apiVersion}}\nresponse: {uid: \"{{uid}}\", allowed: on, allowed: off}\n",
	"{kind: AdmissionReview, apiVersion: {{apiVersion}}, response: {uid: \"{{uid}}\", allowed: true}}",
}
