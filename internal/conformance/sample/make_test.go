package sample_test

import (
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/google/go-cmp/cmp"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/internal/conformance/probe/probetest"
	"example.com/gatehouse/internal/testutil/testtable"
)

type madeCase struct {
	row
	hooks []hook
	given []*admission.Request
	want  []string
}

func TestMade(t *testing.T) {
	t.Parallel()
	testtable.Run(t, []madeCase{
		{row{"named", "an object of the kind that the rule names"}, []hook{{rules: "CREATE core/v1 configmaps"}}, nil,
			[]string{"CREATE configmaps/sample in sample"}},
		{row{"operations", "those that the rule asks for"}, []hook{{rules: "UPDATE,DELETE apps/v1 deployments"}}, nil,
			[]string{"UPDATE deployments.apps/sample in sample", "DELETE deployments.apps/sample in sample"}},
		{row{"all operations", "CONNECT is to subresources, which the rule does not ask for"}, []hook{{rules: "* core/v1 services"}}, nil,
			[]string{"CREATE services/sample in sample", "UPDATE services/sample in sample", "DELETE services/sample in sample"}},
		{row{"open operations of two", "one object stands for what both ask"}, []hook{{rules: "CREATE core/v1 services"}, {rules: "DELETE core/v1 services"}}, nil,
			[]string{"CREATE services/sample in sample", "DELETE services/sample in sample"}},
		{row{"pods", "most of them are created without a name"}, []hook{{rules: "CREATE,UPDATE core/v1 pods"}}, nil,
			[]string{"CREATE pods/sample in sample", "UPDATE pods/sample in sample", "CREATE pods/sample- in sample"}},
		{row{"pods that are not created", "then they all have a name"}, []hook{{rules: "UPDATE core/v1 pods"}}, nil,
			[]string{"UPDATE pods/sample in sample"}},
		{row{"pods of two sides", "each webhook has one without a name"}, []hook{{rules: "CREATE core/v1 pods", objects: "app"}, {rules: "CREATE core/v1 pods", objects: "!app"}, {rules: "CREATE core/v1 pods"}}, nil,
			[]string{"CREATE pods/sample in sample", "CREATE pods/sample-2 in sample", "CREATE pods/sample- in sample", "CREATE pods/sample-2- in sample"}},
		{row{"connect", "a command in a pod"}, []hook{{rules: "CONNECT core/v1 pods/exec"}}, nil,
			[]string{"CONNECT pods/sample/exec in sample"}},
		{row{"connect to everything", "of what is left open one is enough"}, []hook{{rules: "CONNECT */* */*"}}, nil,
			[]string{"CONNECT pods/sample/exec in sample"}},
		{row{"connect in other ways", "the rule names them"}, []hook{{rules: "CONNECT core/v1 pods/attach,pods/portforward,pods/proxy,services/proxy,nodes/proxy"}}, nil,
			[]string{"CONNECT nodes/sample/proxy", "CONNECT pods/sample/attach in sample", "CONNECT pods/sample/portforward in sample", "CONNECT pods/sample/proxy in sample", "CONNECT services/sample/proxy in sample"}},
		{row{"subresources", "each takes something else"}, []hook{{rules: "* core/v1 pods/status,pods/eviction,pods/binding,pods/resize,pods/ephemeralcontainers,serviceaccounts/token,namespaces/finalize; * apps/v1 deployments/scale; * certificates.k8s.io/v1 certificatesigningrequests/approval"}}, nil,
			[]string{"UPDATE namespaces/sample/finalize in sample", "UPDATE pods/sample/status in sample", "CREATE pods/sample/eviction in sample", "CREATE pods/sample/binding in sample", "UPDATE pods/sample/ephemeralcontainers in sample", "UPDATE pods/sample/resize in sample", "CREATE serviceaccounts/sample/token in sample", "UPDATE deployments.apps/sample/scale in sample", "UPDATE certificatesigningrequests.certificates.k8s.io/sample/approval"}},
		{row{"all below pods", "the usual ones"}, []hook{{rules: "* core/v1 pods/*"}}, nil,
			[]string{"CREATE pods/sample in sample", "UPDATE pods/sample in sample", "DELETE pods/sample in sample", "UPDATE pods/sample/status in sample", "CREATE pods/sample/eviction in sample", "CONNECT pods/sample/exec in sample", "CREATE pods/sample- in sample"}},
		{row{"any kind", "the usual ones"}, []hook{{rules: "CREATE */* *"}}, nil,
			[]string{"CREATE configmaps/sample in sample", "CREATE namespaces/sample in sample", "CREATE pods/sample in sample", "CREATE services/sample in sample", "CREATE deployments.apps/sample in sample", "CREATE roles.rbac.authorization.k8s.io/sample in sample", "CREATE pods/sample- in sample"}},
		{row{"any kind of a group", "those that are usual in it"}, []hook{{rules: "CREATE apps/* *"}}, nil,
			[]string{"CREATE deployments.apps/sample in sample"}},
		{row{"any kind of a rare group", "the first few"}, []hook{{rules: "CREATE storage.k8s.io/v1 *"}}, nil,
			[]string{"CREATE csidrivers.storage.k8s.io/sample", "CREATE csinodes.storage.k8s.io/sample", "CREATE csistoragecapacities.storage.k8s.io/sample in sample"}},
		{row{"any scale", "a scale of something usual"}, []hook{{rules: "UPDATE */* */scale"}}, nil,
			[]string{"UPDATE deployments.apps/sample/scale in sample"}},
		{row{"cluster", "the scope leaves out the rest"}, []hook{{rules: "CREATE */* *", scope: "Cluster"}}, nil,
			[]string{"CREATE namespaces/sample in sample"}},
		{row{"namespaced", "and here the namespace itself"}, []hook{{rules: "CREATE core/v1 *", scope: "Namespaced"}}, nil,
			[]string{"CREATE configmaps/sample in sample", "CREATE pods/sample in sample", "CREATE services/sample in sample", "CREATE pods/sample- in sample"}},
		{row{"open version", "the one that servers prefer"}, []hook{{rules: "CREATE resource.k8s.io/* deviceclasses"}}, nil,
			[]string{"CREATE deviceclasses.resource.k8s.io/sample"}},
		{row{"two versions", "a webhook may decode them differently"}, []hook{{rules: "CREATE resource.k8s.io/v1,v1beta1 deviceclasses"}}, nil,
			[]string{"CREATE deviceclasses.resource.k8s.io/sample", "CREATE deviceclasses.resource.k8s.io/sample-2"}},
		{row{"removed version", "no server of this release has it"}, []hook{{rules: "CREATE extensions/v1beta1 ingresses"}}, nil, nil},
		{row{"removed version among others", "then it is not needed"}, []hook{{rules: "CREATE policy/v1,v1beta1 poddisruptionbudgets"}}, nil,
			[]string{"CREATE poddisruptionbudgets.policy/sample in sample"}},
		{row{"reviews", "they are created, and never stored"}, []hook{{rules: "* authorization.k8s.io/v1 subjectaccessreviews"}}, nil,
			[]string{"CREATE subjectaccessreviews.authorization.k8s.io/sample"}},
		{row{"nothing known", "the definition is missing"}, []hook{{rules: "* example.com/v1 widgets"}}, nil, nil},
		{row{"nothing asked", "components are read-only"}, []hook{{rules: "* core/v1 componentstatuses"}}, nil, nil},
	}, func(t *testing.T, tc madeCase) {
		set := made(t, tc.hooks)
		if diff := cmp.Diff(tc.want, names(set)); diff != "" || len(set.Skipped) > 0 {
			t.Errorf("skipped %v (-want +got):\n%s", set.Skipped, diff)
		}
	})
}

