package generate

import (
	"example.com/gatehouse/test/internal/parity/scenario"
)

// written are the operations that patches fit.
var written = []string{"CREATE", "CREATE", "UPDATE"}

// patchedResources are typed with many fields, typed with fields that keep JSON
// as bytes, and custom.
func patchedResources() []patchedResource {
	pods, deployments, widgets := patchedPods(), patchedDeployments(), patchedWidgets()
	return []patchedResource{pods, pods, pods, pods, pods, deployments, deployments,
		patchedRevisions(), patchedClaims(), patchedDefinitions(), patchedSecrets(), widgets, widgets}
}

// patchedPods have pods rich in fields.
func patchedPods() patchedResource {
	return patchedResource{
		&resource{version: "v1", plural: "pods", kind: gvk("", "v1", "Pod"), operations: written,
			object: `"spec":{"containers":[{"name":"main","image":"a","env":[{"name":"E","value":"<1>"}],"resources":{"limits":{"cpu":"1500m","memory":"1Gi"}},` +
				`"ports":[{"containerPort":80}],"livenessProbe":{"httpGet":{"port":"http","path":"/"}}}],"volumes":[{"name":"v","emptyDir":{}}],"nodeSelector":{"a/b":"c"},"priority":7,"hostNetwork":false},` +
				`"status":{"startTime":"2026-01-02T03:04:05Z"}`},
		[]string{
			`{"op":"add","path":"/spec/containers/-","value":{"name":"sidecar","image":"b","args":["<","&"]}}`,
			`{"op":"add","path":"/spec/containers/0","value":{ "name" : "first" , "image":"c" , "unknown":{"a":1} }}`,
			`{"op":"replace","path":"/spec/containers/0/image","value":"mirror/a"}`,
			`{"op":"add","path":"/spec/containers/0/env/0","value":{"name":"F","value":"é\u003c"}}`,
			`{"op":"add","path":"/spec/containers/0/resources/limits/gpu","value":2}`,
			`{"op":"replace","path":"/spec/containers/0/resources/limits/cpu","value":1.5}`,
			`{"op":"replace","path":"/spec/containers/0/livenessProbe/httpGet/port","value":8080}`,
			`{"op":"add","path":"/spec/nodeSelector/x~1y","value":"z"}`, `{"op":"remove","path":"/spec/nodeSelector/a~1b"}`,
			`{"op":"add","path":"/spec/volumes/1","value":{"name":"w","configMap":{"name":"c"}}}`, `{"op":"remove","path":"/spec/volumes/0"}`,
			`{"op":"copy","from":"/spec/containers/0","path":"/spec/containers/-"}`, `{"op":"move","from":"/spec/priority","path":"/spec/terminationGracePeriodSeconds"}`,
			`{"op":"add","path":"/spec/priority","value":null}`, `{"op":"replace","path":"/status/startTime","value":"2026-01-02T04:04:05.678+01:00"}`,
			`{"op":"add","path":"/metadata/managedFields","value":[{"manager":"m","fieldsV1":{ "f:b":{} , "f:a":{"f:c":{}}}}]}`,
			`{"op":"add","path":"/metadata/labels","value":{"a":"1"}}`,
		},
	}
}

// patchedDeployments have pods in templates.
func patchedDeployments() patchedResource {
	return patchedResource{
		&resource{group: "apps", version: "v1", plural: "deployments",
			kind: gvk("apps", "v1", "Deployment"), operations: written,
			object: `"spec":{"replicas":2,"selector":{"matchLabels":{"a":"1"}},"strategy":{"rollingUpdate":{"maxSurge":"25%"}},"template":{"metadata":{"labels":{"a":"1"}},"spec":{"containers":[{"name":"main","image":"a"}]}}}`},
		[]string{
			`{"op":"replace","path":"/spec/replicas","value":3}`, `{"op":"remove","path":"/spec/replicas"}`, `{"op":"replace","path":"/spec/strategy/rollingUpdate/maxSurge","value":1}`,
			`{"op":"add","path":"/spec/template/metadata/annotations","value":{"<b>":"1","a":"2"}}`, `{"op":"add","path":"/spec/template/metadata/labels/b","value":"2"}`,
			`{"op":"add","path":"/spec/template/spec/containers/-","value":{"name":"s","image":"s"}}`, `{"op":"add","path":"/spec/template/spec/containers/0/env","value":[]}`,
			`{"op":"move","from":"/spec/template/metadata/labels","path":"/spec/template/metadata/annotations"}`, `{"op":"replace","path":"/spec/template","value":{}}`,
		},
	}
}

// patchedRevisions have data that is kept as bytes.
func patchedRevisions() patchedResource {
	return patchedResource{
		&resource{group: "apps", version: "v1", plural: "controllerrevisions",
			kind: gvk("apps", "v1", "ControllerRevision"), operations: written,
			object: `"revision":3,"data":{"b":1,"a":{"z":[1, 2],"y":"<"},"c":"é"}`},
		[]string{
			`{"op":"add","path":"/data/d","value":{ "x" : [ 1 ] }}`, `{"op":"replace","path":"/data","value":{ "b" : "<" , "b":2 }}`, `{"op":"remove","path":"/data/b"}`,
			`{"op":"add","path":"/data/a/z/0","value":1.0}`, `{"op":"add","path":"/data/a/x","value":"\u003c"}`, `{"op":"replace","path":"/data","value":[ ]}`,
			`{"op":"copy","from":"/data","path":"/data/copy"}`, `{"op":"move","from":"/data/a","path":"/data"}`, `{"op":"replace","path":"/revision","value":4}`,
		},
	}
}

