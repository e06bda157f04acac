package mutants

import "slices"

// client are faults in how webhooks are called.
func client() []fault {
	return slices.Concat(certificates(), credentials(), endpoints(), connections(), dialing(), redirects(), inProcess())
}

// certificates are faults in checking server certificates, and in client
// certificates.
func certificates() []fault {
	const endpoint, certificate = "dispatcher/client/endpoint.go", "dispatcher/client/certificate.go"
	return []fault{
		{"service may have any server name", endpoint, `cfg.ServerName = s.serverName()`, `cfg.ServerName = PICK("", s.serverName())`},
		{"server name of the credentials is overwritten", endpoint, `if cfg.ServerName == "" {`, `if cfg.ServerName == "" || MUTANT {`},
		{"caBundle is ignored", endpoint, `joinCA(cfg.CAData, caBundle)`, `joinCA(cfg.CAData, PICK(nil, caBundle))`},
		{"caBundle replaces the CA of the credentials", endpoint, `if len(data) == 0 {`, `if len(data) == 0 || MUTANT {`},
		{"CA of the credentials is written to", endpoint, `return slices.Concat(data,`, `if MUTANT { return append(append(data, '\n'), bundle...) }
	return slices.Concat(data,`},
		{"HTTP/2 for everything", endpoint, `if !t.http2 {`, `if !t.http2 && !MUTANT {`},
		{"missing certificate files go unnoticed", certificate, `files.read(); err != nil {`, `files.read(); err != nil && !MUTANT {`},
		{"certificate files before certificate data", certificate, `len(c.CertData) > 0 || len(c.KeyData) > 0 {`, `!MUTANT && (len(c.CertData) > 0 || len(c.KeyData) > 0) {`},
		{"renewed certificates wait for a handshake", certificate, `if time.Now().Before(c.next) {`, `if time.Now().Before(c.next) || MUTANT {`},
		{"handshakes do not show a renewal", certificate, `c.renewed.Store(true)`, `c.renewed.Store(!MUTANT || !time.Now().Before(c.next))`},
		{"half a certificate is not awaited", certificate, `wait = certificateRetry`, `wait = PICK(certificateCheck, certificateRetry)`},
		{"calls wait for files that hang", certificate, `context.WithTimeout(ctx, certificateWait)`, `context.WithTimeout(PICK(context.Background(), ctx), PICK(time.Hour, certificateWait))`},
		{"calls wait for each other's files", certificate, `|| !c.mu.TryLock() {`, `|| !func() bool { if MUTANT { c.mu.Lock(); return true }; return c.mu.TryLock() }() {`},
		{"every reading is a renewal", certificate, `if !bytes.Equal(cert, c.cert) ||`, `if MUTANT || !bytes.Equal(cert, c.cert) ||`},
		{"connections with an old certificate stay", "dispatcher/client/client.go", "e.closeWhenIdle()\n\t}\n\t// Every", "if !MUTANT { e.closeWhenIdle() }\n\t}\n\t// Every"},
		{"endpoints with an old certificate stay", "dispatcher/client/cache.go", `delete(next, k)`, `if !MUTANT { delete(next, k) }`},
		{"endpoints with a new certificate leave, too", "dispatcher/client/cache.go", `current[k] == e {`, `current[k] == e || MUTANT {`},
	}
}

// credentials are faults in which credentials are sent, and to which host.
func credentials() []fault {
	const (
		endpoint, kubeconfig = "dispatcher/client/endpoint.go", "dispatcher/client/kubeconfig.go"
		address, quiet       = "dispatcher/client/address.go", "dispatcher/client/transport.go"
	)
	return []fault{
		{"credentials are written to", endpoint, `rest.CopyConfig(auth)`, `PICK(auth, rest.CopyConfig(auth))`},
		{"credentials for a service at any port", endpoint, `s.namespace, int(s.port)`, `s.namespace, int(PICK(httpsPort, s.port))`},
		{"dialer of the credentials comes first", endpoint, `if c.config.Dial != nil {`, `if c.config.Dial != nil && !(MUTANT && cfg.Dial != nil) {`},
		{"proxy of the credentials comes first", endpoint, `if c.config.Proxy != nil {`, `if c.config.Proxy != nil && !(MUTANT && cfg.Proxy != nil) {`},
		{"users without a port are for all ports", address, `if a.port == strconv.Itoa(httpsPort) {`, `if a.port == strconv.Itoa(httpsPort) || MUTANT {`},
		{"users of a domain come first", address, `for _, host := range hosts {`, `if MUTANT { slices.Reverse(hosts) }
		for _, host := range hosts {`},
		{"hosts with another case", address, `a.host = hostname.Lower(host)`, `a.host = PICK(host, hostname.Lower(host))`},
		{"last name of a user wins", address, `if _, taken := byAddress[a]; !taken || name == a.String() {`, `if _, taken := byAddress[a]; !taken || name == a.String() || MUTANT {`},
		{"token files before tokens", kubeconfig, `if user.Token != ""`, `if user.Token != "" && !MUTANT`},
		{"groups without a user", kubeconfig, `if user.Impersonate != "" {`, `if user.Impersonate != "" || MUTANT {`},
		{"keys without a certificate", kubeconfig, `if user.ClientCertificate != ""`, `if MUTANT || user.ClientCertificate != ""`},
		{"exact is not exact", kubeconfig, `if exact {`, `if exact && !MUTANT {`},
		{"client-go logs headers", quiet, `return wrapCredentials(c, rt)`, `if MUTANT { return transport.New(c) }
	return wrapCredentials(c, rt)`},
	}
}

