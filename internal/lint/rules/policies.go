package rules

import (
	"fmt"
	"slices"
	"strings"

	registrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/apis/cel"

	"example.com/gatehouse/admission"
	"example.com/gatehouse/dispatcher/explain"
	"example.com/gatehouse/internal/lint"
	"example.com/gatehouse/internal/lint/outage"
)

const (
	policyPage = "https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/"
	paramsPage = policyPage + "#parameter-resources"
)

// Policies are of two kinds, and their bindings, too.
var (
	policyKinds  = []string{"ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"}
	bindingKinds = []string{"ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicyBinding"}
)

// policyRules are about admission policies and their bindings.
var policyRules = []*lint.Rule{
	{
		ID: "policy-refuses", Level: lint.Error, Needs: policyKinds,
		Title:   "A policy denies a request that a cluster depends on.",
		Why:     "Policies also apply to the requests of the control plane.",
		Fix:     "Exclude the namespace or the user in matchConstraints, matchConditions or the binding.",
		Sources: []string{"digitalocean/clusterlint#180", policyPage},
		Check:   policyRefuses,
	},
	{
		ID: "policy-fails", Level: lint.Warning, Needs: policyKinds,
		Title:   "A policy has an error for a request, and admits it unchecked.",
		Why:     "With failurePolicy Ignore, if an expression has an error, such as an absent field, the object passes unchecked.",
		Fix:     "Test fields with has() or optional access first.",
		Sources: []string{policyPage + "#failure-policy"},
		Check:   policyFails,
	},
	{
		ID: "policy-expensive", Level: lint.Warning, Needs: policyKinds,
		Title:   "An expression of the policy needs more than half of the cost that an API server allows.",
		Why:     "The cost grows with the object. Above the limit, the API server rejects the request or admits it unchecked, depending on the failurePolicy.",
		Fix:     "Avoid nested loops over lists, and use variables for values that several expressions need.",
		Sources: []string{"https://kubernetes.io/docs/reference/using-api/cel/#runtime-cost-budget"},
		Check:   policyExpensive,
	},
	{
		ID: "policy-unbound", Level: lint.Info, Needs: bindingKinds,
		Title:   "No binding names the policy.",
		Why:     "A policy without a binding does nothing.",
		Fix:     "Create a binding whose policyName is the name of the policy.",
		Sources: []string{policyPage + "#getting-started-with-validating-admission-policy"},
		Check:   policyUnbound,
	},
	{
		ID: "binding-without-policy", Level: lint.Error, Needs: policyKinds,
		Title:   "The policy of a binding does not exist.",
		Why:     "The API server accepts the binding, but the binding has no effect.",
		Fix:     "Correct policyName, or create the policy.",
		Sources: []string{policyPage + "#getting-started-with-validating-admission-policy"},
		Check:   bindingWithoutPolicy,
	},
	{
		ID: "param-kind-unknown", Level: lint.Error, Needs: []string{"CustomResourceDefinition"},
		Title:   "The paramKind of the policy does not exist.",
		Why:     "The API server cannot evaluate the policy: depending on the failurePolicy, it rejects every matching request, or admits all of them.",
		Fix:     "Correct paramKind, or install the CustomResourceDefinition.",
		Sources: []string{paramsPage},
		Check:   paramKindUnknown,
	},
	{
		ID: "params-missing", Level: lint.Warning, Needs: bindingKinds,
		Title:   "The params of a binding do not exist, and the binding denies requests without params.",
		Why:     "With parameterNotFoundAction Deny and failurePolicy Fail, the API server rejects every matching request.",
		Fix:     "Create the params, or correct paramRef.",
		Sources: []string{paramsPage},
		Check:   paramsMissing,
	},
	{
		ID: "policies-do-not-commute", Level: lint.Warning, Needs: []string{"MutatingAdmissionPolicy"},
		Title: "The result of two mutating policies depends on their order.",
		Why:   "API servers evaluate mutating policies in an undefined order, which differs between API servers.",
		Fix:   "Merge the two policies, or let only one of them set the field.",
		Sources: []string{
			"https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/",
			goodPractices + "#dont-rely-webhook-order",
		},
		Check: policiesDoNotCommute,
	},
}

// policy is what the rules need of the policies of both phases.
type policy struct {
	kind, name string
	paramKind  *registrationv1.ParamKind
}

// binding is what the rules need of the bindings of both phases.
type binding struct {
	kind, name, policyKind, policyName string
	paramRef                           *registrationv1.ParamRef
}

