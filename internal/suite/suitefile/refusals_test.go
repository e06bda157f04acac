package suitefile_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/gatehouse/internal/suite/suitefile"
	"example.com/gatehouse/internal/testutil/testtable"
)

// refusal is a suite that cannot be read, and its errors without the file: one
// for each line.
type refusal struct {
	row
	input, want string
	// caught says that the schema finds it, too.
	caught bool
}

func refusals() []refusal {
	return slices.Concat(documentRefusals(), headRefusals(), namespaceRefusals(), webhookRefusals(), execRefusals(),
		requestRefusals(), fileRefusals(), expectRefusals(), nullRefusals(), goldenRefusals(), calledRefusals(), policyRefusals())
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	testtable.Run(t, refusals(), func(t *testing.T, tc refusal) {
		s, err := suitefile.Read(only(t, tc.input))
		want := here + ": document 1 " + strings.ReplaceAll(tc.want, "\n", "\n"+here+": document 1 ")
		if got := testtable.Text(err); got != want || s != nil {
			t.Errorf("\n got %s, %v\nwant %s", got, s, want)
		}
	})
}

func documentRefusals() []refusal {
	return []refusal{
		{row{"version", "the format will change before it is v1"}, "apiVersion: gatehouse/v1beta1\nkind: AdmissionTest\n",
			"(line 1): apiVersion: gatehouse/v1beta1 is unknown: want gatehouse/v1alpha1", true},
		{row{"kind", "the caller should have called Is"}, "apiVersion: gatehouse/v1alpha1\nkind: AdmissionRequest\n",
			"(line 2): kind: AdmissionRequest of gatehouse/v1alpha1 is not a AdmissionTest", true},
		{row{"kind that is nearly right", "the author expects it to run"}, "apiVersion: gatehouse/v1alpha1\nkind: admissionTests\n",
			"(line 2): kind: admissionTests of gatehouse/v1alpha1 is not a AdmissionTest", true},
		{row{"another group", "others put a dot into theirs"}, "apiVersion: gatehouse.io/v1alpha1\nkind: AdmissionTest\n",
			"(line 1): apiVersion: gatehouse.io/v1alpha1 is unknown: want gatehouse/v1alpha1", true},
		{row{"unknown fields", "each is a mistake on a line of its own"}, whole("timeout: 5\ndefaults:\n  user: ann\n"),
			"(line 5): unknown field \"timeout\"\n(line 7): unknown field \"defaults.user\"", true},
		{row{"unknown field of an expectation", "it would never be found out that nothing is expected"}, expecting("mesage: a\n"),
			`(line 8): unknown field "cases[0].expect.mesage"`, true},
		{row{"duplicate field", "it is ambiguous"}, whole("serial: true\nserial: false\n"), `(line 6): duplicate field "serial"`, false},
		{row{"duplicate in an object", "decoders of objects may be more patient"}, one("request: {object: {apiVersion: v1, kind: Pod, a: 1, a: 2}}\nexpect: {}\n"),
			`(line 6): duplicate field "cases[0].request.object.a"`, false},
		{row{"text for a number", "the field is said in the words of people"}, expecting("code: '403'\n"),
			"(line 8): cases[0].expect.code: must be a whole number, but is a string", true},
		{row{"fraction", "a half is no round"}, expecting("rounds: 1.5\n"),
			"(line 8): cases[0].expect.rounds: must be a whole number, but is 1.5", true},
		{row{"number for a text", "YAML makes a number of it"}, head + cluster + "cases:\n- name: 7\n  request: pod.yaml\n  expect: {}\n",
			"(line 5): cases[0].name: must be a string, but is a number", true},
		{row{"no for a text", "YAML 1.1 makes false of it"}, expecting("message: no\n"),
			"(line 8): cases[0].expect.message: must be a string, but is a boolean", true},
		{row{"text for a list", "one is a list, too"}, expecting("warnings: a\n"),
			"(line 8): cases[0].expect.warnings: must be a list, but is a string", true},
		{row{"list for a map", "a dash too many"}, one("request: pod.yaml\nexpect: [allowed]\n"),
			"(line 7): cases[0].expect: must be an object, but is a list", true},
		{row{"text for a word", "it need not be quoted"}, whole("serial: 'true'\n"), "(line 5): serial: must be a boolean, but is a string", true},
		{row{"map for a list", "a dash too few"}, head + cluster + "cases: {name: a}\n", "(line 4): cases: must be a list, but is an object", true},
		{row{"in a list", "the item is named"}, "apiVersion: v1\nkind: List\nitems:\n- apiVersion: gatehouse/v1alpha1\n  kind: AdmissionTest\n  configurations: [webhooks.yaml]\n",
			"(line 4): items[0]: cases: required: at least one", true},
	}
}

