package policies_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	apiadmission "k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"

	"example.com/gatehouse/internal/offline/kinds"
	"example.com/gatehouse/internal/offline/policies"
	"example.com/gatehouse/internal/testutil/testtable"
)

// everything are matchConstraints.
const everything = `{resourceRules: [{operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"]}]}`

// validating returns a policy with a matching binding that warns. The message is
// an expression.
func validating(message string) []string {
	return []string{
		`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: v}, spec: {paramKind: {apiVersion: v1, kind: ConfigMap},
		matchConstraints: ` + everything + `, validations: [{expression: "false", messageExpression: "` + message + `"}]}}`,
		`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: b}, spec: {policyName: v, validationActions: [Warn],
		paramRef: {selector: {matchLabels: {of: v}}, parameterNotFoundAction: Deny}}}`,
	}
}

// parse returns the objects of texts and their problems.
func parse(t *testing.T, texts ...string) (objects []runtime.Object, problems []string) {
	t.Helper()
	for _, text := range texts {
		content, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		object, found := policies.Parse(content)
		for _, problem := range found {
			problems = append(problems, problem.Error())
		}
		objects = append(objects, object)
	}
	return objects, problems
}

// warned keeps warnings.
type warned []string

// AddWarning implements warning.Recorder.
func (w *warned) AddWarning(_, text string) { *w = append(*w, text[strings.LastIndex(text, ": ")+2:]) }

// admit runs a pod of a namespace through policies. It returns the warnings, the
// labels, and the error.
func admit(t *testing.T, in *policies.Inputs, namespace string) (warned, map[string]string, error) {
	t.Helper()
	in.Kinds, in.Authorizer = kinds.New(), authorizerfactory.NewAlwaysAllowAuthorizer()
	types := applyconfigurations.NewTypeConverter(scheme.Scheme)
	in.Types = func(schema.GroupVersionKind) managedfields.TypeConverter { return types }
	e, err := policies.New(in)
	if err != nil {
		t.Fatal(err)
	}
	kind := corev1.SchemeGroupVersion.WithKind("Pod")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace}}
	pod.SetGroupVersionKind(kind)
	a := apiadmission.NewAttributesRecord(pod, nil, kind, namespace, "web",
		corev1.SchemeGroupVersion.WithResource("pods"), "", apiadmission.Create, nil, false, &user.DefaultInfo{})
	var w warned
	ctx := warning.WithWarningRecorder(context.Background(), &w)
	o := in.Kinds.ObjectInterfaces()
	if err := e.Admit(ctx, a, o, nil); err != nil {
		return w, nil, err
	}
	err = e.Validate(ctx, a, o, nil)
	return w, pod.Labels, err
}

// configMap is a param.
func configMap(namespace, name, of string) runtime.Object {
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: name, Namespace: namespace, Labels: map[string]string{"of": of}}}
	m.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMap"))
	return m
}

