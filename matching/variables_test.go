package matching_test

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"

	"example.com/gatehouse/admission"
)

// holds is a condition that has to be true for a request.
func holds(name, why, expression string, a testRequest) conditionCase {
	return conditionCase{row: row{name, why}, webhook: asking(when(expression)), ask: a, want: conditionsTrue}
}

// fails is a condition that has to fail, saying why.
func fails(name, why, expression, text string) conditionCase {
	return conditionCase{
		row: row{name, why}, webhook: asking(when(expression)), ask: creating(),
		want: forbidden(admission.ConditionsFailed, 1, text),
	}
}

func TestObjectVariables(t *testing.T) {
	t.Parallel()
	deleting := changing(pod(web), nil)
	deleting.operation = apiadmission.Delete
	rich := pod(nil)
	rich.CreationTimestamp = metav1.NewTime(time.Unix(0, 0))
	rich.Spec.Containers = []corev1.Container{{LivenessProbe: probe(intstr.FromInt32(80)), ReadinessProbe: probe(intstr.FromString("http"))}}
	secret := &corev1.Secret{Data: map[string][]byte{"k": []byte("hi")}}
	widget := custom(web)
	widget.Object["spec"] = map[string]any{"size": int64(3)}
	with := func(o runtime.Object) testRequest { return creating(func(a *testRequest) { a.object = o }) }
	runConditions(t, []conditionCase{
		holds("object", "S-140: the new object", "object.metadata.name == 'n'", creating()),
		holds("no oldObject", "S-142: a CREATE has none", "oldObject == null", creating()),
		holds("no object", "S-142: a DELETE has only the old one", "object == null && oldObject.metadata.labels.app == 'web'", deleting),
		holds("both objects", "S-140: an UPDATE has both", "object.metadata.labels.app != oldObject.metadata.labels.app", changing(pod(web), pod(other))),
		holds("time", "S-142: a time is the text of its JSON", "object.metadata.creationTimestamp == '1970-01-01T00:00:00Z'", with(rich)),
		holds("number or text, number", "S-142: what may be either is what it is", "object.spec.containers[0].livenessProbe.httpGet.port == 80", with(rich)),
		holds("number or text, text", "S-142: what may be either is what it is", "object.spec.containers[0].readinessProbe.httpGet.port == 'http'", with(rich)),
		holds("bytes", "S-142: bytes are the base64 of their JSON", "object.data.k == 'aGk='", with(secret)),
		holds("omitted field", "S-142: fields that JSON leaves out are not there", "!has(object.spec.hostNetwork)", creating()),
		holds("unstructured", "S-142: a custom resource is its map", "object.spec.size == 3 && object.kind == 'Widget'", with(widget)),
		holds("namespaceObject", "S-140: declared, and always null", "namespaceObject == null", creating()),
		fails("reading an omitted field", "S-142: which makes reading one an error", "object.spec.hostNetwork == true",
			"expression 'object.spec.hostNetwork == true' resulted in error: no such key: hostNetwork"),
		fails("reading through null", "S-142: null has no fields", "oldObject.metadata.name == 'n'",
			"expression 'oldObject.metadata.name == 'n'' resulted in error: no such key: metadata"),
		fails("reading the namespace", "S-140: null has no fields", "namespaceObject.metadata.name == 'ns'",
			"expression 'namespaceObject.metadata.name == 'ns'' resulted in error: no such key: metadata"),
	})
}

func probe(port intstr.IntOrString) *corev1.Probe {
	return &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: port}}}
}