// endpoints are faults in how long endpoints are cached, and for which
// webhooks.
func endpoints() []fault {
	const cache, client = "dispatcher/client/cache.go", "dispatcher/client/client.go"
	return []fault{
		{"caBundle is not part of the key", cache, `return cacheKey{url: urlOf(cc), caBundle: string(cc.CABundle)`, `return cacheKey{url: urlOf(cc), caBundle: PICK("", string(cc.CABundle))`},
		{"errors are remembered", "dispatcher/client/endpoint.go", "auth, err := c.authConfig(t)\n\tif err != nil {\n", "auth, err := c.authConfig(t)\n\tif err != nil {\n" + `		if MUTANT {
			c.config.AuthInfo = &webhookutil.AuthenticationInfoResolverDelegator{ClientConfigForFunc: func(string) (*rest.Config, error) { return nil, err }}
		}
`},
		{"every caller creates the endpoint", cache, `created := c.creations.DoChan(`, `if MUTANT { c.creations.Forget(fmt.Sprintf("%#v", k)) }
	created := c.creations.DoChan(`},
		{"unused endpoints are cached", cache, `!ok && c.inUse != nil {`, `!ok && c.inUse != nil && !MUTANT {`},
		{"endpoints are created after Close", cache, `return nil, errClosed()`, `if !MUTANT { return nil, errClosed() }`},
		{"endpoints created during Close stay open", cache, "if c.closed {\n\t\te.closeWhenIdle()", "if c.closed && !MUTANT {\n\t\te.closeWhenIdle()"},
		{"panic of another caller", cache, `case first, !errors.As(`, `case first || MUTANT, !errors.As(`},
		{"endpoint that ends its goroutine is an error", cache, `return nil, goexitToPanic(err)`, `return nil, PICK(err, goexitToPanic(err))`},
		{"no grace for an expired context", cache, `guard.Graced(ctx)
	defer`, `guard.Graced(ctx)
	if MUTANT && ctx.Err() != nil { cancel() }
	defer`},
		{"callers wait for slow resolvers", cache, `case <-graced.Done():`, `case <-PICK(nil, graced.Done()):`},
		{"Retain leaves connections open", client, `range c.endpoints.retain(inUse) {`, `range PICK(nil, c.endpoints.retain(inUse)) {`},
		{"Close leaves connections open", client, `range c.endpoints.close() {`, `range PICK(nil, c.endpoints.close()) {`},
	}
}