// patchedClaims have parameters that are kept as bytes.
func patchedClaims() patchedResource {
	return patchedResource{
		&resource{group: "resource.k8s.io", version: "v1", plural: "resourceclaims",
			kind: gvk("resource.k8s.io", "v1", "ResourceClaim"), operations: written,
			object: `"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","count":1}}],"config":[{"requests":["r"],"opaque":{"driver":"d.example.com","parameters":{"b":1,"a":{"k":"<"}}}}]}}`},
		[]string{
			`{"op":"add","path":"/spec/devices/config/0/opaque/parameters/c","value":{ "d" : null }}`, `{"op":"replace","path":"/spec/devices/config/0/opaque/parameters","value":{ "b":1,"a":{"k":"<"} }}`,
			`{"op":"add","path":"/spec/devices/config/-","value":{"opaque":{"driver":"e","parameters":[ 1 , "<" ]}}}`, `{"op":"remove","path":"/spec/devices/config/0/requests/0"}`,
			`{"op":"replace","path":"/spec/devices/requests/0/exactly/count","value":2}`, `{"op":"copy","from":"/spec/devices/config/0","path":"/spec/devices/config/0"}`,
		},
	}
}

// patchedDefinitions have schemas with JSON in them.
func patchedDefinitions() patchedResource {
	return patchedResource{
		&resource{group: "apiextensions.k8s.io", version: "v1", plural: "customresourcedefinitions", kind: gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), operations: written, clusterScoped: true,
			object: `"spec":{"group":"g","names":{"plural":"p","kind":"P"},"scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",` +
				`"properties":{"a":{"type":"object","default":{"b":1,"a":"<"},"additionalProperties":true},"b":{"type":"array","items":{"type":"string"},"enum":["x",{"y":1}]}}}}}]}`},
		[]string{
			`{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/a/default/c","value":[ 1.0 ]}`, `{"op":"replace","path":"/spec/versions/0/schema/openAPIV3Schema/properties/a/default","value": "x" }`,
			`{"op":"replace","path":"/spec/versions/0/schema/openAPIV3Schema/properties/a/additionalProperties","value":{"type":"string"}}`,
			`{"op":"replace","path":"/spec/versions/0/schema/openAPIV3Schema/properties/b/items","value":[{"type":"string"}]}`, `{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/b/enum/-","value":{ "z" : 1e2 }}`,
			`{"op":"add","path":"/spec/names/shortNames","value":["s"]}`, `{"op":"remove","path":"/spec/versions/0/schema/openAPIV3Schema/properties/a"}`,
		},
	}
}

// patchedSecrets have bytes in base64.
func patchedSecrets() patchedResource {
	return patchedResource{
		&resource{version: "v1", plural: "secrets", kind: gvk("", "v1", "Secret"), operations: written,
			object: `"data":{"x":"MQ==","y":""},"type":"Opaque"`},
		[]string{
			`{"op":"add","path":"/data/a.b","value":"Mg=="}`, `{"op":"add","path":"/data/<","value":"Mg=="}`, `{"op":"remove","path":"/data/x"}`, `{"op":"replace","path":"/data/y","value":null}`,
			`{"op":"add","path":"/stringData","value":{"s":"é<"}}`, `{"op":"move","from":"/data/x","path":"/data/z"}`, `{"op":"replace","path":"/data","value":{}}`, `{"op":"add","path":"/immutable","value":true}`,
		},
	}
}

// patchedWidgets have custom resources.
func patchedWidgets() patchedResource {
	return patchedResource{
		&resource{group: acmeGroup, version: "v1", plural: "widgets",
			kind: gvk(acmeGroup, "v1", "Widget"), operations: written, form: scenario.Unstructured,
			object: `"spec":{"size":3,"ratio":1.5,"whole":2.0,"list":[1,"x",{"b":1,"a":2}],"é":{"<":1}},"status":{}`},
		[]string{
			`{"op":"add","path":"/spec/list/-","value":{ "b" : 1.0 , "a" : "<" }}`, `{"op":"replace","path":"/spec/size","value":1e3}`, `{"op":"replace","path":"/spec/size","value":12345678901234567890}`,
			`{"op":"add","path":"/spec/a~1b~0c","value":null}`, `{"op":"remove","path":"/spec/list/0"}`, `{"op":"add","path":"/spec/é/b","value":1}`, `{"op":"copy","from":"/spec","path":"/status/spec"}`,
			`{"op":"move","from":"/spec/list/2","path":"/spec/list/0"}`, `{"op":"add","path":"/","value":{"empty":true}}`,
		},
	}
}