func TestRequestVariable(t *testing.T) {
	t.Parallel()
	scaling := deploying("scale")
	scaling.operation, scaling.dryRun = apiadmission.Update, true
	scaling.options = &metav1.UpdateOptions{FieldManager: "kubectl"}
	scaling.user = &user.DefaultInfo{Name: "bob", UID: "7", Groups: []string{"dev"}, Extra: map[string][]string{"scopes": {"a", "b"}}}
	noUser := creating(func(a *testRequest) { a.user = nil })
	nameless := creating(func(a *testRequest) { a.name, a.namespace = "", "" })
	runConditions(t, []conditionCase{
		holds("kind", "S-141", "request.kind.group == 'autoscaling' && request.kind.version == 'v1' && request.kind.kind == 'Scale'", scaling),
		holds("resource", "S-141", "request.resource.group == 'apps' && request.resource.version == 'v1' && request.resource.resource == 'deployments'", scaling),
		holds("subResource", "S-141", "request.subResource == 'scale'", scaling),
		holds("requestKind", "S-141", "request.requestKind.kind == 'Scale'", scaling),
		holds("requestResource", "S-141", "request.requestResource.resource == 'deployments'", scaling),
		holds("requestSubResource", "S-141", "request.requestSubResource == 'scale'", scaling),
		holds("name", "S-141", "request.name == 'n'", scaling),
		holds("namespace", "S-141", "request.namespace == 'ns'", scaling),
		holds("operation", "S-141", "request.operation == 'UPDATE'", scaling),
		holds("username and uid", "S-141", "request.userInfo.username == 'bob' && request.userInfo.uid == '7'", scaling),
		holds("groups", "S-141", "request.userInfo.groups == ['dev']", scaling),
		holds("extra", "S-141", "request.userInfo.extra['scopes'] == ['a', 'b']", scaling),
		holds("dryRun", "S-141", "request.dryRun", scaling),
		holds("not a dry run", "S-141: always present", "request.dryRun == false", creating()),
		holds("options", "S-141", "request.options.fieldManager == 'kubectl'", scaling),
		holds("no options", "S-141: null when there are none", "request.options == null", creating()),
		holds("nothing below", "S-142: empty fields are not there", "!has(request.subResource) && !has(request.requestSubResource)", creating()),
		holds("no name", "S-142: empty fields are not there", "!has(request.name) && !has(request.namespace)", nameless),
		holds("no user", "a request without a user is shown with an empty one", "has(request.userInfo) && !has(request.userInfo.username)", noUser),
		fails("uid", "S-141: the review is not made yet, so it has no uid", "request.uid == 'x'",
			"compilation error: compilation failed: ERROR: <input>:1:8: undefined field 'uid'\n | request.uid == 'x'\n | .......^"),
		fails("object", "S-141: the object has a variable of its own", "request.object == null",
			"compilation error: compilation failed: ERROR: <input>:1:8: undefined field 'object'\n | request.object == null\n | .......^"),
		fails("oldObject", "S-141: and so has the old one", "request.oldObject == null",
			"compilation error: compilation failed: ERROR: <input>:1:8: undefined field 'oldObject'\n | request.oldObject == null\n | .......^"),
		fails("params", "S-140: only policies have parameters", "params == null",
			"compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^"),
		fails("variables", "S-140: only policies have variables", "variables.x == 1",
			"compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.x == 1\n | ^"),
	})
}

func TestVariablesUnderEquivalence(t *testing.T) {
	t.Parallel()
	other := rules(rule("extensions", "v1beta1", "deployments"))
	converted := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "converted"}}
	input := func(in *input) {
		asked(&mapper{})(in)
		in.versioned = func(kind schema.GroupVersionKind) *apiadmission.VersionedAttributes {
			v := versioned(in.Attributes, kind)
			v.VersionedObject.Set(converted)
			return v
		}
	}
	var cases []conditionCase
	for _, c := range []conditionCase{
		holds("resource", "S-134: request.resource is the request's own, unlike in the review", "request.resource.group == 'apps' && request.resource.version == 'v1'", deploying("")),
		holds("kind", "S-134: request.kind is the one that the webhook asked for", "request.kind.group == 'extensions' && request.kind.version == 'v1beta1'", deploying("")),
		holds("requestKind", "S-134: request.requestKind is the request's own", "request.requestKind.group == 'apps'", deploying("")),
		holds("requestResource", "S-134: request.requestResource is the request's own", "request.requestResource.group == 'apps'", deploying("")),
		holds("object", "S-130: the object is the converted one", "object.metadata.name == 'converted'", deploying("")),
	} {
		equivalent(c.webhook)
		other(c.webhook)
		c.input = input
		cases = append(cases, c)
	}
	runConditions(t, cases)
}