func headRefusals() []refusal {
	return []refusal{
		{row{"nothing", "all that is missing is said"}, head,
			"(line 1): configurations: required: the paths of files and folders, or objects\n(line 1): cases: required: at least one", true},
		{row{"name of two lines", "reports have one for each"}, whole("name: \"a\\nb\"\n"),
			`(line 5): name: "a\nb": must be one line, without control characters`, false},
		{row{"blank name", "a report would have nothing to say"}, whole("name: ' '\n"), "(line 5): name: required", true},
		{row{"authorizer", "there are two"}, whole("authorizer: Allow\n"), `(line 5): authorizer: "Allow": must be "allow" or "deny"`, true},
		{row{"configuration that is neither", "a number is no path"}, head + "configurations: [7]\n" + cases,
			"(line 3): configurations[0]: must be the path of a file, or an object", true},
		{row{"null for a configuration", "a dash too many, which this validator of schemas takes for no value"}, head + "configurations:\n-\n" + cases,
			"(line 4): configurations[0]: required: the path of a file, or an object", false},
		{row{"empty path", "it would be the folder"}, head + "configurations: ['']\n" + cases, "(line 3): configurations[0]: the path is empty", true},
		{row{"configuration that is not there", "the line is that of the path"}, head + "configurations:\n- webhooks.yaml\n- none.yaml\n" + cases,
			"(line 5): configurations[1]: testdata/none.yaml: cannot be read: no such file or directory", false},
		{row{"object without a kind", "nothing says what it is"}, head + "configurations:\n- apiVersion: v1\n" + cases,
			"(line 4): configurations[0]: kind is missing", true},
		{row{"default namespace", "an API server has rules"}, whole("defaults: {namespace: Shop}\n"),
			"(line 5): defaults.namespace: \"Shop\": " + label, true},
		{row{"no username", "S-214: a user has a name"}, whole("defaults: {userInfo: {groups: [a]}}\n"),
			"(line 5): defaults.userInfo.username: required: every request has a user name", true},
	}
}

// What apimachinery has to say about names.
const (
	label = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with " +
		"an alphanumeric character (e.g. 'my-name', or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	labelKey = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
		"(e.g. 'MyName', or 'my.name', or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	labelValue = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with " +
		"an alphanumeric character (e.g. 'MyValue', or 'my_value', or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
	variable = "a valid environment variable name must consist only of printable ASCII characters other than '='"
)

func namespaceRefusals() []refusal {
	return []refusal{
		{row{"namespace", "an API server would not create it"}, whole("namespaces: [{name: a_b}]\n"), `(line 5): namespaces[0].name: "a_b": ` + label, true},
		{row{"namespace without a name", "a label belongs to a namespace"}, whole("namespaces: [{labels: {a: b}}]\n"), "(line 5): namespaces[0].name: required", true},
		{row{"two namespaces of a name", "a selector would see either"}, whole("namespaces:\n- name: a\n- name: a\n"),
			`(line 7): namespaces[1].name: "a": is already the name of namespaces[0]`, false},
		{row{"labels", "each is a mistake"}, whole("namespaces:\n- name: a\n  labels:\n    a b: c\n    d: e f\n"),
			`(line 8): namespaces[0].labels.a b: "a b": ` + labelKey + "\n" + `(line 9): namespaces[0].labels.d: "e f": ` + labelValue, true},
		{row{"own label", "every namespace has it, and it is its name"}, whole("namespaces:\n- name: a\n  labels: {kubernetes.io/metadata.name: b}\n"),
			`(line 7): namespaces[0].labels.kubernetes.io/metadata.name: "b": must be the name of the namespace`, false},
	}
}

