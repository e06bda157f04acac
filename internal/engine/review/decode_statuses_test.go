package review

import "strings"

func status(code int, name, why, contentType, body, err string) decodeCase {
	c := decodeCase{row: row{name, why}, version: V1, response: response{status: code, contentType: contentType, body: body}, err: err, code: int32(code)}
	if err == "" {
		c.code = 0
	}
	return c
}

// statuses are answers with various status codes and plain bodies.
func statuses() []decodeCase {
	const plain = "text/plain"
	other := func(n string) string {
		return "the server responded with the status code " + n + " but did not return more information"
	}
	noContent := status(204, "204", "S-286: success, but without a body there is no review", "", "", "0-length response with status code: 204 and content type: application/json")
	noContent.code = 0
	return []decodeCase{
		status(201, "201", "S-286: 200 to 206 are success", asJSON, good, ""),
		status(202, "202", "S-286: 200 to 206 are success", asJSON, good, ""),
		status(203, "203", "S-286: 200 to 206 are success", asJSON, good, ""),
		noContent,
		status(205, "205", "S-286: 200 to 206 are success", asJSON, good, ""),
		status(206, "206", "S-286: 200 to 206 are success", asJSON, good, ""),
		status(207, "207", "S-241: from 207 on nothing is", asJSON, good, other("207")),
		status(299, "299", "S-241: from 207 on nothing is", plain, "", other("299")),
		status(300, "300", "S-286: a redirect that cannot be followed", plain, "x", other("300")),
		status(302, "302", "S-284: a redirect to nowhere", plain, "x", other("302")),
		status(304, "304", "S-286: nothing was asked that could be unmodified", "", "", other("304")),
		status(307, "307", "S-284: a redirect to nowhere", plain, "x", other("307")),
		status(400, "400", "S-286", plain, "x", "the server rejected our request for an unknown reason"),
		status(401, "401", "S-286", plain, "x", "the server has asked for the client to provide credentials"),
		status(402, "402", "S-286: codes without a text of their own", plain, "x", other("402")),
		status(403, "403", "S-286: the server's own text", plain, " go away \n", "go away"),
		status(403, "403 without a type", "S-286: taken for text", "", "go away", "go away"),
		status(403, "403 in HTML", "S-286: any text will do", "text/html; charset=utf-8", "<b>no</b>", "<b>no</b>"),
		status(403, "403 in JSON", "S-286: only text is quoted", asJSON, `"go away"`, "unknown"),
		status(404, "404", "S-286", plain, "404 page not found", "the server could not find the requested resource"),
		status(405, "405", "S-286", plain, "x", "the server does not allow this method on the requested resource"),
		status(406, "406", "S-286: the server's own text", plain, "only XML", "only XML"),
		status(406, "406 without a text", "S-286", plain, "", "the server was unable to respond with a content type that the client supports"),
		status(406, "406 in JSON", "S-286", asJSON, "{}", "the server was unable to respond with a content type that the client supports"),
		status(409, "409", "S-286", plain, "x", "the server reported a conflict"),
		status(410, "410", "S-286: codes without a text of their own", plain, "x", other("410")),
		status(415, "415", "S-286: the server's own text", plain, "send XML", "send XML"),
		status(418, "418", "S-286: codes without a text of their own", plain, "x", other("418")),
		status(422, "422", "S-286", plain, "x", "the server rejected our request due to an error in our request"),
		status(429, "429", "S-286", plain, "x", "the server has received too many requests and has asked us to try again later"),
		status(500, "500", "S-286: the text is quoted", plain, "boom", `an error on the server ("boom") has prevented the request from succeeding`),
		status(500, "500 with quotes", "S-286: the text is quoted", plain, "a \"b\"\n<é>", `an error on the server ("a \"b\"\n<é>") has prevented the request from succeeding`),
		status(500, "500 without a body", "S-286: the text is quoted", "", "", `an error on the server ("") has prevented the request from succeeding`),
		status(500, "500 in JSON", "S-286: only text is quoted", asJSON, `{"error":"boom"}`, `an error on the server ("unknown") has prevented the request from succeeding`),
		status(500, "500 with a long text", "S-286: no more than 2048 bytes", plain, strings.Repeat("x", 2049), `an error on the server ("`+strings.Repeat("x", 2048)+`") has prevented the request from succeeding`),
		status(500, "500 with a long blank", "S-286: the text is cut before it is trimmed", plain, strings.Repeat(" ", 2048)+"x", `an error on the server ("") has prevented the request from succeeding`),
		status(500, "500 with a cut letter", "S-286: the cut is between bytes", plain, strings.Repeat("x", 2047)+"é", `an error on the server ("`+strings.Repeat("x", 2047)+`\xc3") has prevented the request from succeeding`),
		status(501, "501", "S-286: like 500", plain, "x", `an error on the server ("x") has prevented the request from succeeding`),
		status(502, "502", "S-286: like 500", plain, "x", `an error on the server ("x") has prevented the request from succeeding`),
		status(503, "503", "S-286", plain, "x", "the server is currently unable to handle the request"),
		status(504, "504", "S-286", plain, "x", "the server was unable to return a response in the time allotted, but may still be processing the request"),
		status(599, "599", "S-286: like 500", plain, "x", `an error on the server ("x") has prevented the request from succeeding`),
		status(600, "600", "S-286: like 500", plain, "x", `an error on the server ("x") has prevented the request from succeeding`),
		status(999, "999", "S-286: like 500", plain, "x", `an error on the server ("x") has prevented the request from succeeding`),
	}
}

