package mutants

import "slices"

// client are faults in how webhooks are reached.
func client() []fault {
	return slices.Concat(certificates(), credentials(), routes(), connections(), dialing(), redirects(), inProcess())
}

// certificates are faults in what TLS expects, and in what is offered.
func certificates() []fault {
	const connect, certificate = "dispatcher/client/connect.go", "dispatcher/client/certificate.go"
	return []fault{
		{"any name will do for a service", connect, `cfg.ServerName = s.serverName()`, `cfg.ServerName = PICK("", s.serverName())`},
		{"server name of the credentials is overwritten", connect, `if cfg.ServerName == "" {`, `if cfg.ServerName == "" || MUTANT {`},
		{"caBundle is ignored", connect, `joinCA(cfg.CAData, caBundle)`, `joinCA(cfg.CAData, PICK(nil, caBundle))`},
		{"caBundle replaces the CA of the credentials", connect, `if len(data) == 0 {`, `if len(data) == 0 || MUTANT {`},
		{"CA of the credentials is written to", connect, `return slices.Concat(data,`, `if MUTANT { return append(append(data, '\n'), bundle...) }
	return slices.Concat(data,`},
		{"HTTP/2 for everything", connect, `if !t.http2 {`, `if !t.http2 && !MUTANT {`},
		{"missing certificate files go unnoticed", certificate, `if _, err := os.ReadFile(file); err != nil {`, `if _, err := os.ReadFile(file); err != nil && !MUTANT {`},
		{"certificate files before certificate data", certificate, `len(c.CertData) > 0 || len(c.KeyData) > 0 {`, `!MUTANT && (len(c.CertData) > 0 || len(c.KeyData) > 0) {`},
	}
}

// credentials are faults in what is sent to show who is calling, and to whom.
func credentials() []fault {
	const (
		connect, kubeconfig = "dispatcher/client/connect.go", "dispatcher/client/kubeconfig.go"
		address, discreet   = "dispatcher/client/address.go", "dispatcher/client/discreet.go"
	)
	return []fault{
		{"credentials are written to", connect, `rest.CopyConfig(found)`, `PICK(found, rest.CopyConfig(found))`},
		{"credentials for a service at any port", connect, `s.namespace, int(s.port)`, `s.namespace, int(PICK(httpsPort, s.port))`},
		{"dialer of the credentials comes first", connect, `if c.dial != nil {`, `if c.dial != nil && !(MUTANT && cfg.Dial != nil) {`},
		{"proxy of the credentials comes first", connect, `if c.proxy != nil {`, `if c.proxy != nil && !(MUTANT && cfg.Proxy != nil) {`},
		{"users without a port are for all ports", address, `if a.port == strconv.Itoa(httpsPort) {`, `if a.port == strconv.Itoa(httpsPort) || MUTANT {`},
		{"users of a domain come first", address, `for _, host := range hosts {`, `if MUTANT { slices.Reverse(hosts) }
		for _, host := range hosts {`},
		{"hosts with another case", address, `a.host = hostname.Lower(host)`, `a.host = PICK(host, hostname.Lower(host))`},
		{"any name of a user", address, `if _, taken := by[a]; !taken || name == a.String() {`, `if _, taken := by[a]; !taken || name == a.String() || MUTANT {`},
		{"token files before tokens", kubeconfig, `if user.Token != ""`, `if user.Token != "" && !MUTANT`},
		{"groups without a user", kubeconfig, `if user.Impersonate != "" {`, `if user.Impersonate != "" || MUTANT {`},
		{"keys without a certificate", kubeconfig, `if user.ClientCertificate != ""`, `if MUTANT || user.ClientCertificate != ""`},
		{"exact is not exact", kubeconfig, `if exact {`, `if exact && !MUTANT {`},
		{"client-go logs headers", discreet, `return credentialed(c, rt)`, `if MUTANT { return transport.New(c) }
	return credentialed(c, rt)`},
	}
}

// routes are faults in how long the way to a webhook is kept, and for whom.
func routes() []fault {
	const cache, client = "dispatcher/client/cache.go", "dispatcher/client/client.go"
	return []fault{
		{"any caBundle will do", cache, `return key{url: urlOf(cc), caBundle: string(cc.CABundle)`, `return key{url: urlOf(cc), caBundle: PICK("", string(cc.CABundle))`},
		{"errors are remembered", cache, `delete(c.making, k)`, `if !MUTANT { delete(c.making, k) }`},
		{"every caller makes the route", cache, `if a := c.making[k]; a != nil {`, `if a := c.making[k]; a != nil && !MUTANT {`},
		{"routes that are not wanted are kept", cache, `!ok && c.wanted != nil {`, `!ok && c.wanted != nil && !MUTANT {`},
		{"routes are made after Close", cache, `return nil, false, errClosed()`, `if !MUTANT { return nil, false, errClosed() }`},
		{"routes that come after Close are kept", cache, "if c.closed {\n\t\tr.retire()", "if c.closed && !MUTANT {\n\t\tr.retire()"},
		{"panic of another caller", cache, `case first:`, `case first || MUTANT:`},
		{"no time for what is there at once", cache, `time.NewTimer(makeGrace)`, `time.NewTimer(PICK(0, makeGrace))`},
		{"callers wait for slow hosts", cache, "case <-ctx.Done():\n\t}\n\ttimer", "case <-PICK(nil, ctx.Done()):\n\t}\n\ttimer"},
		{"Retain leaves connections open", client, `range c.routes.retain(wanted) {`, `range PICK(nil, c.routes.retain(wanted)) {`},
		{"Close leaves connections open", client, `range c.routes.close() {`, `range PICK(nil, c.routes.close()) {`},
	}
}