func policiesOf(c *lint.Cluster) (policies []policy, bindings []binding) {
	for _, object := range c.Cluster.Policies {
		switch o := object.(type) {
		case *registrationv1.ValidatingAdmissionPolicy:
			policies = append(policies, policy{"ValidatingAdmissionPolicy", o.Name, o.Spec.ParamKind})
		case *registrationv1.MutatingAdmissionPolicy:
			policies = append(policies, policy{"MutatingAdmissionPolicy", o.Name, o.Spec.ParamKind})
		case *registrationv1.ValidatingAdmissionPolicyBinding:
			bindings = append(bindings, binding{
				"ValidatingAdmissionPolicyBinding", o.Name, "ValidatingAdmissionPolicy", o.Spec.PolicyName, o.Spec.ParamRef,
			})
		case *registrationv1.MutatingAdmissionPolicyBinding:
			bindings = append(bindings, binding{
				"MutatingAdmissionPolicyBinding", o.Name, "MutatingAdmissionPolicy", o.Spec.PolicyName, o.Spec.ParamRef,
			})
		}
	}
	return policies, bindings
}

// about returns a finding about a cluster-scoped object.
func about(c *lint.Cluster, kind, name, field, message string) lint.Finding {
	return lint.Finding{
		Subject: kind + " " + name, Document: c.Cluster.DocumentOf(kind, "", name), Field: field, Message: message,
	}
}

func policyUnbound(c *lint.Cluster, report func(lint.Finding)) {
	policies, bindings := policiesOf(c)
	for _, p := range policies {
		if !slices.ContainsFunc(bindings, func(b binding) bool {
			return b.policyKind == p.kind && b.policyName == p.name
		}) {
			report(about(c, p.kind, p.name, "metadata.name", "No binding among the inputs names it."))
		}
	}
}

func bindingWithoutPolicy(c *lint.Cluster, report func(lint.Finding)) {
	policies, bindings := policiesOf(c)
	for _, b := range bindings {
		if policyOf(policies, b) == nil {
			report(about(c, b.kind, b.name, "spec.policyName",
				fmt.Sprintf("There is no %s %s among the inputs.", b.policyKind, b.policyName)))
		}
	}
}

func policyOf(policies []policy, b binding) *policy {
	i := slices.IndexFunc(policies, func(p policy) bool {
		return p.kind == b.policyKind && p.name == b.policyName
	})
	if i < 0 {
		return nil
	}
	return &policies[i]
}

func paramKindUnknown(c *lint.Cluster, report func(lint.Finding)) {
	policies, _ := policiesOf(c)
	for _, p := range policies {
		if p.paramKind == nil {
			continue
		}
		kind := schema.FromAPIVersionAndKind(p.paramKind.APIVersion, p.paramKind.Kind)
		if _, err := c.Kinds.Lookup(kind); err != nil {
			report(about(c, p.kind, p.name, "spec.paramKind", fmt.Sprintf(
				"%s %s is neither built in nor defined among the inputs.", p.paramKind.APIVersion, p.paramKind.Kind)))
		}
	}
}

// paramsMissing looks at bindings whose params are of a kind that is among the inputs.
func paramsMissing(c *lint.Cluster, report func(lint.Finding)) {
	policies, bindings := policiesOf(c)
	for _, b := range bindings {
		p, ref := policyOf(policies, b), b.paramRef
		if p == nil || p.paramKind == nil || ref == nil || ref.Name == "" || ref.ParameterNotFoundAction == nil ||
			*ref.ParameterNotFoundAction != registrationv1.DenyAction {
			continue
		}
		isKind := func(o runtime.Object) bool {
			return o.GetObjectKind().GroupVersionKind().Kind == p.paramKind.Kind
		}
		exists := func(o runtime.Object) bool { return isKind(o) && isParam(o, ref) }
		params := c.Cluster.Params
		if slices.ContainsFunc(params, isKind) && !slices.ContainsFunc(params, exists) {
			report(about(c, b.kind, b.name, "spec.paramRef", fmt.Sprintf(
				"There is no %s %s among the inputs.", p.paramKind.Kind, ref.Name)))
		}
	}
}

// isParam reports whether an object is the one that a binding names. Without a namespace
// it may be in any: each request has params of its own.
func isParam(o runtime.Object, ref *registrationv1.ParamRef) bool {
	m, err := meta.Accessor(o)
	return err == nil && m.GetName() == ref.Name && (ref.Namespace == "" || m.GetNamespace() == ref.Namespace)
}