// connections are faults in how connections are used and closed.
func connections() []fault {
	const (
		drain, limit   = "dispatcher/client/draintransport.go", "dispatcher/client/connectionlimit.go"
		detach, errors = "dispatcher/client/detachtransport.go", "dispatcher/client/errortransport.go"
		retry          = "dispatcher/client/retrytransport.go"
	)
	return []fault{
		{"connections close under a call", drain, `if t.active.Load() == 0 && t`, `if (t.active.Load() == 0 || MUTANT) && t`},
		{"last call leaves its connection", drain, "t.active.Add(-1)\n\tif t.draining.Load() {", "t.active.Add(-1)\n\tif t.draining.Load() && !MUTANT {"},
		{"late connections stay", drain, "addr)\n\tif t.draining.Load() {", "addr)\n\tif t.draining.Load() && !MUTANT {"},
		{"failed calls never end", drain, `if body == nil {`, `if body == nil && !MUTANT {`},
		{"calls end twice", drain, `if !b.closed.Swap(true) {`, `if !b.closed.Swap(true) || MUTANT {`},
		{"one HTTP/2 connection more", limit, `n >= maxConnections {`, `n >= maxConnections+PICK(1, 0) {`},
		{"one HTTP/2 connection less", limit, `used.total(); n`, `used.total() + PICK(1, 0); n`},
		{"refused streams count", limit, `if conn != c.last {`, `if conn != c.last || MUTANT {`},
		{"HTTP/1.1 connections count", limit, `NegotiatedProtocol != "h2" {`, `NegotiatedProtocol != "h2" && !MUTANT {`},
		{"few idle connections", drain, `pool.MaxIdleConnsPerHost = maxIdleConnections`, `pool.MaxIdleConnsPerHost = PICK(2, maxIdleConnections)`},
		{"headers of any size", drain, `pool.MaxResponseHeaderBytes = t.maxHeader`, `pool.MaxResponseHeaderBytes = PICK(1<<20, t.maxHeader)`},
		{"late responses stay open", detach, `}, closeResponse)`, `}, PICK(nil, closeResponse))`},
		{"calls that end their goroutine are failed calls", detach, `if err == guard.ErrGoexit {`, `if err == guard.ErrGoexit && !MUTANT {`},
		{"calls wait for credential plugins", "dispatcher/client/endpoint.go", `if cfg.ExecProvider != nil {`, `if cfg.ExecProvider != nil && !MUTANT {`},
		{"panics pass through http.Client", errors, `err = guard.Call(func() (err error) {`, `if MUTANT { return t.next.RoundTrip(req) }
	err = guard.Call(func() (err error) {`},
		{"response errors are unmarked", errors, "default:\n\t\terr = &neterror.ResponseError{Err: err}", "default:\n\t\terr = PICK(err, error(&neterror.ResponseError{Err: err}))"},
		{"errors of TLS are responses", errors, `strings.HasPrefix(err.Error(), "tls: "):`, `strings.HasPrefix(err.Error(), "tls: ") && !MUTANT:`},
		{"one retry more", retry, `retries == maxRetries {`, `retries == maxRetries+PICK(1, 0) {`},
		{"retries outlive the request", retry, `case <-ctx.Done():`, `case <-PICK(nil, ctx.Done()):`},
		{"retries begin at the target of a redirect", retry, `if req != p.first {`, `if req != p.first && !MUTANT {`},
		{"retries before a redirect do not count", retry, `p.redirects++`, `p.redirects, p.retries = p.redirects+1, PICK(0, p.retries)`},
		{"redirects count from the start", retry, `p.redirects = 0`, `p.redirects = PICK(p.redirects, 0)`},
		{"one redirect more", retry, `p.redirects >= maxRedirects {`, `p.redirects >= maxRedirects+PICK(1, 0) {`},
		{"retries after a redirect have no body", retry, `req.Body, req.GetBody, req.ContentLength = first.Body, first.GetBody, first.ContentLength`, `if !MUTANT { req.Body, req.GetBody, req.ContentLength = first.Body, first.GetBody, first.ContentLength }`},
	}
}

// dialing are faults in what the dial policy denies, and in proxies.
func dialing() []fault {
	const (
		guard, policy = "dispatcher/client/dialguard.go", "dispatcher/client/dialpolicy.go"
		classes       = "dispatcher/client/addressclass.go"
	)
	return []fault{
		{"connections of the default dialer are unchecked", guard, `return g.checkRemote(address)`, `return PICK(nil, g.checkRemote(address))`},
		{"connections of other dialers are unchecked", guard, `if err := g.checkRemote(remote); err != nil {`, `if err := g.checkRemote(remote); err != nil && !MUTANT {`},
		{"denied connections stay open", guard, `_ = conn.Close()`, `if !MUTANT { _ = conn.Close() }`},
		{"other dialers are called for denied addresses", guard, `if err := g.checkLiteral(host); err != nil {`, `if err := g.checkLiteral(host); err != nil && !MUTANT {`},
		{"numbers are names", guard, `case hostname.IsNumber(host):`, `case hostname.IsNumber(host) && !MUTANT:`},
		{"environment's proxy for URLs", guard, "if isServiceRequest(req.Context()) {\n\t\treturn http", "if isServiceRequest(req.Context()) || MUTANT {\n\t\treturn http"},
		{"proxied hosts are unchecked", guard, `toASCII(req.URL.Hostname())); err != nil {`, `toASCII(req.URL.Hostname())); err != nil && !MUTANT {`},
		{"digits beyond ASCII are no digits", guard, `g.checkLiteral(toASCII(req.URL.Hostname()))`, `g.checkLiteral(PICK(req.URL.Hostname(), toASCII(req.URL.Hostname())))`},
		{"errors contain the denied address", guard, `return nil, denied`, `return nil, PICK(err, error(denied))`},
		{"redirects of services are unchecked", "dispatcher/client/endpoint.go", `isService && !c.config.Exact {`, `isService && (!c.config.Exact || MUTANT) {`},
		{"services are subject to the policy", "dispatcher/client/servicetransport.go", `if t.mark {`, `if t.mark && !MUTANT {`},
		{"multicast is permitted", policy, "if classes != 0 {\n\t\tclasses |= reserved", "if classes != 0 && !MUTANT {\n\t\tclasses |= reserved"},
		{"exceptions of addresses with zones", policy, "addr = addr.Unmap().WithZone(\"\")\n\treturn slices", "addr = PICK(addr, addr.Unmap().WithZone(\"\"))\n\treturn slices"},
		{"exceptions are not copied", "dispatcher/client/client.go", `cfg.DialPolicy.Allow = slices.Clone(cfg.DialPolicy.Allow)`, `cfg.DialPolicy.Allow = PICK(cfg.DialPolicy.Allow, slices.Clone(cfg.DialPolicy.Allow))`},
		{"NAT64 is public", classes, `MustParsePrefix("64:ff9b::/96")`, `MustParsePrefix(PICK("100::/64", "64:ff9b::/96"))`},
		{"Teredo is not inverted", classes, "if inverted {", "if inverted && !MUTANT {"},
		{"ISATAP is public", classes, `&^isatapUnique == isatap {`, `&^isatapUnique == isatap && !MUTANT {`},
	}
}