func webhookRefusals() []refusal {
	at := func(fields string) string { return whole("webhooks:\n- " + fields + "\n") }
	return []refusal{
		{row{"nowhere", "that is what an entry is for"}, at("name: a"), "(line 6): webhooks[0]: required: address or exec", true},
		{row{"everywhere", "it is in one place"}, at("{address: 'a:1', exec: {command: [a]}}"),
			"(line 6): webhooks[0].exec: cannot be combined with address", true},
		{row{"address without a port", "webhooks have no usual one outside of clusters"}, at("address: localhost"),
			`(line 6): webhooks[0].address: "localhost": must be HOST:PORT, such as localhost:8443`, true},
		{row{"address without a host", "a connection goes to one"}, at("address: ':8443'"),
			`(line 6): webhooks[0].address: ":8443": must be HOST:PORT, such as localhost:8443`, true},
		{row{"port that is none", "there are 65535"}, at("address: 'a:65536'"), `(line 6): webhooks[0].address: "a:65536": must be HOST:PORT, such as localhost:8443`, false},
		{row{"no port", "port 0 is invalid"}, at("address: 'a:0'"), `(line 6): webhooks[0].address: "a:0": must be HOST:PORT, such as localhost:8443`, false},
		{row{"URL", "the path is the configuration's"}, at("address: https://a:1"),
			`(line 6): webhooks[0].address: "https://a:1": must be HOST:PORT, without a scheme`, true},
		{row{"CA of a command", "it gets one"}, at("{caFile: ca.pem, exec: {command: [a]}}"),
			"(line 6): webhooks[0].caFile: needs address: for exec, gatehouse creates a CA", true},
		{row{"two entries of a name", "it is ambiguous"}, whole("webhooks:\n- {name: a, address: 'a:1'}\n- {name: a, address: 'b:1'}\n"),
			`(line 7): webhooks[1].name: "a": is already the name of webhooks[0]`, false},
		{row{"two for all", "it is ambiguous"}, whole("webhooks:\n- {address: 'a:1'}\n- {address: 'b:1'}\n"),
			"(line 7): webhooks[1]: name: required: only one entry may have no name, and webhooks[0] has none", false},
		{row{"half a name", "a configuration has many webhooks"}, at("{name: shop/, address: 'a:1'}"),
			`(line 6): webhooks[0].name: "shop/": must be NAME or CONFIGURATION/NAME`, true},
		{row{"name of three parts", "there are two"}, at("{name: a/b/c, address: 'a:1'}"), `(line 6): webhooks[0].name: "a/b/c": must be NAME or CONFIGURATION/NAME`, true},
	}
}

func execRefusals() []refusal {
	at := func(fields string) string {
		return whole("webhooks:\n- exec:\n" + indented(indented("command: [a]\n"+fields)))
	}
	return []refusal{
		{row{"no command", "there is nothing to run"}, whole("webhooks:\n- exec: {}\n"), "(line 6): webhooks[0].exec.command: required: a program and its arguments", true},
		{row{"empty program", "it has no name"}, whole("webhooks:\n- exec: {command: ['', a]}\n"),
			"(line 6): webhooks[0].exec.command: required: a program and its arguments", false},
		{row{"working folder", "a command runs in one that is there"}, at("workingDir: none\n"),
			"(line 8): webhooks[0].exec.workingDir: testdata/none: cannot be read: no such file or directory", false},
		{row{"folder that is a file", "nothing can run in it"}, at("workingDir: pod.yaml\n"), "(line 8): webhooks[0].exec.workingDir: testdata/pod.yaml: is not a folder", false},
		{row{"variable", "it would be another's value"}, at("env: [{name: a=b, value: c}]\n"), `(line 8): webhooks[0].exec.env[0].name: "a=b": ` + variable, true},
		{row{"variable without a name", "it has a value at most"}, at("env: [{value: c}]\n"), "(line 8): webhooks[0].exec.env[0].name: required", true},
		{row{"two of a variable", "one of them counts for nothing"}, at("env:\n- name: a\n- name: a\n"),
			`(line 10): webhooks[0].exec.env[1].name: "a": is already the name of webhooks[0].exec.env[0]`, false},
		{row{"port", "there are 65535"}, at("port: 65536\n"), "(line 8): webhooks[0].exec.port: 65536: must be from 1 to 65535", true},
		{row{"negative port", "there is none below 0"}, at("port: -1\n"), "(line 8): webhooks[0].exec.port: -1: must be from 1 to 65535", true},
		{row{"two signs", "it is not clear whether one is enough"}, at("readiness: {path: /a, log: b}\n"),
			"(line 8): webhooks[0].exec.readiness: path and log cannot be combined", true},
		{row{"path", "requests have one from the root"}, at("readiness:\n  path: readyz\n"),
			`(line 9): webhooks[0].exec.readiness.path: "readyz": must begin with a slash`, true},
		{row{"log", "it is a regular expression"}, at("readiness:\n  log: a(\n"),
			"(line 9): webhooks[0].exec.readiness.log: \"a(\" is not a regular expression: error parsing regexp: missing closing ): `a(`", false},
		{row{"seconds", "the limit is exceeded"}, at("startSeconds: 601\nstopSeconds: 61\n"),
			"(line 8): webhooks[0].exec.startSeconds: 601: must be from 1 to 600\n(line 9): webhooks[0].exec.stopSeconds: 61: must be from 1 to 60", true},
		{row{"negative seconds", "time runs one way"}, at("startSeconds: -1\n"), "(line 8): webhooks[0].exec.startSeconds: -1: must be from 1 to 600", true},
	}
}

