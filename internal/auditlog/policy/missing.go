package policy

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/apis/audit"
	auditpolicy "k8s.io/apiserver/pkg/audit/policy"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"sigs.k8s.io/yaml"
)

// Gap is a request that an audit policy logs at too low a level.
type Gap struct {
	Resource string `json:"resource"`
	Verb     string `json:"verb"`
	// User and Namespace are those of the request with the lowest level.
	User      string `json:"user"`
	Namespace string `json:"namespace,omitempty"`
	// Want and Got are levels. Got is None if the event of the last stage is omitted.
	Want audit.Level `json:"want"`
	Got  audit.Level `json:"got"`
}

// Missing returns what an audit policy leaves out of the needs: for each resource and verb the
// request with the lowest level, of a user, a controller and a node in two namespaces. The
// error is about the policy.
func Missing(needs []Need, text []byte) ([]Gap, error) {
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(text, &meta); err != nil {
		return nil, fmt.Errorf("reading the audit policy: %w", err)
	}
	if meta.Kind != "Policy" || !strings.HasPrefix(meta.APIVersion, "audit.k8s.io/") {
		return nil, fmt.Errorf("no audit policy: it is a %q of %q", meta.Kind, meta.APIVersion)
	}
	parsed, err := auditpolicy.LoadPolicyFromBytes(text)
	if err != nil {
		return nil, fmt.Errorf("reading the audit policy: %w", err)
	}
	evaluate := auditpolicy.NewPolicyRuleEvaluator(parsed).EvaluatePolicyRule
	gaps := []Gap{}
	for _, n := range needs {
		var lowest *Gap
		for _, a := range requests(n) {
			config := evaluate(a)
			got := config.Level
			if slices.Contains(config.OmitStages, audit.StageResponseComplete) {
				got = audit.LevelNone
			}
			if got.GreaterOrEqual(audit.Level(n.Level)) || lowest != nil && !got.Less(lowest.Got) {
				continue
			}
			lowest = &Gap{resourceOf(a), n.Verb, a.User.GetName(), a.Namespace, audit.Level(n.Level), got}
		}
		if lowest != nil {
			gaps = append(gaps, *lowest)
		}
	}
	return gaps, nil
}

// users are the users of the requests that Missing examines.
var users = []*user.DefaultInfo{
	{Name: "kubernetes-admin", Groups: []string{"kubeadm:cluster-admins", user.AllAuthenticated}},
	{Name: "system:serviceaccount:kube-system:deployment-controller",
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:kube-system", user.AllAuthenticated}},
	{Name: "system:node:node-1", Groups: []string{user.NodesGroup, user.AllAuthenticated}},
}

// requests returns requests that a need is about.
func requests(n Need) []*authorizer.AttributesRecord {
	var all []*authorizer.AttributesRecord
	for _, resource := range resources(n) {
		name, subresource, _ := strings.Cut(resource.name, "/")
		for _, u := range users {
			for _, namespace := range []string{"default", "kube-system"} {
				all = append(all, &authorizer.AttributesRecord{
					User: u, Verb: n.Verb, Namespace: namespace, Name: "web", APIGroup: resource.group,
					APIVersion: "v1", Resource: name, Subresource: subresource, ResourceRequest: true,
				})
			}
		}
	}
	return all
}

type resource struct{ group, name string }

// resources returns resources that a need is about: examples in place of wildcards.
func resources(n Need) []resource {
	group, name := n.Group, n.Resource
	switch {
	case group == "*" && name == "*":
		return []resource{{"", "pods"}, {"", "configmaps"}, {"apps", "deployments"}, {"example.com", "widgets"}}
	case group == "*":
		group = "example.com"
	case name == "*" && group == "":
		return []resource{{"", "pods"}, {"", "configmaps"}, {"", "services"}}
	case name == "*" && group == "apps":
		return []resource{{"apps", "deployments"}, {"apps", "statefulsets"}}
	}
	name = strings.Replace(name, "*/", "widgets/", 1)
	name = strings.Replace(name, "/*", "/status", 1)
	if name == "*" {
		name = "widgets"
	}
	return []resource{{group, name}}
}

func resourceOf(a *authorizer.AttributesRecord) string {
	name := a.Resource
	if a.APIGroup != "" {
		name += "." + a.APIGroup
	}
	if a.Subresource != "" {
		name += "/" + a.Subresource
	}
	return name
}