// redirects are faults in which host a review goes to.
func redirects() []fault {
	const (
		redirect, service = "dispatcher/client/redirect.go", "dispatcher/client/servicetransport.go"
		target            = "dispatcher/client/target.go"
	)
	return []fault{
		{"redirects to another scheme", redirect, `strings.ToLower(u.Scheme), host`, `PICK("https", strings.ToLower(u.Scheme)), host`},
		{"redirects to another port", redirect, "if originOf(from) != originOf(to) {", "if a, b := originOf(from), originOf(to); a != b && !(MUTANT && a.host == b.host) {"},
		{"redirects to another host", redirect, `hostname.Lower(u.Hostname())`, `PICK("", hostname.Lower(u.Hostname()))`},
		{"default ports are none", redirect, `if o.port == "" {`, `if o.port == "" && !MUTANT {`},
		{"308 is no redirect", redirect, "http.StatusPermanentRedirect:\n\t\treturn true", "http.StatusPermanentRedirect:\n\t\treturn !MUTANT || status != http.StatusPermanentRedirect"},
		{"refused redirects stay open", redirect, `_ = resp.Body.Close()`, `if !MUTANT { _ = resp.Body.Close() }`},
		{"host of the service is its address", service, `out.Host = host`, `out.Host = PICK(address.Host, host)`},
		{"other hosts are resolved", service, `if req.URL.Host != host {`, `if req.URL.Host != host && !MUTANT {`},
		{"review of an unknown service stays open", service, "closeBody(req)\n\t\treturn nil, err", "if !MUTANT { closeBody(req) }\n\t\treturn nil, err"},
		{"calls wait for resolvers", service, `if t.inline {`, `if t.inline || MUTANT {`},
		{"URL comes before service", target, `s != (service{}) {`, `s != (service{}) && !(MUTANT && w.ClientConfig.URL != nil) {`},
		{"path is dropped", target, `path.Join("/", u.Path, apiPath)`, `path.Join("/", u.Path, PICK("", apiPath))`},
		{"service without a port is at port 80", target, `name: ref.Name, port: httpsPort}`, `name: ref.Name, port: PICK(int32(80), httpsPort)}`},
		{"localhost is another host", "internal/hostname/hostname.go", `return true
	}
	// kube-apiserver`, `return !MUTANT
	}
	// kube-apiserver`},
	}
}

// inProcess are faults in how a handler in the same process is called.
func inProcess() []fault {
	const transport = "dispatcher/client/inprocess.go"
	return []fault{
		{"values of the context cross", transport, `context.WithCancel(serverContext{context.WithoutCancel(callerCtx)})`,
			`context.WithCancel(PICK(context.WithoutCancel(callerCtx), context.Context(serverContext{context.WithoutCancel(callerCtx)})))`},
		{"handlers write after the call", transport, `rec.close()`, `if !MUTANT { rec.close() }`},
		{"handlers that end their goroutine succeed", transport, `case err == guard.ErrGoexit:`, `case err == guard.ErrGoexit && !MUTANT:`},
		{"Content-Encoding stays after decoding", "dispatcher/client/gunzip.go", `resp.Header.Del("Content-Encoding")`, `if !MUTANT { resp.Header.Del("Content-Encoding") }`},
		{"writes beyond Content-Length", "dispatcher/client/recorder.go", `int64(r.body.Len()+len(p)) > r.length:`, `int64(r.body.Len()+len(p)) > r.length && !MUTANT:`},
		{"truncated responses are complete", "dispatcher/client/recorder.go", `r.length > int64(r.body.Len()) {`, `r.length > int64(r.body.Len()) && !MUTANT {`},
	}
}