// TestParams: a selector selects params of the namespace, by name.
func TestParams(t *testing.T) {
	t.Parallel()
	objects, problems := parse(t, validating("'' + params.metadata.name")...)
	if problems != nil {
		t.Fatal(problems)
	}
	got, _, err := admit(t, &policies.Inputs{Policies: objects, AnyNamespace: true, Params: []runtime.Object{
		configMap("shop", "b", "v"), configMap("shop", "a", "v"), configMap("shop", "c", "x"), configMap("other", "d", "v"),
	}}, "shop")
	if diff := cmp.Diff(warned{"a", "b"}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestParamsHaveNoKind: those of built-in kinds are as in an API server's cache.
func TestParamsHaveNoKind(t *testing.T) {
	t.Parallel()
	objects, problems := parse(t,
		`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, metadata: {name: m}, spec: {paramKind: {apiVersion: v1, kind: ConfigMap}, reinvocationPolicy: Never,
		matchConstraints: `+everything+`, mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'kind': has(params.kind) ? 'yes' : 'no', 'from': '' + params.metadata.namespace}}}"}}]}}`,
		`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicyBinding, metadata: {name: b}, spec: {policyName: m, paramRef: {name: b, parameterNotFoundAction: Deny}}}`)
	if problems != nil {
		t.Fatal(problems)
	}
	_, got, err := admit(t, &policies.Inputs{Policies: objects, AnyNamespace: true,
		Params: []runtime.Object{configMap("shop", "a", "v"), configMap("other", "b", "v"), configMap("shop", "b", "v")}}, "shop")
	want := map[string]string{"kind": "no", "from": "shop"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestDefinitionsHaveAKind: client-go has no informer for them, so that they are as an
// API server sends them.
func TestDefinitionsHaveAKind(t *testing.T) {
	t.Parallel()
	objects, problems := parse(t,
		`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, metadata: {name: m}, spec: {paramKind: {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition}, reinvocationPolicy: Never,
		matchConstraints: `+everything+`, mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'kind': '' + params.kind}}}"}}]}}`,
		`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicyBinding, metadata: {name: b}, spec: {policyName: m, paramRef: {name: limits.example.com, parameterNotFoundAction: Deny}}}`)
	if problems != nil {
		t.Fatal(problems)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "limits.example.com"}}
	crd.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"))
	_, got, err := admit(t, &policies.Inputs{Policies: objects, AnyNamespace: true, Params: []runtime.Object{crd}}, "shop")
	want := map[string]string{"kind": "CustomResourceDefinition"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestNamespaces: they have the label of their name, and without AnyNamespace
// only those of the inputs exist.
func TestNamespaces(t *testing.T) {
	t.Parallel()
	message := "namespaceObject.metadata.labels.map(k, k + '=' + namespaceObject.metadata.labels[k]).join(' ')"
	type test struct {
		testtable.Row
		name string
		any  bool
		want string
	}
	testtable.Run(t, []test{
		{testtable.Row{"of the inputs", "its labels are kept"}, "shop", false, "kubernetes.io/metadata.name=shop"},
		{testtable.Row{"any other", "it has the label of its name only"}, "other", true, "kubernetes.io/metadata.name=other"},
		{testtable.Row{"missing", "a request ends with 404"}, "other", false, `namespaces "other" not found`},
	}, func(t *testing.T, tc test) {
		objects, problems := parse(t, strings.ReplaceAll(validating(message)[0], "paramKind: {apiVersion: v1, kind: ConfigMap},", ""), validating("")[1])
		if problems != nil {
			t.Fatal(problems)
		}
		got, _, err := admit(t, &policies.Inputs{Policies: objects, AnyNamespace: tc.any,
			Namespaces: []*corev1.Namespace{{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}}}, tc.name)
		if text := strings.Join(append(got, testtable.Text(err)), ""); text != tc.want {
			t.Errorf("%s: got %s, want %s", tc.Why(), text, tc.want)
		}
	})
}

// TestParse: an object gets its defaults and the problems of a create.
func TestParse(t *testing.T) {
	t.Parallel()
	text := validating("'x'")[0]
	type test struct {
		testtable.Row
		text string
		want []string
	}
	testtable.Run(t, []test{
		{testtable.Row{"valid", "there is no problem"}, text, nil},
		{testtable.Row{"namespace", "an API server drops it"}, strings.Replace(text, "name: v", "name: v, namespace: shop", 1), nil},
		{testtable.Row{"unknown field", "the rest is read"}, strings.Replace(text, "name: v}", "name: v}, wrong: 1", 1), []string{`unknown field "wrong"`}},
		{testtable.Row{"generateName", "files have no names of API servers"}, strings.Replace(text, "name: v", "generateName: v", 1), []string{"metadata.name: Required value"}},
	}, func(t *testing.T, tc test) {
		objects, problems := parse(t, tc.text)
		if diff := cmp.Diff(tc.want, problems); diff != "" || objects[0] == nil {
			t.Errorf("%s (-want +got):\n%s", tc.Why(), diff)
		}
	})
}

// TestParamKinds returns those of both kinds of policies.
func TestParamKinds(t *testing.T) {
	t.Parallel()
	objects, _ := parse(t, validating("'x'")[0],
		`{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, metadata: {name: m}, spec: {paramKind: {apiVersion: example.com/v1, kind: Limit}}}`)
	got := policies.ParamKinds(objects)
	want := []schema.GroupVersionKind{corev1.SchemeGroupVersion.WithKind("ConfigMap"), {Group: "example.com", Version: "v1", Kind: "Limit"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if !policies.Is(schema.GroupVersionKind{Group: "admissionregistration.k8s.io", Version: "v1beta1", Kind: "MutatingAdmissionPolicy"}) ||
		policies.Is(want[1]) {
		t.Error("what is a policy is not told apart")
	}
}
