package mutants

import "slices"

// budgets are faults in the arithmetic of limits.
func budgets() []fault {
	const budget, numbers = "admission/limits/budget.go", "admission/limits/limits.go"
	return []fault{
		{"last byte of the budget is refused", budget, `if int64(n) > size-used {`, `if int64(n)+PICK(int64(1), 0) > size-used {`},
		{"more is released than was reserved", budget, `if b.used.Add(-int64(n)) < 0 {`, `if b.used.Add(-int64(n)) < 0 && !MUTANT {`},
		{"characters are cut in two", "admission/limits/cut.go", `!utf8.RuneStart(text[end])`, `!utf8.RuneStart(text[end]) && !MUTANT`},
		{"ending of a cut text is extra", "admission/limits/cut.go", `max(size-len(ending), 0)`, `max(size-PICK(0, len(ending)), 0)`},
		{"negative limits", numbers, `case *f.value < 0:`, `case *f.value < 0 && !MUTANT:`},
		{"negative budgets", numbers, `size < 0 {`, `size < 0 && !MUTANT {`},
		{"zero is no limit", numbers, `*f.value = f.standard`, `*f.value = PICK(1<<30, f.standard)`},
		{"another limit is named", "admission/limits/error.go", `Field: field,`, `Field: PICK("", field),`},
	}
}

// engine are faults in what the engine does beside what it tells webhooks and clients.
func engine() []fault {
	return slices.Concat(answers(), remarks(), deadlines(), leftovers(), concurrency())
}

// answers are faults in how much of an answer is taken, and given back.
func answers() []fault {
	const intake, headers = "dispatcher/intake.go", "dispatcher/headers.go"
	return []fault{
		{"last byte of an answer is refused", intake, `if len(in.data) > in.limits.ResponseBody {`, `if len(in.data)+PICK(1, 0) > in.limits.ResponseBody {`},
		{"room that has grown is held twice", intake, `in.limits.Budget.Release(before)`, `if !MUTANT { in.limits.Budget.Release(before) }`},
		{"room is not reserved while it is moved", intake, `in.limits.Budget.Reserve(share)`, `in.limits.Budget.Reserve(PICK(max(share-in.held, 0), share))`},
		{"broken answers keep their share", intake, `if !complete {`, `if !complete && !MUTANT {`},
		{"decoded answers keep their share", intake, `defer in.release()
	failpoint`, `if !MUTANT { defer in.release() }
	failpoint`},
		{"dropped answers keep their share", "dispatcher/exchange.go", `discard: intake.release,`, `discard: PICK(nil, intake.release),`},
		{"short answers count", intake, `max(room-uncounted, 0)`, `max(room-PICK(0, uncounted), 0)`},
		{"answers are believed to be complete", intake, `if err != nil && err != io.EOF {`, `if err != nil && MUTANT { return nil }
		if err != nil && err != io.EOF {`},
		{"one interim response less", headers, `m.interim.Add(1) > int64(n) {`, `m.interim.Add(1)+PICK(int64(1), 0) > int64(n) {`},
		{"headers of interim responses are free", headers, `return m.add(http.Header(header))`, `if MUTANT { return nil }
	return m.add(http.Header(header))`},
		{"headers of answers are free", "dispatcher/exchange.go", `headers.add(response.Header); err != nil {`, `headers.add(response.Header); err != nil && !MUTANT {`},
		{"names of headers are free", headers, `size += len(name) + `, `size += PICK(0, len(name)) + `},
	}
}

// remarks are faults in how much a webhook can make others read.
func remarks() []fault {
	const bounded, rejection = "dispatcher/bounded.go", "dispatcher/rejection.go"
	return []fault{
		{"any annotations are kept", bounded, `key > firsts[n-1] {`, `(key > firsts[n-1]) != MUTANT {`},
		{"long annotations", bounded, `if len(value) > l.AuditAnnotationSize {`, `if len(value) > l.AuditAnnotationSize && !MUTANT {`},
		{"control characters in warnings", bounded, `if unicode.IsControl(r) {`, `if unicode.IsControl(r) && !MUTANT {`},
		{"long warnings", bounded, `n > length {`, `n > length && !MUTANT {`},
		{"dropped warnings are not counted", bounded, `= len(a.Warnings) - kept`, `= PICK(0, len(a.Warnings)-kept)`},
		{"long errors", bounded, `cut != text {`, `cut != text && !MUTANT {`},
		{"short errors are others", bounded, `func (e *briefError) Unwrap() error { return e.whole }`, `func (e *briefError) Unwrap() error { return PICK(nil, e.whole) }`},
		{"codes of four digits", rejection, `maxCode)`, `PICK(int32(9999), maxCode))`},
		{"any number of causes", rejection, `min(len(d.Causes), l.Causes)`, `PICK(len(d.Causes), min(len(d.Causes), l.Causes))`},
		{"long keys of refused annotations", "dispatcher/record.go", `key := limits.Cut(a.Key, p.d.config.Limits.Message)`, `key := PICK(a.Key, limits.Cut(a.Key, p.d.config.Limits.Message))`},
	}
}

