package policies

// The expressions of drawn policies. Some fail to compile, some fail when they
// are evaluated, and some do so for some objects only.

var conditions = []string{
	"true", "true", "request.userInfo.username != 'robot'", "object != null", "has(object.metadata.labels)",
	"request.operation != 'DELETE'", "'app' in object.metadata.labels", "false", "1 / 0 == 1",
	"object.metadata.labels.app == 'web'", "oldObject == null", "request.dryRun != true",
	"authorizer.group('').resource('pods').check('get').allowed()", "params == null", "variables.v0 == 'red'",
	"request.namespace == 'shop'", "not valid(", "object.spec.replicas > 1",
}

var variables = []string{
	"'red'", "object == null ? 'none' : object.metadata.name", "params.data.label", "request.userInfo.username",
	"[1, 2, 3].map(i, i * 2)", "1 / 0", "namespaceObject == null ? 'none' : namespaceObject.metadata.name",
	"has(object.metadata.labels) ? object.metadata.labels : {}", "wrong +", "variables.v0",
}

var validations = []string{
	"true", "true", "true", "false", "object.metadata.name != 'db'", "object == null || object.metadata.name != 'web'",
	"has(object.metadata.labels) && 'app' in object.metadata.labels", "object.spec.replicas <= 3",
	"params == null || params.data.most != 'none'", "params.data.most == '3'", "params.spec.most < 2",
	"params.kind == 'ConfigMap'", "variables.v0 == 'red'", "variables.v0 != ''", "size(variables.v1) > 0",
	"object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
	"authorizer.group('apps').resource('deployments').namespace('shop').check('create').allowed()",
	"authorizer.requestResource.check('fail').errored()", "request.operation == 'CREATE'",
	"namespaceObject.metadata.labels.team == 'a'", "oldObject == null || oldObject.metadata.name == object.metadata.name",
	"1 / 0 == 1", "wrong syntax (", "'a' + 1 == 'b'", "[1, 2, 3].exists(i, i == size(object.metadata.name))",
	"request.kind.version == 'v1'", "request.requestKind.version == 'v2'", "request.resource.resource != 'pods'",
}

// expensive costs more than the budget. It takes half a second.
const expensive = "[0,1,2,3,4,5,6,7,8,9].all(a, [0,1,2,3,4,5,6,7,8,9].all(b, [0,1,2,3,4,5,6,7,8,9].all(c, [0,1,2,3,4,5,6,7,8,9].all(d, [0,1,2,3,4,5,6,7,8,9].all(e, [0,1,2,3,4,5,6,7,8,9].all(f, a+b+c+d+e+f < 100))))))"

var messages = []string{
	"'it is ' + object.metadata.name", "'params ' + params.metadata.name", "''", "'two\\nlines'", "1", "string(1 / 0)",
	"' ' + request.userInfo.username + ' '", "variables.v0", "'x'.repeat(3)", "object.metadata.name + variables.v0",
}

var annotations = []string{
	"'always'", "object.metadata.name", "null", "''", "1", "string(1 / 0)", "params.metadata.name", "variables.v0",
	"request.userInfo.username", "'wrong' +", "object == null ? 'gone' : string(size(object.metadata.name))",
}

var jsonPatches = []string{
	"[JSONPatch{op: 'add', path: '/metadata/labels/patched', value: 'yes'}]",
	"has(object.metadata.labels) ? [JSONPatch{op: 'add', path: '/metadata/labels/patched', value: request.userInfo.username}] : [JSONPatch{op: 'add', path: '/metadata/labels', value: {'patched': 'new'}}]",
	"[JSONPatch{op: 'test', path: '/metadata/name', value: 'web'}, JSONPatch{op: 'add', path: '/metadata/annotations', value: {'tested': 'web'}}]",
	"[JSONPatch{op: 'replace', path: '/spec/replicas', value: 2}]",
	"[JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: 'sidecar', image: 'registry.example.com/sidecar'}}]",
	"[JSONPatch{op: 'remove', path: '/metadata/labels'}]", "[]", "[JSONPatch{op: 'add', path: '/unknown', value: 1}]",
	"[JSONPatch{op: 'add', path: '/metadata/labels/param', value: params.data.label}]",
	"[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'variable': string(variables.v0)}}]",
	"[JSONPatch{op: 'add', path: '/spec/minReplicas', value: object.spec.maxReplicas}]",
	"[JSONPatch{op: 'copy', from: '/metadata/name', path: '/metadata/labels/copied'}]",
	"[JSONPatch{op: 'add', path: '/metadata/labels/number', value: 1 / 0}]", "wrong", "[Wrong{}]",
	"[JSONPatch{op: 'add', path: '/metadata/labels/count', value: string(size(has(object.metadata.labels) ? object.metadata.labels : {}))}]",
}

var applied = []string{
	"Object{metadata: Object.metadata{labels: {'applied': 'yes'}}}",
	"Object{metadata: Object.metadata{labels: {'applied': request.userInfo.username, 'param': params.data.label}}}",
	"Object{metadata: Object.metadata{annotations: {'name': object.metadata.name}}}",
	"Object{spec: Object.spec{replicas: 4}}",
	"Object{spec: Object.spec{containers: [Object.spec.containers{name: 'injected', image: 'registry.example.com/injected'}]}}",
	"Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, imagePullPolicy: 'Always'})}}",
	"Object{spec: Object.spec{unknown: 1}}", "Object{spec: Object.wrong{replicas: 1}}", "Object{}",
	"Object{metadata: Object.metadata{labels: {'variable': string(variables.v0)}}}",
	"Object{metadata: Object.metadata{labels: {'n': string(size(has(object.metadata.labels) ? object.metadata.labels : {}))}}}",
	"Object{spec: Object.spec{maxReplicas: 7}}", "Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: 'a'}]}}",
	"Object{metadata: Object.metadata{name: string(1 / 0)}}", "wrong {",
	"object.spec.replicas > 3 ? Object{} : Object{spec: Object.spec{replicas: object.spec.replicas + 1}}",
}