func requestRefusals() []refusal {
	return []refusal{
		{row{"empty case", "all that is missing is said"}, head + cluster + "cases:\n- {}\n",
			"(line 5): cases[0].name: required\n(line 5): cases[0].expect: required: {} expects only that the request is allowed\n" +
				"(line 5): cases[0].request: required: the path of a file, or an object", true},
		{row{"null for an expectation", "it is as good as absent"}, one("request: pod.yaml\nexpect:\n"),
			"(line 7): cases[0].expect: required: {} expects only that the request is allowed", true},
		{row{"two cases of a name", "a result would be of either"}, head + cluster + "cases:\n- &a {name: a, request: pod.yaml, expect: {}}\n- *a\n",
			`(line 5): cases[1].name: "a": is already the name of cases[0]`, false},
		{row{"every case", "an author sees all of them"}, head + cluster + "cases:\n- {name: a, request: 7, expect: {}}\n- {name: b, request: pod.yaml, expect: {rounds: 0}}\n",
			"(line 5): cases[0].request: must be the path of a file, or an object\n(line 6): cases[1].expect.rounds: 0: must be 1 or 2", true},
		{row{"another kind", "an object is created from a file, or written into a request"}, one("request:\n  apiVersion: v1\n  kind: Pod\nexpect: {}\n"),
			`(line 7): cases[0].request: apiVersion: must be gatehouse/v1alpha1, or not be written, but is "v1"`, true},
		{row{"review", "it has a file of its own"}, one("request:\n  apiVersion: admission.k8s.io/v1\n  kind: AdmissionReview\nexpect: {}\n"),
			`(line 7): cases[0].request: apiVersion: must be gatehouse/v1alpha1, or not be written, but is "admission.k8s.io/v1"`, true},
	}
}

func fileRefusals() []refusal {
	from := func(file string) string { return one("request: " + file + "\nexpect: {}\n") }
	return []refusal{
		{row{"not there", "the path is said once"}, from("none.yaml"), "(line 6): cases[0].request: testdata/none.yaml: cannot be read: no such file or directory", false},
		{row{"folder", "it is not clear which file is meant"}, from("folder"), "(line 6): cases[0].request: testdata/folder: is a folder, not a file", false},
		{row{"two documents", "it is not clear which is meant"}, from("two.yaml"), "(line 6): cases[0].request: testdata/two.yaml: holds more than one document", false},
		{row{"no document", "comments ask for nothing"}, from("empty.yaml"), "(line 6): cases[0].request: testdata/empty.yaml: holds nothing", false},
		{row{"no YAML", "both places are said"}, from("broken.yaml"),
			"(line 6): cases[0].request: testdata/broken.yaml: document 1 (line 3): invalid YAML: did not find expected node content", false},
		{row{"duplicate in a file", "the line is that of the file"}, from("twice.yaml"),
			`(line 6): cases[0].request: testdata/twice.yaml: document 1 (line 4): duplicate field "spec"`, false},
		{row{"object that is not there", "the field is said, too"}, one("request:\n  oldObject: none.yaml\nexpect: {}\n"),
			"(line 7): cases[0].request.oldObject: testdata/none.yaml: cannot be read: no such file or directory", false},
		{row{"apply without a kind", "it is about an object"}, one("request:\n  patch: {type: apply, content: patch.yaml}\nexpect: {}\n"),
			"(line 7): cases[0].request.patch.content: testdata/patch.yaml: document 1 (line 1): apiVersion is missing", false},
		{row{"patch of two", "it is not clear which is meant"}, one("request:\n  patch: {type: merge, content: two.yaml}\nexpect: {}\n"),
			"(line 7): cases[0].request.patch.content: testdata/two.yaml: holds 2 documents, but one is wanted", false},
		{row{"patch that is a folder", "it is read in another way"}, one("request:\n  patch: {type: json, content: folder}\nexpect: {}\n"),
			"(line 7): cases[0].request.patch.content: testdata/folder: is a folder, not a file", false},
		{row{"twice not there", "one file is one mistake"}, head + cluster + "cases:\n- {name: a, request: none.yaml, expect: {}}\n- {name: b, request: none.yaml, expect: {}}\n",
			"(line 5): cases[0].request: testdata/none.yaml: cannot be read: no such file or directory", false},
	}
}