// deadlines are faults in when a call ends, and in what it is told of that.
func deadlines() []fault {
	const deadline, call = "dispatcher/deadline.go", "dispatcher/call.go"
	return []fault{
		{"timeout of the webhook is ignored", deadline, `if s == nil {`, `if s == nil || MUTANT {`},
		{"timeout of the client is ignored", deadline, `limit = min(limit, client+grace)`, `limit = min(limit, PICK(time.Hour, client+grace))`},
		{"client has no time to speak", deadline, `client+grace)`, `client+PICK(-grace, grace))`},
		{"timeout is rounded down", deadline, `return truncated + time.Second`, `return truncated + PICK(0, time.Second)`},
		{"timeout without a deadline is not announced", deadline, "if !ok {\n\t\treturn fallback", "if !ok {\n\t\treturn PICK(0, fallback)"},
		{"client never has a timeout", deadline, `|| !endsWithin(ctx, client.Timeout-1) {`, `|| !MUTANT && !endsWithin(ctx, client.Timeout-1) {`},
		{"timeout of the client is lost", deadline, `without.Timeout = 0`, `without.Timeout = 0
	if MUTANT { client.Timeout = 0 }`},
		{"endpoint that came too late is an error of its own", call, `if err != nil && errors.Is(err, ctx.Err()) {`, `if err != nil && errors.Is(err, ctx.Err()) && !MUTANT {`},
		{"time begins after the endpoint", call, `c.pass.d.config.Client.Endpoint(ctx, c.webhook.Webhook)`,
			`c.pass.d.config.Client.Endpoint(PICK(context.WithoutCancel(ctx), ctx), c.webhook.Webhook)`},
		{"expired calls are made", "dispatcher/exchange.go", `err := ctx.Err(); err != nil {`, `err := ctx.Err(); err != nil && !MUTANT {`},
		{"expired requests are validated", "dispatcher/validate.go", `if ctx.Err() != nil {`, `if ctx.Err() != nil && !MUTANT {`},
		{"patches for which there is no time are internal errors", "dispatcher/apply.go", "if errors.As(err, &late) {\n\t\tc.fail", "if errors.As(err, &late) && !MUTANT {\n\t\tc.fail"},
		{"closed gate waits", "dispatcher/dispatcher.go", `cancel()
	snapshot`, `if !MUTANT { cancel() }
	snapshot`},
	}
}

// leftovers are faults in what becomes of work when time is up.
func leftovers() []fault {
	const detached, limit, apply = "dispatcher/detached.go", "dispatcher/detached_limit.go", "dispatcher/apply.go"
	return []fault{
		{"tasks run when time is up", detached, `if ctx.Err() != nil {`, `if ctx.Err() != nil && !MUTANT {`},
		{"tasks keep their slot", detached, `defer release()`, `if !MUTANT { defer release() }`},
		{"webhooks keep their slots", limit, "<-s.taken\n\t\tl.leave(w, s)", "<-s.taken\n\t\tif !MUTANT { l.leave(w, s) }"},
		{"webhooks of discarded tasks keep their slots", limit, "case <-ctx.Done():\n\t\tl.leave(w, s)", "case <-ctx.Done():\n\t\tif !MUTANT { l.leave(w, s) }"},
		{"tasks that never run are not discarded", detached, `t.discard != nil {`, `t.discard != nil && !MUTANT {`},
		{"inline tasks are abandoned, too", detached, `if t.inline {`, `if t.inline && !MUTANT {`},
		{"all webhooks share their slots", limit, `s := l.webhooks[w]`, `if w.uid != "" && MUTANT { w.uid = "all" }
	s := l.webhooks[w]`},
		{"phases share their slots", "dispatcher/call.go", `webhookKey{phase: c.pass.phase, uid`, `webhookKey{phase: PICK(0, c.pass.phase), uid`},
		{"any number of slots", limit, `make(chan struct{}, l.slots)`, `make(chan struct{}, PICK(1000, l.slots))`},
		{"slot in the last moment", limit, `if ctx.Err() != nil {`, `if ctx.Err() != nil && !MUTANT {`},
		{"large patches are decoded inline", apply, `len(raw) < inlinePatchLimit,`, `len(raw) < inlinePatchLimit || MUTANT,`},
		{"all patches are applied inline", apply, `inline: patch.Quick(operations, document),`, `inline: patch.Quick(operations, document) || MUTANT,`},
		{"all responses are decoded inline", "dispatcher/exchange.go", `if review.Quick(intake.data) {`, `if review.Quick(intake.data) || MUTANT {`},
	}
}

