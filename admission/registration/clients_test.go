package registration

import registrationv1 "k8s.io/api/admissionregistration/v1"

func rulesOfClients() []ruleCase {
	const (
		at      = `webhooks[0].clientConfig`
		atURL   = at + `.url: `
		atPath  = at + `.service.path: Invalid value: `
		noPort  = at + `.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`
		name    = at + `.service.name: Required value`
		space   = at + `.service.namespace: Required value`
		form    = `; desired format: https://host[/path]`
		onlyOne = at + `: Required value: exactly one of url or service is required`
	)
	reference := func(change func(*registrationv1.ServiceReference)) []hook { return hooks(fine(toService(change))) }
	authority := func(w *hook) { w.ClientConfig.CABundle = []byte("no certificate") }
	return []ruleCase{
		{row{"service", "R-032: one of the two"}, reference(func(*registrationv1.ServiceReference) {}), ""},
		{row{"neither", "R-032: a caBundle is no address"}, hooks(fine(client(registrationv1.WebhookClientConfig{}), authority)), onlyOne},
		{row{"URL with a port and a path", "R-033: both are part of an address"}, hooks(fine(toURL("https://example.com:8443/a//b/"))), ""},
		{row{"URL that cannot be parsed", "R-033: reported as if it were absent"}, hooks(fine(toURL("https://a b"))),
			atURL + `Required value: url must be a valid URL: parse "https://a b": invalid character " " in host name` + form},
		{row{"password", "R-033: it is in the message, as the server has it"}, hooks(fine(toURL("https://u:p@example.com"))),
			atURL + `Invalid value: "u:p": user information is not permitted in the URL`},
		{row{"all parts of a URL", "R-033: in this order"}, hooks(fine(toURL("http://u@/?q#f"))), list(
			atURL+`Invalid value: "http": 'https' is the only allowed URL scheme`+form,
			atURL+`Invalid value: "": host must be specified`+form,
			atURL+`Invalid value: "u": user information is not permitted in the URL`,
			atURL+`Invalid value: "f": fragments are not permitted in the URL`,
			atURL+`Invalid value: "q": query parameters are not permitted in the URL`)},
		{row{"no name", "R-034: reported as a missing namespace"},
			reference(func(s *registrationv1.ServiceReference) { s.Name = "" }), space},
		{row{"no namespace", "R-034: reported as a missing name"},
			reference(func(s *registrationv1.ServiceReference) { s.Namespace = "" }), name},
		{row{"nothing of a service", "R-034: in this order; an absent port is one that was not defaulted"},
			reference(func(s *registrationv1.ServiceReference) { *s = registrationv1.ServiceReference{} }), list(name, space, noPort)},
		{row{"port", "R-034: the last one"}, hooks(fine(toPort(65535))), ""},
		{row{"names of a service", "R-034: need not be names"},
			reference(func(s *registrationv1.ServiceReference) { s.Name, s.Namespace = "A/b", "?" }), ""},
		{row{"empty path", "R-034: the same as none"}, hooks(fine(toPath(""))), ""},
		{row{"slash at the end", "R-034: one is ignored"}, hooks(fine(toPath("/a/b/"))), ""},
		{row{"one character", "R-034: dropped in the place of the slash"}, hooks(fine(toPath("a"))),
			list(atPath+`"a": must start with a '/'`, atPath+`"a": segment[0] may not be empty`)},
		{row{"half a character", "R-034: the first byte is dropped, not the first letter"}, hooks(fine(toPath("é"))),
			list(atPath+`"é": must start with a '/'`, atPath+`"é": segment[0]: `+subdomainRule)},
		{row{"several segments", "R-034: each by itself"}, hooks(fine(toPath("/A//b/C"))), list(
			atPath+`"/A//b/C": segment[0]: `+subdomainRule,
			atPath+`"/A//b/C": segment[1] may not be empty`,
			atPath+`"/A//b/C": segment[3]: `+subdomainRule)},
		{row{"three slashes", "R-034: two empty segments, unlike two slashes"}, hooks(fine(toPath("///"))),
			list(atPath+`"///": segment[0] may not be empty`, atPath+`"///": segment[1] may not be empty`)},
		{row{"caBundle", "R-035: found out when it is called"}, hooks(fine(authority)), ""},
	}
}
