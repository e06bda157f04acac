package registration

import registrationv1 "k8s.io/api/admissionregistration/v1"

// createURLs are the rows about webhooks at a URL.
func createURLs() []createCase {
	const (
		at      = `webhooks[0].clientConfig.url: Invalid value: `
		oneOf   = `webhooks[0].clientConfig: Required value: exactly one of url or service is required`
		form    = `; desired format: https://host[/path]`
		noHost  = at + `"": host must be specified` + form
		scheme  = `: 'https' is the only allowed URL scheme` + form
		noHTTPS = at + `""` + scheme
	)
	both := func(w *hook) {
		toService(func(*registrationv1.ServiceReference) {})(w)
		w.ClientConfig.URL = new("example.com/k8s/webhook")
	}
	return []createCase{
		{row{"23 no client", "R-032: there is nowhere to call"},
			hooks(bare(client(registrationv1.WebhookClientConfig{}))), "exactly one of", list(effectsRequired, oneOf)},
		{row{"24 two clients", "R-032: there are two to call, and neither is looked at"},
			hooks(bare(both)), `[0].clientConfig: Required value: exactly one of url or service is required`,
			list(effectsRequired, oneOf)},
		{row{"25 empty URL", "R-033: it lacks scheme and host"}, hooks(bare(toURL(""))),
			`[0].clientConfig.url: Invalid value: "": host must be specified`, list(effectsRequired, noHTTPS, noHost)},
		{row{"26 http", "R-033: webhooks are called with TLS"}, hooks(bare(toURL("http://example.com"))),
			"https", list(effectsRequired, at+`"http"`+scheme)},
		{row{"27 no host", "R-033: a path is no address"}, hooks(bare(toURL("https:///fancy/webhook"))),
			"host must be specified", list(effectsRequired, noHost)},
		{row{"28 fragment", "R-033: servers never see it"}, hooks(bare(toURL("https://example.com/#bookmark"))),
			`"bookmark": fragments are not permitted`,
			list(effectsRequired, at+`"bookmark": fragments are not permitted in the URL`)},
		{row{"29 query", "R-033: the query carries the timeout"}, hooks(bare(toURL("https://example.com?arg=value"))),
			`"arg=value": query parameters are not permitted`,
			list(effectsRequired, at+`"arg=value": query parameters are not permitted in the URL`)},
		{row{"30 user", "R-033: credentials are configured elsewhere"}, hooks(bare(toURL("https://harry.potter@example.com/"))),
			`"harry.potter": user information is not permitted`,
			list(effectsRequired, at+`"harry.potter": user information is not permitted in the URL`)},
		{row{"31 everything wrong", "R-033: all problems of a URL are reported"},
			hooks(bare(toURL("arg#backwards=thisis?html.index/port:host//:https"))), "host must be specified",
			list(effectsRequired, noHTTPS, noHost,
				at+`"backwards=thisis?html.index/port:host//:https": fragments are not permitted in the URL`)},
	}
}

// createServices are the rows about webhooks behind a service.
func createServices() []createCase {
	const (
		at     = `webhooks[0].clientConfig.service.path: Invalid value: `
		client = `clientConfig.service.path: Invalid value: `
		atPort = `webhooks[0].clientConfig.service.port: `
		port   = `: port is not valid: must be between 1 and 65535, inclusive`
	)
	return []createCase{
		{row{"32 path without a slash", "R-034: the only problem is the beginning, the end may be a slash"},
			hooks(bare(toPath("foo/"))), client + `"foo/": must start with a '/'`,
			list(effectsRequired, at+`"foo/": must start with a '/'`)},
		{row{"33 root", "R-034: the same as no path"}, hooks(fine(toPath("/"))), "", ""},
		{row{"34 path", "R-034: what most have"}, hooks(fine(toPath("/foo"))), "", ""},
		{row{"35 two slashes", "R-034: one segment, and it is empty"}, hooks(fine(toPath("//"))),
			client + `"//": segment[0] may not be empty`, at + `"//": segment[0] may not be empty`},
		{row{"36 empty segment", "R-034: segments count from 0"}, hooks(bare(toPath("/foo//bar/"))),
			client + `"/foo//bar/": segment[1] may not be empty`,
			list(effectsRequired, at+`"/foo//bar/": segment[1] may not be empty`)},
		{row{"37 empty segment at the end", "R-034: only one slash at the end is ignored"}, hooks(bare(toPath("/foo/bar//"))),
			client + `"/foo/bar//": segment[2] may not be empty`,
			list(effectsRequired, at+`"/foo/bar//": segment[2] may not be empty`)},
		{row{"38 segment that is no name", "R-034: segments are DNS names"}, hooks(bare(toPath("/apis/foo.bar/v1alpha1/--bad"))),
			client + `"/apis/foo.bar/v1alpha1/--bad": segment[3]: a lowercase RFC 1123 subdomain`,
			list(effectsRequired, at+`"/apis/foo.bar/v1alpha1/--bad": segment[3]: `+subdomainRule)},
		{row{"39 port zero", "R-034: below the range"}, hooks(bare(toPort(0))),
			"Invalid value: 0" + port, list(effectsRequired, atPort+"Invalid value: 0"+port)},
		{row{"40 port too high", "R-034: above the range"}, hooks(bare(toPort(65536))),
			"Invalid value: 65536" + port, list(effectsRequired, atPort+"Invalid value: 65536"+port)},
	}
}