// connections are faults in how connections are used, and given up.
func connections() []fault {
	const (
		retiring, pool = "dispatcher/client/retiring.go", "dispatcher/client/pool.go"
		limit          = "dispatcher/client/connectionlimit.go"
		abandoning     = "dispatcher/client/abandoning.go"
		containing     = "dispatcher/client/containing.go"
	)
	return []fault{
		{"connections close under a call", retiring, `if r.calls.Load() == 0 {`, `if r.calls.Load() == 0 || MUTANT {`},
		{"last call leaves its connection", retiring, "r.calls.Add(-1)\n\tif r.retired.Load() {", "r.calls.Add(-1)\n\tif r.retired.Load() && !MUTANT {"},
		{"late connections stay", retiring, "addr)\n\tif r.retired.Load() {", "addr)\n\tif r.retired.Load() && !MUTANT {"},
		{"failed calls never end", retiring, `if body == nil {`, `if body == nil && !MUTANT {`},
		{"calls end twice", retiring, `if !b.closed.Swap(true) {`, `if !b.closed.Swap(true) || MUTANT {`},
		{"one HTTP/2 connection more", limit, `n >= maxConnections {`, `n >= maxConnections+PICK(1, 0) {`},
		{"one HTTP/2 connection less", limit, `used.total(); n`, `used.total() + PICK(1, 0); n`},
		{"refused streams count", limit, `if conn != c.last {`, `if conn != c.last || MUTANT {`},
		{"HTTP/1.1 connections count", limit, `NegotiatedProtocol != "h2" {`, `NegotiatedProtocol != "h2" && !MUTANT {`},
		{"few idle connections", pool, `t.MaxIdleConnsPerHost = idleConnections`, `t.MaxIdleConnsPerHost = PICK(2, idleConnections)`},
		{"headers of any size", pool, `t.MaxResponseHeaderBytes = p.maxHeader`, `t.MaxResponseHeaderBytes = PICK(1<<20, p.maxHeader)`},
		{"late answers stay open", abandoning, `late(o.result)`, `if !MUTANT { late(o.result) }`},
		{"calls wait for credential plugins", "dispatcher/client/connect.go", `if cfg.ExecProvider != nil {`, `if cfg.ExecProvider != nil && !MUTANT {`},
		{"panics pass through http.Client", containing, `if returned {`, `if returned || MUTANT {`},
		{"errors of answers are unmarked", "dispatcher/client/answererror.go", `if err != nil && !IsConnectionError(err) {`, `if err != nil && !IsConnectionError(err) && !MUTANT {`},
		{"one retry more", "dispatcher/client/retrying.go", `retries == maxRetries {`, `retries == maxRetries+PICK(1, 0) {`},
		{"retries outlive the request", "dispatcher/client/retrying.go", `case <-ctx.Done():`, `case <-PICK(nil, ctx.Done()):`},
	}
}

// dialing are faults in what the dial policy denies, and in proxies.
func dialing() []fault {
	const (
		policed, policy = "dispatcher/client/policed.go", "dispatcher/client/dialpolicy.go"
		classes         = "dispatcher/client/addressclass.go"
	)
	return []fault{
		{"own connections are unchecked", policed, `return p.policy.check(p.host, remote.Addr())`, `return PICK(nil, p.policy.check(p.host, remote.Addr()))`},
		{"connections of other dialers are unchecked", policed, `if err := p.checkRemote(conn); err != nil {`, `if err := p.checkRemote(conn); err != nil && !MUTANT {`},
		{"denied connections stay open", policed, `_ = conn.Close()`, `if !MUTANT { _ = conn.Close() }`},
		{"other dialers are asked for what is denied", policed, `if err := p.checkLiteral(host); err != nil {`, `if err := p.checkLiteral(host); err != nil && !MUTANT {`},
		{"numbers are names", policed, `case hostname.IsNumber(host):`, `case hostname.IsNumber(host) && !MUTANT:`},
		{"environment's proxy for URLs", policed, "if isOfService(req.Context()) {\n\t\treturn http", "if isOfService(req.Context()) || MUTANT {\n\t\treturn http"},
		{"proxied hosts are unchecked", policed, `inASCII(req.URL.Hostname())); err != nil {`, `inASCII(req.URL.Hostname())); err != nil && !MUTANT {`},
		{"other digits are none", policed, `p.checkLiteral(inASCII(req.URL.Hostname()))`, `p.checkLiteral(PICK(req.URL.Hostname(), inASCII(req.URL.Hostname())))`},
		{"denied addresses are named", policed, `return nil, denied`, `return nil, PICK(err, error(denied))`},
		{"redirects of services are unchecked", "dispatcher/client/connect.go", `isService && !c.exact {`, `isService && (!c.exact || MUTANT) {`},
		{"services are subject to the policy", "dispatcher/client/resolving.go", `if r.marked {`, `if r.marked && !MUTANT {`},
		{"multicast is permitted", policy, "if c != 0 {\n\t\tc |= special", "if c != 0 && !MUTANT {\n\t\tc |= special"},
		{"exceptions of addresses with zones", policy, "addr = addr.Unmap().WithZone(\"\")\n\treturn slices", "addr = PICK(addr, addr.Unmap().WithZone(\"\"))\n\treturn slices"},
		{"exceptions are the caller's", "dispatcher/client/client.go", `c.urls.Allow = slices.Clone(c.urls.Allow)`, `c.urls.Allow = PICK(c.urls.Allow, slices.Clone(c.urls.Allow))`},
		{"NAT64 is public", classes, `MustParsePrefix("64:ff9b::/96")`, `MustParsePrefix(PICK("100::/64", "64:ff9b::/96"))`},
		{"Teredo is not turned over", classes, "if turned {", "if turned && !MUTANT {"},
		{"ISATAP is public", classes, `&^isatapUnique == isatap {`, `&^isatapUnique == isatap && !MUTANT {`},
	}
}

