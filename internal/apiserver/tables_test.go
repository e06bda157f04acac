package apiserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"example.com/gatehouse/internal/apiserver/registry"
	"example.com/gatehouse/internal/testutil/testtable"
)

// TestTables asks as kubectl get does. Cells that differ from test to test, or
// go with time, are the name and the ages.
func TestTables(t *testing.T) {
	t.Parallel()
	type test struct {
		row
		plural string
		status string
		want   string
	}
	rows := []test{
		{row{"pod", "people look at pods most"}, "pods", `{"status":{"phase":"Running","podIP":"10.0.0.1","containerStatuses":[{"name":"a","ready":true,"restartCount":2,"image":"a","imageID":"a","state":{"running":{}}}]}}`,
			"Name=NAME Ready=1/1 Status=Running Restarts=2 Age=AGE (IP=10.0.0.1) (Node=<none>) (Nominated Node=<none>) (Readiness Gates=<none>)"},
		{row{"crashing pod", "the container knows why"}, "pods", `{"status":{"phase":"Running","containerStatuses":[{"name":"a","ready":false,"restartCount":0,"image":"a","imageID":"a","state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}}`,
			"Name=NAME Ready=0/1 Status=CrashLoopBackOff Restarts=0 Age=AGE (IP=<none>) (Node=<none>) (Nominated Node=<none>) (Readiness Gates=<none>)"},
		{row{"deployment", "how far the rollout is"}, "deployments", `{"status":{"replicas":1,"readyReplicas":1,"updatedReplicas":1,"availableReplicas":1}}`,
			"Name=NAME Ready=1/1 Up-to-date=1 Available=1 Age=AGE (Containers=a) (Images=a:1) (Selector=app=a)"},
		{row{"replica set", "desired and real"}, "replicasets", "", "Name=NAME Desired=1 Current=0 Ready=0 Age=AGE (Containers=a) (Images=a:1) (Selector=app=a)"},
		{row{"stateful set", "desired and real"}, "statefulsets", "", "Name=NAME Ready=0/1 Age=AGE (Containers=a) (Images=a:1)"},
		{row{"daemon set", "desired and real"}, "daemonsets", "", "Name=NAME Desired=0 Current=0 Ready=0 Up-to-date=0 Available=0 Node Selector=<none> Age=AGE (Containers=a) (Images=a:1) (Selector=app=a)"},
		{row{"job", "whether it is done"}, "jobs", `{"status":{"succeeded":1,"conditions":[{"type":"Complete","status":"True"}],"startTime":"2020-01-01T00:00:00Z","completionTime":"2020-01-01T00:00:07Z"}}`,
			"Name=NAME Status=Complete Completions=1/1 Duration=7s Age=AGE (Containers=a) (Images=a:1) (Selector=UID)"},
		{row{"cron job", "when it runs"}, "cronjobs", "", "Name=NAME Schedule=@daily Timezone=<none> Suspend=False Active=0 Last Schedule=<none> Age=AGE (Containers=a) (Images=a:1) (Selector=<none>)"},
		{row{"service", "where it is"}, "services", "", "Name=NAME Type=ClusterIP Cluster-IP=ADDRESS External-IP=<none> Port(s)=80/TCP Age=AGE (Selector=app=a)"},
		{row{"namespace", "whether it can be used"}, "namespaces", "", "Name=NAME Status=Active Age=AGE"},
		{row{"configmap", "how much there is"}, "configmaps", "", "Name=NAME Data=1 Age=AGE"},
		{row{"secret", "how much there is, and nothing of what"}, "secrets", "", "Name=NAME Type=Opaque Data=1 Age=AGE"},
		{row{"service account", "who it is"}, "serviceaccounts", "", "Name=NAME Secrets=0 Age=AGE"},
		{row{"event", "what happened"}, "events", "", "Last Seen=<unknown> Type=Normal Reason=Why Object=pod/a (Subobject=) (Source=) Message=what (First Seen=<unknown>) (Count=1) (Name=NAME)"},
		{row{"node", "whether it works"}, "nodes", "", "Name=NAME Status=Ready Roles=<none> Age=AGE Version= (Internal-IP=<none>) (External-IP=<none>) (OS-Image=<unknown>) (Kernel-Version=<unknown>) (Container-Runtime=<unknown>)"},
		{row{"claim", "what it got"}, "persistentvolumeclaims", "", "Name=NAME Status=Pending Volume= Capacity= Access Modes= StorageClass= VolumeAttributesClass=<unset> Age=AGE (VolumeMode=Filesystem)"},
		{row{"webhooks", "what this is all about"}, "mutatingwebhookconfigurations", "", "Name=NAME Webhooks=1 Age=AGE"},
		{row{"validating webhooks", "what this is all about"}, "validatingwebhookconfigurations", "", "Name=NAME Webhooks=1 Age=AGE"},
		{row{"mutating policy", "what it needs"}, "mutatingadmissionpolicies", "", "Name=NAME Mutations=1 ParamKind=v1/ConfigMap Age=AGE"},
		{row{"validating policy", "what it needs"}, "validatingadmissionpolicies", "", "Name=NAME Validations=1 ParamKind=<unset> Age=AGE"},
		{row{"mutating binding", "what it binds"}, "mutatingadmissionpolicybindings", "", "Name=NAME PolicyName=a ParamRef=*/b Age=AGE"},
		{row{"validating binding", "what it binds"}, "validatingadmissionpolicybindings", "", "Name=NAME PolicyName=a ParamRef=<unset> Age=AGE"},
		{row{"lease", "who has it"}, "leases", "", "Name=NAME Holder=me Age=AGE"},
		{row{"ingress", "where it listens"}, "ingresses", "", "Name=NAME Class=a Hosts=a.example.com Address= Ports=80 Age=AGE"},
		{row{"network policy", "whom it is about"}, "networkpolicies", "", "Name=NAME Pod-Selector=app=a Age=AGE"},
		{row{"budget", "what is allowed"}, "poddisruptionbudgets", "", "Name=NAME Min Available=1 Max Unavailable=N/A Allowed Disruptions=0 Age=AGE"},
		{row{"autoscaler", "what it aims at"}, "horizontalpodautoscalers", "", "Name=NAME Reference=Deployment/a Targets=cpu: <unknown>/80% MinPods=1 MaxPods=3 Replicas=0 Age=AGE"},
		{row{"runtime class", "what runs pods"}, "runtimeclasses", "", "Name=NAME Handler=runsc Age=AGE"},
		{row{"address", "what has it"}, "ipaddresses", "", "Name=NAME ParentRef=services/a/b"},
		{row{"address range", "which addresses there are"}, "servicecidrs", "", "Name=NAME CIDRs=10.96.0.0/12 Age=AGE"},
		{row{"signing request", "who asked for what"}, "certificatesigningrequests", "", "Name=NAME Age=AGE SignerName=example.com/a Requestor=gatehouse:admin RequestedDuration=<none> Condition=Pending"},
		{row{"trust bundle", "who signs"}, "clustertrustbundles", "", "Name=NAME SignerName=<none>"},
		{row{"API service", "where it is"}, "apiservices", `{"status":{"conditions":[{"type":"Available","status":"False","reason":"Why"}]}}`, "Name=NAME Service=a/b Available=False (Why) Age=AGE"},
		{row{"storage class", "what provisions"}, "storageclasses", "", "Name=NAME Provisioner=example.com/a ReclaimPolicy=Delete VolumeBindingMode=Immediate AllowVolumeExpansion=false Age=AGE"},
		{row{"attachment", "what is where"}, "volumeattachments", `{"status":{"attached":true}}`, "Name=NAME Attacher=example.com PV=b Node=a Attached=true Age=AGE"},
		{row{"attributes", "whose they are"}, "volumeattributesclasses", "", "Name=NAME DriverName=example.com Age=AGE"},
		{row{"CSI node", "what it can"}, "csinodes", "", "Name=NAME Drivers=1 Age=AGE"},
		{row{"CSI driver", "what it can"}, "csidrivers", "", "Name=NAME AttachRequired=false PodInfoOnMount=false StorageCapacity=false TokenRequests=a RequiresRepublish=false Modes=Persistent Age=AGE"},
		{row{"capacity", "how much there is"}, "csistoragecapacities", "", "Name=NAME StorageClassName=a Capacity=1Gi"},
		{row{"resource claim", "whether it has a device"}, "resourceclaims", "", "Name=NAME State=pending Age=AGE"},
		{row{"resource slice", "where devices are"}, "resourceslices", "", "Name=NAME Node=a Driver=example.com Pool=a Age=AGE"},
		{row{"role", "which shows no age but a time"}, "roles", "", "Name=NAME Created At=TIME"},
	}
	testtable.Run(t, rows, func(t *testing.T, r test) {
		served, name := find(t, r.plural), seed(t, r.plural)
		if r.status != "" {
			must[*unstructured.Unstructured](t)(reach(t, shared, served).Patch(t.Context(), name, types.MergePatchType, []byte(r.status), metav1.PatchOptions{}, "status"))
		}
		if got := cells(t, served, name); got != r.want {
			t.Errorf("got  %s\nwant %s", got, r.want)
		}
	})
}