func expectRefusals() []refusal {
	return []refusal{
		{row{"denied and allowed", "each field contradicts"}, expecting("allowed: true\ncode: 403\nreason: ''\nmessage: a\n"),
			"(line 9): cases[0].expect.code: only for denials, but allowed is true\n" +
				"(line 10): cases[0].expect.reason: only for denials, but allowed is true\n" +
				"(line 11): cases[0].expect.message: only for denials, but allowed is true", true},
		{row{"golden of a denial", "there is no object in the end"}, expecting("allowed: false\ngolden: a.yaml\n"),
			"(line 9): cases[0].expect.golden: a denied request has no final object: expect a part of its last state with object", true},
		{row{"golden with a code", "it is a denial, without saying so"}, expecting("code: 403\ngolden: a.yaml\n"),
			"(line 9): cases[0].expect.golden: a denied request has no final object: expect a part of its last state with object", true},
		{row{"rounds", "there are no more than two"}, expecting("rounds: 3\n"), "(line 8): cases[0].expect.rounds: 3: must be 1 or 2", true},
		{row{"empty name", "an empty list means no call"}, expecting("called: ['']\n"), "(line 8): cases[0].expect.called[0]: required", true},
		{row{"half a name called", "a configuration has many webhooks"}, expecting("called: [/a]\n"),
			`(line 8): cases[0].expect.called[0]: "/a": must be NAME or CONFIGURATION/NAME`, true},
		{row{"called twice", "how often is for times to say"}, expecting("called: [a, b, a]\n"), `(line 8): cases[0].expect.called[2]: "a": is a duplicate`, true},
		{row{"empty key", "no annotation has it"}, expecting("auditAnnotations: {'': a}\n"), "(line 8): cases[0].expect.auditAnnotations: a key is empty", false},
	}
}

func calledRefusals() []refusal {
	at := func(fields string) string { return expecting("webhooks:\n- {name: a, " + fields + "}\n") }
	says := func(fields string) string {
		return "(line 9): cases[0].expect.webhooks[0]." + strings.ReplaceAll(fields, "\n", "\n(line 9): cases[0].expect.webhooks[0].")
	}
	return []refusal{
		{row{"no webhook", "more is said about no webhook"}, expecting("webhooks:\n- times: 1\n"), "(line 9): cases[0].expect.webhooks[0].name: required", true},
		{row{"two of a webhook", "they may contradict each other"}, expecting("webhooks:\n- {name: a, times: 1}\n- {name: a, times: 2}\n"),
			`(line 10): cases[0].expect.webhooks[1].name: "a": is a duplicate`, false},
		{row{"times", "there are no fewer than none"}, at("times: -1"), says("times: -1: must be 0 or more"), true},
		{row{"outcome", "there are seven"}, at("outcome: denied"),
			says(`outcome: "denied": must be one of allowed, rejected, failed closed, failed open, canceled, internal error, panicked`), true},
		{row{"reason for being called", "a why is one for not being called"}, at("called: true, why: a"),
			says("why: only for webhooks that are not called, but called is true"), true},
		{row{"called no times", "a contradiction"}, at("called: true, times: 0"), says("times: is 0, but called is true"), true},
		{row{"not called", "what does not happen has no result"}, at("called: false, times: 1, outcome: allowed, patch: [], warnings: [], auditAnnotations: {a: b}"),
			says("times: only for webhooks that are called, but called is false\noutcome: only for webhooks that are called, but called is false\n" +
				"patch: only for webhooks that are called, but called is false\nwarnings: only for webhooks that are called, but called is false\n" +
				"auditAnnotations: only for webhooks that are called, but called is false"), true},
		{row{"result of a why", "it says that the webhook is not called"}, at("why: a, outcome: allowed"),
			says("outcome: only for webhooks that are called, but why is set, which is for webhooks that are not called"), true},
		{row{"result of no times", "it says the same"}, at("times: 0, outcome: allowed"),
			says("outcome: only for webhooks that are called, but times is 0"), true},
		{row{"empty key of a webhook", "no annotation has it"}, at("auditAnnotations: {'': a}"), says("auditAnnotations: a key is empty"), false},
	}
}