// failures are errors whose body may be a Status.
func failures() []decodeCase {
	generic := `an error on the server ("unknown") has prevented the request from succeeding`
	replaced := func(c decodeCase, code int32) decodeCase {
		c.code = code
		return c
	}
	waiting := func(c decodeCase, retryAfter string) decodeCase {
		c.response.retryAfter = retryAfter
		return c
	}
	return []decodeCase{
		replaced(status(500, "Status", "S-286: a status that failed replaces the error", asJSON, `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"own words","reason":"Teapot","code":418}`, "own words"), 418),
		replaced(status(403, "Status of a 403", "S-286: whatever the code", "text/plain", `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"own words","code":409}`, "own words"), 409),
		replaced(status(500, "Status in YAML", "S-286: in any form", asJSON, "apiVersion: v1\nkind: Status\nstatus: Failure\nmessage: own words\ncode: 410\n", "own words"), 410),
		replaced(status(500, "Status without a code", "S-286: as it came", asJSON, `{"apiVersion":"v1","kind":"Status","status":"Failure","message":"own words"}`, "own words"), 0),
		replaced(status(500, "Status without a version", "S-286: v1 is meant", asJSON, `{"kind":"Status","status":"Failure","message":"own words","code":499}`, "own words"), 499),
		replaced(status(500, "Status without a message", "S-286: as it came", asJSON, `{"apiVersion":"v1","kind":"Status","status":"Failure","code":499}`, ""), 499),
		status(500, "Status without a kind", "S-286: what has no kind is no status", asJSON, `{"apiVersion":"v1","status":"Failure","message":"own words","code":499}`, generic),
		status(500, "Status that succeeded", "S-286: only a failure replaces the error", asJSON, `{"apiVersion":"v1","kind":"Status","status":"Success","message":"own words","code":200}`, generic),
		status(500, "Status that says neither", "S-286: only a failure replaces the error", asJSON, `{"apiVersion":"v1","kind":"Status","message":"own words"}`, generic),
		replaced(status(500, "Status of a group", "S-286: a Status is one in every group", asJSON, `{"apiVersion":"acme.example.com/v1","kind":"Status","status":"Failure","message":"own words","code":410}`, "own words"), 410),
		status(500, "a good review", "S-241: a review with a bad code is not read", asJSON, good, generic),
		waiting(status(429, "Retry-After", "S-286: kept for those who ask", "text/plain", "x", "the server has received too many requests and has asked us to try again later"), "7"),
		waiting(status(503, "Retry-After as a date", "S-286: only seconds are understood", "text/plain", "x", "the server is currently unable to handle the request"), "Wed, 21 Oct 2015 07:28:00 GMT"),
		waiting(status(400, "Retry-After below zero", "S-286: whole numbers are taken as they are", "text/plain", "x", "the server rejected our request for an unknown reason"), "-1"),
	}
}