// cells returns the only row of a table, wide columns in parentheses.
func cells(t *testing.T, r registry.Resource, name string) string {
	t.Helper()
	path := "/apis/" + r.GroupVersion().String()
	if r.Group == "" {
		path = "/api/v1"
	}
	if r.NamespaceScoped {
		path += "/namespaces/" + name
	}
	var table metav1.Table
	body := visit(t, path+"/"+r.Plural+"?labelSelector=test%3D"+name, "application/json;as=Table;v=v1;g=meta.k8s.io")
	if err := json.Unmarshal(body, &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 1 || table.ResourceVersion == "" {
		t.Fatalf("got %s", body)
	}
	var all []string
	for i, c := range table.ColumnDefinitions {
		cell := fmt.Sprintf("%s=%v", c.Name, steady(c.Name, table.Rows[0].Cells[i], name))
		if c.Priority > 0 {
			cell = "(" + cell + ")"
		}
		all = append(all, cell)
	}
	return strings.Join(all, " ")
}

// steady replaces what is never the same.
func steady(column string, cell any, name string) any {
	text, _ := cell.(string)
	switch {
	case column == "Created At":
		return "TIME"
	case column == "Age" && strings.HasSuffix(text, "s"):
		return "AGE"
	case column == "Cluster-IP" && strings.HasPrefix(text, "10."):
		return "ADDRESS"
	case strings.HasPrefix(text, "batch.kubernetes.io/controller-uid="):
		return "UID"
	case cell == name:
		return "NAME"
	default:
		return cell
	}
}