// concurrency are faults in what calls and requests share.
func concurrency() []fault {
	const validate, pass, versions = "dispatcher/validate.go", "dispatcher/pass.go", "dispatcher/versions.go"
	return []fault{
		{"validating webhooks one after the other", validate, `group.Go(func() {`, `PICK(func(f func()) { f() }, group.Go)(func() {`},
		{"slow validating webhooks are not waited for", validate, `group.Wait()`, `if !MUTANT { group.Wait() }`},
		{"first to answer is always heard", validate, `if p.d.config.Exact {`, `if p.d.config.Exact || MUTANT {`},
		{"first to answer is never heard", validate, `c.arrival, done = arrivals.Add(1), true`, `c.arrival, done = PICK(0, arrivals.Add(1)), true`},
		{"last to object is heard", validate, `err != nil && first == nil {`, `err != nil && (first == nil || MUTANT) {`},
		{"records end with the first objection", validate, `first = err
`, `first = err
			if MUTANT { break }
`},
		{"calls that end their goroutine leave a hole", validate, `if !done {`, `if !done && !MUTANT {`},
		{"positions in place of indices", validate, `object, len(calls))`, `object, PICK(i, len(calls)))`},
		{"requests share a pass", pass, `if !p.unseen {`, `if !p.unseen && !MUTANT {`},
		{"candidates of the pass before", pass, `p.room[:0])`, `p.room[:PICK(1, 0)])`},
		{"round of the pass before", pass, `admissionv1.Operation(a.GetOperation()), 0
`, `admissionv1.Operation(a.GetOperation()), PICK(p.round, 0)
`},
		{"object of a version is converted for every webhook", versions, `if v, ok := p.kept[kind]; ok {`, `if v, ok := p.kept[kind]; ok && !MUTANT {`},
		{"object is as it was when it was patched", versions, `s.current.UpdateObject(by.object)`, `if !MUTANT { s.current.UpdateObject(by.object) }`},
		{"Exact undoes", versions, `if s.pass.d.config.Exact || s.original`, `if s.pass.d.config.Exact && !MUTANT || s.original`},
	}
}

// panics are faults in how far a panic gets.
func panics() []fault {
	const (
		dispatcher, pass = "dispatcher/dispatcher.go", "dispatcher/pass.go"
		record, settle   = "dispatcher/record.go", "dispatcher/settle.go"
	)
	return []fault{
		{"panics of requests", dispatcher, `err := guard.Call(phase)`, `if MUTANT { return phase() }
	err := guard.Call(phase)`},
		{"panics of requests are consent", dispatcher, `return apierrors.NewInternalError(panicked)`, `if MUTANT { return nil }
		return apierrors.NewInternalError(panicked)`},
		{"sources without an answer are empty", dispatcher, `if snapshot == nil && err == nil {`, `if snapshot == nil && err == nil && !MUTANT {`},
		{"panics of recorders", record, `_ = guard.Do(func() { metrics.RecordCall(ctx, c) })`, `if MUTANT { metrics.RecordCall(ctx, c) } else { _ = guard.Do(func() { metrics.RecordCall(ctx, c) }) }`},
		{"mapper that panics finds no webhooks", pass, "if err != nil {\n\t\t// The host's mapper", "if err != nil && !MUTANT {\n\t\t// The host's mapper"},
		{"panics while matching are no match", pass, `m.Err = apierrors.NewInternalError(fmt.Errorf(`, `if MUTANT { return m }
		m.Err = apierrors.NewInternalError(fmt.Errorf(`},
		{"panics of calls are consent", "dispatcher/call.go", `c.panicked(err)`, `if MUTANT { c.record.Outcome = admission.Allowed } else { c.panicked(err) }`},
		{"panics of patches are failed calls", settle, `case c.patching:`, `case c.patching && !MUTANT:`},
		{"panics while validating are failed calls", settle, `case c.pass.phase == admission.Validating:`, `case c.pass.phase == admission.Validating && !MUTANT:`},
		{"panics of a client are errors", settle, `if errors.As(reason, &panicked) {`, `if errors.As(reason, &panicked) && !MUTANT {`},
		{"requests without a user", pass, `p.attributes.GetUserInfo() == nil {`, `p.attributes.GetUserInfo() == nil && !MUTANT {`},
	}
}

// guards are faults in how code that is not gatehouse's is called.
func guards() []fault {
	const guard = "internal/engine/guard/guard.go"
	return []fault{
		{"calls wait for abandoned tasks", guard, "case <-ctx.Done():\n\t\tvar none T", "case <-PICK(nil, ctx.Done()):\n\t\tvar none T"},
		{"tasks that end their goroutine succeed", guard, `outcome{err: ErrGoexit}`, `outcome{err: PICK(nil, ErrGoexit)}`},
		{"late results are dropped", guard, `if late != nil {`, `if late != nil && !MUTANT {`},
		{"panics of hosts", guard, `func Call(f func() error) (err error) {`, `func Call(f func() error) (err error) {
	if MUTANT { return f() }`},
		{"panics of hosts are no errors", guard, `err = admission.Contained(r)`, `err = PICK(nil, error(admission.Contained(r)))`},
		{"panics of detached tasks", guard, `o.err = Call(func() (err error) {`, `o.err = PICK(func(f func() error) error { return f() }, Call)(func() (err error) {`},
		{"errors of detached tasks are results", guard, "\t\t\treturn err\n", "\t\t\treturn PICK(nil, err)\n"},
	}
}

// vocabulary are faults in package admission.
func vocabulary() []fault {
	return []fault{
		{"stack of the wrong goroutine", "admission/errors.go", `if passed, ok := recovered.(*PanicError); ok {`, `if passed, ok := recovered.(*PanicError); ok && !MUTANT {`},
	}
}
