package faultserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/gatehouse/test/faultserver"
)

// admit is what is being tested: it asks a webhook and, by its failure policy,
// decides without it.
func admit(client *http.Client, url string, failClosed bool) (allowed bool) {
	response, err := client.Post(url, "application/json", strings.NewReader(
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"705ab4f5"}}`))
	if err != nil {
		return !failClosed
	}
	defer response.Body.Close()
	var review struct{ Response struct{ Allowed bool } }
	if err := json.NewDecoder(response.Body).Decode(&review); err != nil {
		return !failClosed
	}
	return review.Response.Allowed
}

// A webhook that hangs must not let anything pass if its failure policy is
// Fail, and must not hold anything up if it is Ignore.
func Example() {
	fault, found := faultserver.Lookup("hang")
	if !found {
		panic("there is no such fault")
	}
	server, err := faultserver.Listen(fault.Script)
	if err != nil {
		panic(err)
	}
	defer server.Close()

	client := server.Client()
	client.Timeout = 3 * time.Second

	fmt.Println("Fail:   allowed", admit(client, server.URL(), true))
	fmt.Println("Ignore: allowed", admit(client, server.URL(), false))
	fmt.Println("requests:", len(server.Record().Requests))

	// Output:
	// Fail:   allowed false
	// Ignore: allowed true
	// requests: 2
}

// A script of one's own: the first request is denied, slowly; the second is
// answered for another request.
func ExampleParse() {
	script, err := faultserver.Parse([]byte(`{"requests": [
		[{"sleep": "10ms"}, {"answer": {"body": {"review": {"status": {"code": 403}}}}}],
		[{"answer": {"body": {"review": {"allowed": true, "uid": "another"}}}}]
	]}`))
	if err != nil {
		panic(err)
	}
	server, err := faultserver.Listen(script)
	if err != nil {
		panic(err)
	}
	defer server.Close()

	fmt.Println(admit(server.Client(), server.URL(), true))
	fmt.Println(admit(server.Client(), server.URL(), true))

	_, err = faultserver.Parse([]byte(`{"requests": [[{"snooze": "10ms"}]]}`))
	fmt.Println(err)

	// Output:
	// false
	// true
	// reading a fault script: line 1, column 17: json: unknown field "snooze"
}
