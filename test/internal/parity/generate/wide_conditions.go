package generate

import (
	"fmt"

	"pgregory.net/rapid"
)

// wide draws a condition from more of the language than atoms have:
// comprehensions, optionals, functions on texts, arithmetic, checks of the
// authorizer, and Kubernetes' libraries.
func wide(t *rapid.T) string {
	switch below(t, "wide", 8) {
	case 0:
		return fmt.Sprintf("%s.%s(x, %s)", list(t),
			oneOf(t, "macro", []string{"all", "exists", "exists_one"}), aboutText(t, "x"))
	case 1:
		return fmt.Sprintf("%s.filter(x, %s).map(x, x + %s).size() %s %d", list(t), aboutText(t, "x"),
			text(t), comparison(t), below(t, "size", 4))
	case 2:
		return fmt.Sprintf("object.?metadata.?%s[?%s].%s",
			oneOf(t, "field", []string{"labels", "annotations", "none"}), text(t),
			oneOf(t, "optional", []string{"hasValue()", "orValue('') == '1'", "value() == '1'", "optMap(v, v + '!').orValue('?') != '1!'", "or(optional.of('2')).value() == '2'"}))
	case 3:
		return aboutText(t, text(t))
	case 4:
		return fmt.Sprintf("%s %s %s", number(t, 2), comparison(t), number(t, 2))
	case 5:
		return check(t)
	default:
		return oneOf(t, "library", libraries)
	}
}

func comparison(t *rapid.T) string {
	return oneOf(t, "comparison", []string{"==", "!=", "<", "<=", ">", ">="})
}

// text draws what is a text, or would be if it were there.
func text(t *rapid.T) string {
	return oneOf(t, "text", []string{"'a'", "'b'", "''", "'é<&>'", "request.name", "request.namespace", "request.operation", "request.kind.kind",
		"request.userInfo.username", "object.metadata.name", "object.metadata.labels.a", "object.metadata.labels['b']", "oldObject.metadata.name",
		"request.resource.resource.upperAscii()", "string(size(request.name))", "dyn(1)"})
}

// list draws lists of texts, and maps whose keys are texts.
func list(t *rapid.T) string {
	return oneOf(t, "list", []string{"['a', 'b', 'a']", "[]", "request.userInfo.groups", "object.metadata.labels", "request.operation.split('')",
		"'x,y,z'.split(',')", "object.metadata.?labels.orValue({})", "[object.metadata.name, request.name]", "object.data", "{'a': 1, 'b': 2}", "[dyn(1), dyn('a')]"})
}

// aboutText draws an expression about a text.
func aboutText(t *rapid.T, subject string) string {
	form := oneOf(t, "about", []string{"%s == 'a'", "%s in ['a', 'b', 'shop']", "%s.startsWith('s')", "%s.contains('o')", "%s.endsWith('e')", "%s.matches('^[a-z]+$')",
		"%s.lowerAscii() == 'create'", "%s.replace('a', 'b', 1).indexOf('b') == 0", "%s.substring(1) == 'hop'", "%s.charAt(0) == 'x'", "%s.trim().size() > 1",
		"%s.findAll('[a-z]').size() > 2", "%s.split('o').join('0') != ''", "%s.lastIndexOf('e') > 2", "%s < 'm'", "%s.reverse() == 'x'", "int(%s) > 0", "%s.matches('(')"})
	return fmt.Sprintf(form, subject)
}

// number draws arithmetic, some of which fails.
func number(t *rapid.T, depth int) string {
	if depth > 0 && boolean(t, "compound") {
		return fmt.Sprintf("(%s %s %s)", number(t, depth-1),
			oneOf(t, "operator", []string{"+", "-", "*", "/", "%"}), number(t, depth-1))
	}
	return oneOf(t, "number", []string{"1", "0", "7", "size(request.name)", "size(request.userInfo.groups)", "object.spec.replicas", "object.spec.size", "9223372036854775807",
		"-3", "int('12')", "[3, 1, 2].max()", "request.userInfo.groups.indexOf('g')", "1.5", "2u"})
}

// check draws a check of the authorizer.
func check(t *rapid.T) string {
	what := oneOf(t, "check", []string{"requestResource", "group('').resource('pods')", "group('apps').resource('deployments').subresource('scale')",
		"group('').resource('pods').namespace('shop').name('x')", "group('').resource('pods').fieldSelector('metadata.name=x')",
		"group('').resource('pods').labelSelector('a in (1,2)')", "serviceAccount('shop', 'default').group('').resource('pods')", "path('/healthz')",
		"serviceAccount('Shop', '')", "group('').resource('pods').labelSelector('((')"})
	verb := oneOf(t, "verb", []string{"get", "list", "create", "*"})
	return fmt.Sprintf("authorizer.%s.check('%s').%s", what, verb,
		oneOf(t, "asked", []string{"allowed()", "errored()", "error() == ''", "reason() == 'listed'"}))
}

// libraries are calls of Kubernetes' libraries, sound and unsound, and
// expressions that cost much or too much.
var libraries = []string{
	"quantity('1Gi').isGreaterThan(quantity('500M'))", "quantity('x').asInteger() == 1", "isQuantity('1.5k')", "quantity('200M').sub(50000000).asInteger() == 150000000",
	"ip('10.1.2.3').family() == 4", "isIP('::1') && ip('::1').isLoopback()", "ip('300.1.1.1').isLoopback()", "cidr('10.0.0.0/8').containsIP('10.1.2.3')", "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
	"url('https://example.com:80/a?b=c').getHostname() == 'example.com'", "url('no url').getHost() == ''", "isURL('https://a/')", "url('https://a/?k=v').getQuery()['k'] == ['v']",
	"semver('1.2.3').isLessThan(semver('1.10.0'))", "isSemver('v1.0')", "semver('x').major() == 1", "semver('v1.0', true).major() == 1",
	"sets.contains(['a', 'b'], ['a'])", "sets.intersects(request.userInfo.groups, ['g'])", "sets.equivalent([1, 2], [2, 1, 1])",
	"format.named('dns1123Subdomain').value().validate(request.name).hasValue()", "format.dns1123Label().validate('No').orValue([]).size() > 0", "format.named('none').hasValue()",
	"timestamp('2026-01-02T03:04:05Z').getFullYear() == 2026", "duration('90m') > duration('1h')", "timestamp('never') == timestamp('2026-01-02T03:04:05Z')",
	"{'a': 1}.all(k, v, k == 'a' && v == 1)", "['x', 'y'].transformList(i, v, v + string(i)) == ['x0', 'y1']", "[1, 2, 3].isSorted() && [1, 2].sum() == 3",
	"has(object.spec) && has(object.spec.containers) && object.spec.containers.exists(c, c.name == 'main')", "object.spec.list[9] == 'x'", "request.options.kind == 'CreateOptions'",
	"request == object", "object == oldObject", "size(object.metadata) > 1", "namespaceObject.metadata.name == 'shop'", "cel.bind(n, request.name, n + n == 'xx')",
	"[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(a, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(b, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(c, a + b + c < 31)))",
	"'0123456789'.split('').all(a, '0123456789'.split('').all(b, '0123456789'.split('').all(c, '0123456789'.split('').all(d, '0123456789'.split('').all(e, a + b + c + d + e != ''))))) ",
	"jsonpatch.escapeKey('a/b') == 'a~1b'", "math.greatest([1, 2]) == 2", "strings.quote('a') == 'a'", "'%s is %d'.format([request.name, 1]) == 'x is 1'",
}
