package explain

import (
	"fmt"
	"regexp"
	"strings"
)

// conditionsHint covers all conditions that are false or failed, in order,
// because all of them have to be true.
func (a *analyzer) conditionsHint(w *Webhook) string {
	var all []string
	for i := range w.Match.Conditions {
		c := &w.Match.Conditions[i]
		switch {
		case len(all) == shortList:
			all = append(all, "more conditions have to be true")
			return strings.Join(all, "; and then ")
		case c.isFalse():
			all = append(all, fmt.Sprintf("%q has to be true: %s%s", omitLong(c.Name, shortText), oneLine(c.Expression), a.valuesInExpression(c.Expression, w)))
		case c.Error != "":
			all = append(all, fmt.Sprintf("%q fails: %s", omitLong(c.Name, shortText), a.celAdvice(c.Error)))
		}
	}
	if len(all) == 0 && w.Match.ConditionsError != "" {
		return a.celAdvice(w.Match.ConditionsError)
	}
	return strings.Join(all, "; and then ")
}

// oneLine returns an expression without line breaks.
func oneLine(expression string) string {
	return omitLong(strings.Join(strings.Fields(expression), " "), longText)
}

// requestFields matches the fields of the variable request in an expression.
var requestFields = regexp.MustCompile(`\brequest\.[A-Za-z]+(\.[A-Za-z]+)?`)

// valuesInExpression lists the values of the request's fields that the
// expression reads. It does not show fields of the object, which may be secret.
func (a *analyzer) valuesInExpression(expression string, w *Webhook) string {
	const longest = 4096
	expression = expression[:min(len(expression), longest)]
	values := a.requestValues(w)
	var shown []string
	seen := map[string]bool{}
	for _, mention := range requestFields.FindAllString(expression, longList) {
		value, ok := values[mention]
		if !ok { // the last name may be a function
			mention = mention[:strings.LastIndexByte(mention, '.')]
			value, ok = values[mention]
		}
		if ok && !seen[mention] {
			seen[mention] = true
			shown = append(shown, mention+" is "+value)
		}
	}
	if len(shown) == 0 {
		return ""
	}
	return " (" + strings.Join(shown, ", ") + ")"
}

// requestValues are the fields of the variable request that an Explanation has.
// Its kind is the one that the webhook receives, its resource the one that the
// client used (S-134).
func (a *analyzer) requestValues(w *Webhook) map[string]string {
	q := &a.e.Request
	kind := q.Kind
	if w.Match.Target != nil {
		kind = w.Match.Target.Kind
	}
	values := map[string]string{
		"request.operation":               quoteWord(q.Operation),
		"request.namespace":               quoteWord(q.Namespace),
		"request.subResource":             quoteWord(q.Subresource),
		"request.dryRun":                  fmt.Sprint(q.DryRun),
		"request.userInfo.username":       quoteWord(q.User.Name),
		"request.userInfo.groups":         "[" + listWords(q.User.Groups) + "]",
		"request.kind.group":              quoteWord(kind.Group),
		"request.kind.version":            quoteWord(kind.Version),
		"request.kind.kind":               quoteWord(kind.Kind),
		"request.requestKind.group":       quoteWord(q.Kind.Group),
		"request.requestKind.version":     quoteWord(q.Kind.Version),
		"request.requestKind.kind":        quoteWord(q.Kind.Kind),
		"request.resource.group":          quoteWord(q.Resource.Group),
		"request.resource.version":        quoteWord(q.Resource.Version),
		"request.resource.resource":       quoteWord(q.Resource.Resource),
		"request.requestResource.group":   quoteWord(q.Resource.Group),
		"request.requestResource.version": quoteWord(q.Resource.Version),
	}
	if q.Name != "" { // for an empty name: the server may have generated one later
		values["request.name"] = quoteWord(q.Name)
	}
	return values
}

func quoteWord(value string) string { return fmt.Sprintf("%q", omitLong(value, shortText)) }

// celAdvice returns the message of a CEL error, with advice if there is any.
func (a *analyzer) celAdvice(problem string) string {
	message := celMessage(problem)
	for _, r := range celRemedies {
		if strings.Contains(message, r.sign) && (r.only == nil || r.only(a.e, problem)) {
			return message + ": " + r.advice
		}
	}
	return message
}

// celMessage returns the error without the expression that it quotes.
func celMessage(problem string) string {
	if _, after, ok := strings.Cut(problem, "' resulted in error: "); ok {
		problem = after
	}
	if strings.HasPrefix(problem, "compilation error: ") {
		problem, _, _ = strings.Cut(problem, "\n") // the next lines repeat the source
	}
	return omitLong(problem, longText)
}

// celRemedies has advice for the most frequent errors. The first entry that
// applies is used.
var celRemedies = []struct {
	sign   string
	only   func(e *Explanation, problem string) bool
	advice string
}{
	{"no such", lacksObject(opDelete, "object."), "a DELETE has no object, only an oldObject: test request.operation first"},
	{"no such", lacksObject(opCreate, "oldObject."), "a CREATE has no oldObject: test request.operation first"},
	{"no such key", nil, "test it with has() or in first, or read it as an optional, object.?a.?b.orValue(\"\")"},
	{"no such attribute(s): authorizer", nil, "no authorizer is configured"},
	{"undeclared reference to", nil, "the variables are object, oldObject, request, namespaceObject and authorizer"},
	{"undefined field", nil, "request has no object and no uid; object and oldObject are variables of their own"},
	{"but got dyn", nil, "compare it with true"},
	{"must evaluate to bool", nil, "compare it with something"},
	{"cost limit exceeded", nil, "make it cheaper: bound what it iterates over, ask the authorizer less often"},
	{"cost budget", nil, "make it cheaper: bound what it iterates over, ask the authorizer less often"},
}

// lacksObject applies to errors about the variable in requests with the
// operation, which do not have that object.
func lacksObject(operation, variable string) func(*Explanation, string) bool {
	word := regexp.MustCompile(`(^|[^A-Za-z])` + regexp.QuoteMeta(variable))
	return func(e *Explanation, problem string) bool {
		return e.Request.Operation == operation && word.MatchString(problem)
	}
}