// redirects are faults in where a review goes: to the service, and not elsewhere.
func redirects() []fault {
	const (
		redirect, resolving = "dispatcher/client/redirect.go", "dispatcher/client/resolving.go"
		target              = "dispatcher/client/target.go"
	)
	return []fault{
		{"redirects to another scheme", redirect, `strings.ToLower(u.Scheme), host`, `PICK("https", strings.ToLower(u.Scheme)), host`},
		{"redirects to another port", redirect, "if originOf(from) != originOf(to) {", "if a, b := originOf(from), originOf(to); a != b && !(MUTANT && a.host == b.host) {"},
		{"redirects to another host", redirect, `hostname.Lower(u.Hostname())`, `PICK("", hostname.Lower(u.Hostname()))`},
		{"default ports are none", redirect, `if o.port == "" {`, `if o.port == "" && !MUTANT {`},
		{"308 is no redirect", redirect, "http.StatusPermanentRedirect:\n\t\treturn true", "http.StatusPermanentRedirect:\n\t\treturn !MUTANT || status != http.StatusPermanentRedirect"},
		{"refused redirects stay open", redirect, `_ = resp.Body.Close()`, `if !MUTANT { _ = resp.Body.Close() }`},
		{"host of the service is its address", resolving, `out.Host = host`, `out.Host = PICK(address.Host, host)`},
		{"other hosts are resolved", resolving, `if req.URL.Host != host {`, `if req.URL.Host != host && !MUTANT {`},
		{"review of an unknown service stays open", resolving, "closeBody(req)\n\t\treturn nil, err", "if !MUTANT { closeBody(req) }\n\t\treturn nil, err"},
		{"calls wait for resolvers", resolving, `if r.computed {`, `if r.computed || MUTANT {`},
		{"URL comes before service", target, `s != (service{}) {`, `s != (service{}) && !(MUTANT && w.ClientConfig.URL != nil) {`},
		{"path is dropped", target, `path.Join("/", u.Path, apiPath)`, `path.Join("/", u.Path, PICK("", apiPath))`},
		{"service without a port is at port 80", target, `name: ref.Name, port: httpsPort}`, `name: ref.Name, port: PICK(int32(80), httpsPort)}`},
		{"names of this machine are others", target, `return true
	}
	// Sloppily`, `return !MUTANT
	}
	// Sloppily`},
	}
}

// inProcess are faults in how a handler in the same process is called.
func inProcess() []fault {
	const transport = "dispatcher/client/handlertransport.go"
	return []fault{
		{"values of the context cross", transport, `context.WithCancel(serverContext{context.WithoutCancel(caller)})`,
			`context.WithCancel(PICK(context.WithoutCancel(caller), context.Context(serverContext{context.WithoutCancel(caller)})))`},
		{"handlers write after the call", transport, `answer.abandon()`, `if !MUTANT { answer.abandon() }`},
		{"handlers that end their goroutine answer", transport, `err := errors.New("the webhook's handler ended its goroutine instead of returning")`,
			`err := PICK(nil, errors.New("the webhook's handler ended its goroutine instead of returning"))`},
		{"encoding stays when it is undone", "dispatcher/client/gunzip.go", `resp.Header.Del("Content-Encoding")`, `if !MUTANT { resp.Header.Del("Content-Encoding") }`},
		{"writes beyond Content-Length", "dispatcher/client/recorder.go", `int64(r.body.Len()+len(p)) > r.length:`, `int64(r.body.Len()+len(p)) > r.length && !MUTANT:`},
		{"answers that break off are whole", "dispatcher/client/response.go", `r.length > int64(r.body.Len()) {`, `r.length > int64(r.body.Len()) && !MUTANT {`},
	}
}
