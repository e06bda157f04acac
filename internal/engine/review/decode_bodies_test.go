package review

// bodies are answers with status 200 and various bodies.
func bodies() []decodeCase {
	ok := func(name, why string, v Version, body string) decodeCase {
		return decodeCase{row: row{name, why}, version: v, response: response{status: 200, contentType: asJSON, body: body}}
	}
	bad := func(name, why string, v Version, body, err string) decodeCase {
		c := ok(name, why, v, body)
		c.err = err
		return c
	}
	empty := func(name, why, body string) decodeCase {
		c := ok(name, why, V1, body)
		c.absent = true
		return c
	}
	const (
		goodBeta = `{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","response":{"allowed":true}}`
		kindless = "no kind \"Pod\" is registered for version \"v1\" in scheme \"pkg/runtime/scheme.go:111\""

		jsonError = "couldn't get version/kind; json parse error: "
		typeMeta  = `struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`
	)
	return []decodeCase{
		ok("v1", "the plain case", V1, good),
		ok("v1beta1", "the plain case of the older version", V1beta1, goodBeta),
		ok("no kind and version", "S-223: they are taken to be what was asked for; verification minds", V1, `{"response":{"allowed":true}}`),
		ok("no kind and version, v1beta1", "S-223: they are taken to be what was asked for", V1beta1, `{"response":{"allowed":true}}`),
		ok("no version", "S-223: likewise", V1, `{"kind":"AdmissionReview","response":{"allowed":true}}`),
		ok("no kind", "S-223: likewise", V1, `{"apiVersion":"admission.k8s.io/v1","response":{"allowed":true}}`),
		ok("unknown fields", "S-224: decoding is not strict", V1, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","x":1,"response":{"allowed":true,"y":{}}}`),
		ok("duplicate keys", "S-224: the last one counts", V1, `{"response":{"allowed":false,"allowed":true}}`),
		ok("duplicate response", "S-224: duplicates are merged", V1, `{"response":{"allowed":true},"response":{"uid":"x"}}`),
		ok("trailing blanks", "blanks mean nothing in JSON", V1, good+" \n\t "),
		ok("YAML", "S-224: YAML is understood whatever the content type says", V1, "apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse:\n  allowed: true\n"),
		empty("capital Response", "S-224: the case of field names counts", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","Response":{"allowed":true}}`),
		empty("no response", "a review without a response is one; verification minds", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`),
		empty("null response", "null is no response", `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":null}`),
		empty("empty object", "S-223: an empty object is a review", `{}`),
		empty("blank body", "S-225: blanks are not nothing, they are empty YAML", " "),
		empty("null", "null is an empty review", `null`),
		bad("v1beta1 for v1", "S-223: reviews are not converted", V1, goodBeta, "converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion"),
		bad("v1 for v1beta1", "S-223: reviews are not converted", V1beta1, good, "converting (v1.AdmissionReview) to (v1beta1.AdmissionReview): unknown conversion"),
		bad("another kind", "S-223: the kind is not registered", V1, `{"apiVersion":"v1","kind":"Pod"}`, kindless),
		bad("another version", "S-223: the version is not registered", V1, `{"apiVersion":"admission.k8s.io/v2","kind":"AdmissionReview"}`,
			"no kind \"AdmissionReview\" is registered for version \"admission.k8s.io/v2\" in scheme \"pkg/runtime/scheme.go:111\""),
		bad("200 with a failed Status", "S-223: a status with code 200 is the wrong kind", V1, `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"m","code":403}`,
			"converting (v1.Status) to (v1.AdmissionReview): unknown conversion"),
		bad("200 with a Status of success", "S-223: even if it says success", V1, `{"apiVersion":"v1","kind":"Status","status":"Success"}`,
			"converting (v1.Status) to (v1.AdmissionReview): unknown conversion"),
		bad("empty body", "S-225: nothing is no review", V1, "", "0-length response with status code: 200 and content type: application/json"),
		bad("broken JSON", "S-225: half a review", V1, `{"kind":`, jsonError+"unexpected end of JSON input"),
		bad("text", "S-225: what is no object in YAML either", V1, `hello`, jsonError+"json: cannot unmarshal string into Go value of type "+typeMeta),
		bad("list", "S-225: a list is no object", V1, `[]`, jsonError+"json: cannot unmarshal array into Go value of type "+typeMeta),
		bad("trailing garbage", "S-225: only one document is read", V1, good+"x", jsonError+"invalid character 'x' after top-level value"),
		bad("wrong type", "S-225: a text is no bool", V1, `{"response":{"allowed":"yes"}}`,
			"json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool"),
		bad("patch that is not base64", "S-225: bytes are base64", V1, `{"response":{"allowed":true,"patch":"[]"}}`, "illegal base64 data at input byte 0"),
		bad("protobuf", "S-224: protobuf is told by its first bytes", V1, "k8s\x00junk", "unexpected EOF"),
	}
}

// contentTypes are good answers with various content types.
func contentTypes() []decodeCase {
	ok := func(name, why, contentType string) decodeCase {
		return decodeCase{row: row{name, why}, version: V1, response: response{status: 200, contentType: contentType, body: good}}
	}
	bad := func(name, why string, r response, err string, code int32) decodeCase {
		return decodeCase{row: row{name, why}, version: V1, response: r, err: err, code: code}
	}
	return []decodeCase{
		ok("no content type", "S-225: JSON is meant", ""),
		ok("content type with a parameter", "S-225: parameters do not matter", "application/json; charset=utf-8"),
		ok("content type text", "S-224: the content type chooses no decoder", "text/html"),
		ok("content type YAML", "S-224: the content type chooses no decoder", "application/yaml"),
		ok("content type protobuf", "S-224: the content type chooses no decoder", "application/vnd.kubernetes.protobuf"),
		ok("content type without a slash", "S-225: a single word is a media type", "json"),
		bad("invalid parameter", "S-225: but it has to be one", response{status: 200, contentType: "application/json; charset", body: good},
			"Internal error occurred: mime: invalid media parameter", 500),
		bad("no media type", "S-225: but it has to be one", response{status: 200, contentType: ";", body: good},
			"Internal error occurred: mime: no media type", 500),
		bad("invalid content type of an error", "S-225: this comes before the status", response{status: 403, contentType: "a/b/c", body: "no"},
			"Internal error occurred: mime: unexpected content after media subtype", 500),
		bad("empty body without a type", "S-225: the text names the type that is meant", response{status: 200},
			"0-length response with status code: 200 and content type: application/json", 0),
		bad("empty body with a type", "S-225: the text names the type in full", response{status: 200, contentType: "text/plain; charset=utf-8"},
			"0-length response with status code: 200 and content type: text/plain; charset=utf-8", 0),
	}
}