func TestGiven(t *testing.T) {
	t.Parallel()
	everything := []hook{{rules: "* */* */*"}}
	create, update := probetest.Pod(admissionv1.Create), probetest.Pod(admissionv1.Update)
	remove, connect := probetest.Pod(admissionv1.Delete), probetest.Pod(admissionv1.Connect)
	generated := probetest.Pod(admissionv1.Create, func(p *corev1.Pod) { p.Name, p.GenerateName = "", "web-" })
	other := probetest.Pod(admissionv1.Create, func(p *corev1.Pod) { p.Name = "api" })
	testtable.Run(t, []madeCase{
		{row{"create", "it stands for all the rest"}, everything, []*admission.Request{create},
			[]string{"CREATE pods/web in shop", "UPDATE pods/web in shop", "DELETE pods/web in shop", "UPDATE pods/web/status in shop", "CREATE pods/web/eviction in shop", "CONNECT pods/web/exec in shop", "CREATE pods/web- in shop"}},
		{row{"generated name", "stored objects have one, and no other pod without a name is needed"}, []hook{{rules: "* core/v1 pods"}}, []*admission.Request{generated},
			[]string{"CREATE pods/web- in shop", "UPDATE pods/web-sample in shop", "DELETE pods/web-sample in shop"}},
		{row{"only what rules ask", "no webhook matches the rest"}, []hook{{rules: "CREATE core/v1 pods; DELETE core/v1 services"}}, []*admission.Request{create},
			[]string{"CREATE pods/web in shop", "CREATE pods/web- in shop"}},
		{row{"two pods", "one of them without its name is enough"}, []hook{{rules: "CREATE core/v1 pods"}}, []*admission.Request{create, other},
			[]string{"CREATE pods/web in shop", "CREATE pods/api in shop", "CREATE pods/web- in shop"}},
		{row{"named and not", "a given one may be it"}, []hook{{rules: "CREATE core/v1 pods"}}, []*admission.Request{create, generated},
			[]string{"CREATE pods/web in shop", "CREATE pods/web- in shop"}},
		{row{"update given", "its author has chosen what changes"}, []hook{{rules: "* core/v1 pods"}}, []*admission.Request{create, update},
			[]string{"CREATE pods/web in shop", "UPDATE pods/web in shop", "DELETE pods/web in shop", "CREATE pods/web- in shop"}},
		{row{"all given", "there is nothing to add but a pod without a name"}, []hook{{rules: "* core/v1 pods,pods/exec"}}, []*admission.Request{remove, update, create, connect},
			[]string{"DELETE pods/web in shop", "UPDATE pods/web in shop", "CREATE pods/web in shop", "CONNECT pods/web/exec in shop", "CREATE pods/web- in shop"}},
		{row{"another kind", "who gives samples has chosen the kinds, but CONNECT has none"}, []hook{{rules: "* core/v1 pods,pods/exec,configmaps"}}, []*admission.Request{probetest.Pod(admissionv1.Update)},
			[]string{"UPDATE pods/web in shop", "CONNECT pods/sample/exec in sample"}},
		{row{"namespace given", "its requests are in itself"}, []hook{{rules: "* core/v1 namespaces"}}, made(t, []hook{{rules: "CREATE,DELETE core/v1 namespaces"}}).Requests,
			[]string{"CREATE namespaces/sample in sample", "DELETE namespaces/sample in sample", "UPDATE namespaces/sample in sample"}},
		{row{"connect given", "one is enough"}, []hook{{rules: "CONNECT core/v1 pods/exec"}}, []*admission.Request{connect},
			[]string{"CONNECT pods/web/exec in shop"}},
		{row{"custom", "objects without a Go type"}, everything, []*admission.Request{probetest.Widget(admissionv1.Create)},
			[]string{"CREATE widgets.example.com/sprocket in shop", "UPDATE widgets.example.com/sprocket in shop", "DELETE widgets.example.com/sprocket in shop", "CONNECT pods/sample/exec in sample"}},
	}, func(t *testing.T, tc madeCase) {
		set := made(t, tc.hooks, tc.given...)
		if diff := cmp.Diff(tc.want, names(set)); diff != "" || len(set.Skipped) > 0 {
			t.Errorf("skipped %v (-want +got):\n%s", set.Skipped, diff)
		}
	})
}