// policyFails reports the policies with an error that their failurePolicy ignores, each
// once.
func policyFails(c *lint.Cluster, report func(lint.Finding)) {
	var seen []string
	for i := range c.Matrix.Rows {
		r := &c.Matrix.Rows[i]
		if r.Healthy.Effect == outage.Refused {
			continue
		}
		for _, p := range r.Result.Policies {
			problem := failureOf(&p)
			if problem == nil || slices.Contains(seen, p.Kind()+p.Name) {
				continue
			}
			seen = append(seen, p.Kind()+p.Name)
			f := about(c, p.Kind(), p.Name, "spec", fmt.Sprintf("%s %v", r.Request.Does, problem))
			f.Witnesses = rowsWitness([]*outage.Row{r})
			report(f)
		}
	}
}

// failureOf returns an error of an expression of a policy; nil if there is none. An error
// about kinds or params is of other rules.
func failureOf(p *admission.PolicyRecord) error {
	for _, b := range p.Bindings {
		for _, e := range b.Evaluations {
			if e.Err != nil {
				return e.Err
			}
			for _, x := range e.Expressions {
				if x.Err != nil {
					return x.Err
				}
			}
		}
	}
	return nil
}

// policyExpensive reports the policies with an expensive expression, each once.
func policyExpensive(c *lint.Cluster, report func(lint.Finding)) {
	var seen []string
	for i := range c.Matrix.Rows {
		r := &c.Matrix.Rows[i]
		for _, p := range r.Result.Policies {
			x := costliest(&p)
			if x.Cost <= cel.PerCallLimit/2 || slices.Contains(seen, p.Kind()+p.Name) {
				continue
			}
			seen = append(seen, p.Kind()+p.Name)
			f := about(c, p.Kind(), p.Name, "spec."+x.Field,
				fmt.Sprintf("%s The expression costs %d of %d.", r.Request.Does, x.Cost, cel.PerCallLimit))
			f.Witnesses = rowsWitness([]*outage.Row{r})
			report(f)
		}
	}
}

// costliest returns the expression of a policy that cost most.
func costliest(p *admission.PolicyRecord) admission.ExpressionResult {
	var most admission.ExpressionResult
	for _, b := range p.Bindings {
		for _, e := range b.Evaluations {
			for _, x := range e.Expressions {
				if x.Cost > most.Cost {
					most = x
				}
			}
		}
	}
	return most
}

// policiesDoNotCommute tries the orders of each pair of policies that change a request.
func policiesDoNotCommute(c *lint.Cluster, report func(lint.Finding)) {
	var seen [][2]string
	for i := range c.Matrix.Rows {
		r := &c.Matrix.Rows[i]
		names := mutatingPolicies(r)
		for j, a := range names {
			for _, b := range names[j+1:] {
				pair := [2]string{a, b}
				if slices.Contains(seen, pair) || !c.OrderMatters(r.Request, a, b) {
					continue
				}
				seen = append(seen, pair)
				f := about(c, "MutatingAdmissionPolicy", b, "spec.mutations",
					fmt.Sprintf("%s The result depends on whether %s or %s comes first.", r.Request.Does, a, b))
				f.Part = a
				f.Witnesses = rowsWitness([]*outage.Row{r})
				report(f)
			}
		}
	}
}

// mutatingPolicies returns the mutating policies that were evaluated for a request.
func mutatingPolicies(r *outage.Row) []string {
	var names []string
	for _, p := range r.Result.Policies {
		evaluated := slices.ContainsFunc(p.Bindings, func(b admission.BindingRecord) bool {
			return len(b.Evaluations) > 0
		})
		if p.Phase == admission.Mutating && evaluated && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return names
}

// policyRefuses reports the policies that refuse requests while all backends are healthy,
// each once.
func policyRefuses(c *lint.Cluster, report func(lint.Finding)) {
	var order []string
	refused := map[string][]*outage.Row{}
	for i := range c.Matrix.Rows {
		r := &c.Matrix.Rows[i]
		name := refuser(r)
		if name == "" {
			continue
		}
		if refused[name] == nil {
			order = append(order, name)
		}
		refused[name] = append(refused[name], r)
	}
	for _, name := range order {
		rows := refused[name]
		kind, object, _ := strings.Cut(name, " ")
		report(lint.Finding{
			Subject: name, Document: c.Cluster.DocumentOf(kind, "", object), Field: "spec",
			Message:   fmt.Sprintf("%s denied: %s", count(len(rows), "is", "are"), rows[0].Healthy.Message),
			Witnesses: rowsWitness(rows),
		})
	}
}

// refuser returns the kind and name of the policy that refuses a request; empty if none
// does.
func refuser(r *outage.Row) string {
	if r.Healthy.Effect != outage.Refused {
		return ""
	}
	by := explain.Denier(r.Result.Response)
	if !strings.Contains(by, "AdmissionPolicy ") {
		return ""
	}
	return by
}
