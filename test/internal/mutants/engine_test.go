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

// engine are faults of the engine apart from requests to webhooks and errors.
func engine() []fault {
	return slices.Concat(answers(), remarks(), deadlines(), leftovers(), concurrency())
}

// answers are faults in how much of an answer is taken, and given back.
func answers() []fault {
	const body, headers = "dispatcher/response_body.go", "dispatcher/headers.go"
	return []fault{
		{"last byte of an answer is refused", body, `if len(b.data) > b.limits.ResponseBody {`, `if len(b.data)+PICK(1, 0) > b.limits.ResponseBody {`},
		{"room that has grown is held twice", body, `b.limits.Budget.Release(before)`, `if !MUTANT { b.limits.Budget.Release(before) }`},
		{"room is not reserved while it is moved", body, `b.limits.Budget.Reserve(share)`, `b.limits.Budget.Reserve(PICK(max(share-b.reserved, 0), share))`},
		{"broken answers keep their share", body, `if !complete {`, `if !complete && !MUTANT {`},
		{"decoded answers keep their share", body, `defer b.release()
	failpoint`, `if !MUTANT { defer b.release() }
	failpoint`},
		{"dropped answers keep their share", "dispatcher/exchange.go", `discard: body.release,`, `discard: PICK(nil, body.release),`},
		{"short answers count", body, `max(size-freeAllowance, 0)`, `max(size-PICK(0, freeAllowance), 0)`},
		{"answers are believed to be complete", body, `if err != nil && err != io.EOF {`, `if err != nil && MUTANT { return nil }
		if err != nil && err != io.EOF {`},
		{"one interim response less", headers, `m.interim.Add(1) > int64(n) {`, `m.interim.Add(1)+PICK(int64(1), 0) > int64(n) {`},
		{"headers of interim responses are free", headers, `return m.count(http.Header(header))`, `if MUTANT { return nil }
	return m.count(http.Header(header))`},
		{"headers of answers are free", "dispatcher/exchange.go", `headers.count(response.Header); err != nil {`, `headers.count(response.Header); err != nil && !MUTANT {`},
		{"names of headers are free", headers, `size += len(name) + `, `size += PICK(0, len(name)) + `},
	}
}

// remarks are faults in how much a webhook can make others read.
func remarks() []fault {
	const remarks, rejection = "dispatcher/remarks.go", "dispatcher/rejection.go"
	return []fault{
		{"any annotations are kept", remarks, `key > keys[n-1] {`, `(key > keys[n-1]) != MUTANT {`},
		{"long annotations", remarks, `if len(value) > l.AuditAnnotationSize {`, `if len(value) > l.AuditAnnotationSize && !MUTANT {`},
		{"control characters in warnings", remarks, `if unicode.IsControl(r) {`, `if unicode.IsControl(r) && !MUTANT {`},
		{"long warnings", remarks, `n > length {`, `n > length && !MUTANT {`},
		{"dropped warnings are not counted", remarks, `= len(a.Warnings) - kept`, `= PICK(0, len(a.Warnings)-kept)`},
		{"long errors", remarks, `cut != text {`, `cut != text && !MUTANT {`},
		{"short errors are others", remarks, `func (e *truncatedError) Unwrap() error { return e.whole }`, `func (e *truncatedError) Unwrap() error { return PICK(nil, e.whole) }`},
		{"codes of four digits", rejection, `maxCode)`, `PICK(int32(9999), maxCode))`},
		{"any number of causes", rejection, `min(len(d.Causes), l.Causes)`, `PICK(len(d.Causes), min(len(d.Causes), l.Causes))`},
		{"long keys of refused annotations", "dispatcher/record.go", `key := limits.Cut(a.Key, r.d.config.Limits.Message)`, `key := PICK(a.Key, limits.Cut(a.Key, r.d.config.Limits.Message))`},
	}
}

// deadlines are faults in the end of a call, and in the timeout sent to the
// webhook.
func deadlines() []fault {
	const deadline, call = "dispatcher/deadline.go", "dispatcher/call.go"
	return []fault{
		{"timeout of the webhook is ignored", deadline, `if s == nil {`, `if s == nil || MUTANT {`},
		{"timeout of the client is ignored", deadline, `limit = min(limit, client+grace)`, `limit = min(limit, PICK(time.Hour, client+grace))`},
		{"client has no time to speak", deadline, `client+grace)`, `client+PICK(-grace, grace))`},
		{"timeout is rounded down", deadline, `return truncated + time.Second`, `return truncated + PICK(0, time.Second)`},
		{"timeout without a deadline is not announced", deadline, "if !ok {\n\t\treturn fallback", "if !ok {\n\t\treturn PICK(0, fallback)"},
		{"endpoint that came too late is an error of its own", call, `case errors.Is(err, ctx.Err()):`, `case errors.Is(err, ctx.Err()) && !MUTANT:`},
		{"a call that ends before its exchange is not tracked", call, `return &Endpoint{HTTP: &http.Client{}}`,
			`if MUTANT {
			c.exchangeFailed(ctx.Err())
			return nil
		}
		return &Endpoint{HTTP: &http.Client{}}`},
		{"time begins after the endpoint", call, `c.run.d.config.Client.Endpoint(ctx, c.webhook.Webhook)`,
			`c.run.d.config.Client.Endpoint(PICK(context.WithoutCancel(ctx), ctx), c.webhook.Webhook)`},
		{"expired calls are made", "dispatcher/exchange.go", `err := ctx.Err(); err != nil {`, `err := ctx.Err(); err != nil && !MUTANT {`},
		{"expired requests are validated", "dispatcher/validate.go", `if ctx.Err() != nil {`, `if ctx.Err() != nil && !MUTANT {`},
		{"patches for which there is no time are internal errors", "dispatcher/apply.go", "if errors.As(err, &late) {\n\t\tc.fail", "if errors.As(err, &late) && !MUTANT {\n\t\tc.fail"},
		{"closed gate waits", "dispatcher/dispatcher.go", `cancel() // the request`, `if !MUTANT { cancel() } // the request`},
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
		{"phases share their slots", "dispatcher/call.go", `webhookKey{phase: c.run.phase, uid`, `webhookKey{phase: PICK(0, c.run.phase), uid`},
		{"any number of slots", limit, `make(chan struct{}, l.slots)`, `make(chan struct{}, PICK(1000, l.slots))`},
		{"slot in the last moment", limit, `if ctx.Err() != nil {`, `if ctx.Err() != nil && !MUTANT {`},
		{"large patches are decoded inline", apply, `len(raw) < inlinePatchLimit,`, `len(raw) < inlinePatchLimit || MUTANT,`},
		{"all patches are applied inline", apply, `inline: patch.Quick(operations, document),`, `inline: patch.Quick(operations, document) || MUTANT,`},
		{"all responses are decoded inline", "dispatcher/exchange.go", `if review.Quick(body.data) {`, `if review.Quick(body.data) || MUTANT {`},
	}
}

// concurrency are faults in what calls and requests share.
func concurrency() []fault {
	const validate, run, versions = "dispatcher/validate.go", "dispatcher/phase_run.go", "dispatcher/versions.go"
	return []fault{
		{"validating webhooks one after the other", validate, `group.Go(func() {`, `PICK(func(f func()) { f() }, group.Go)(func() {`},
		{"slow validating webhooks are not waited for", validate, `group.Wait()`, `if !MUTANT { group.Wait() }`},
		{"first to answer is always heard", validate, `if r.d.config.Exact {`, `if r.d.config.Exact || MUTANT {`},
		{"first to answer is never heard", validate, `c.finishOrder, returned = finished.Add(1), true`, `c.finishOrder, returned = PICK(0, finished.Add(1)), true`},
		{"last to object is heard", validate, `err != nil && first == nil {`, `err != nil && (first == nil || MUTANT) {`},
		{"records end with the first objection", validate, `first = err
`, `first = err
			if MUTANT { break }
`},
		{"calls that end their goroutine leave a hole", validate, `if !returned {`, `if !returned && !MUTANT {`},
		{"positions in place of indices", validate, `object, len(calls))`, `object, PICK(i, len(calls)))`},
		{"object of a version is converted for every webhook", versions, `if objects, ok := v.kept[kind]; ok {`, `if objects, ok := v.kept[kind]; ok && !MUTANT {`},
		{"object is as it was when it was patched", versions, `v.current.UpdateObject(by.object)`, `if !MUTANT { v.current.UpdateObject(by.object) }`},
		{"Exact undoes", versions, `if v.run.d.config.Exact || v.original`, `if v.run.d.config.Exact && !MUTANT || v.original`},
	}
}

// panics are faults in how far a panic gets.
func panics() []fault {
	const (
		dispatcher, run = "dispatcher/dispatcher.go", "dispatcher/phase_run.go"
		record, outcome = "dispatcher/record.go", "dispatcher/outcome.go"
	)
	return []fault{
		{"panics of requests", dispatcher, `err := guard.Call(func() error {`, `guarded := guard.Call
	if MUTANT { guarded = func(f func() error) error { return f() } }
	err := guarded(func() error {`},
		{"panics of requests are consent", dispatcher, `return apierrors.NewInternalError(panicked)`, `if MUTANT { return nil }
		return apierrors.NewInternalError(panicked)`},
		{"sources without an answer are empty", dispatcher, `case snapshot == nil:`, `case snapshot == nil && !MUTANT:`},
		{"panics of recorders", record, `_ = guard.Do(func() { recorder.RecordCall(ctx, c) })`, `if MUTANT { recorder.RecordCall(ctx, c) } else { _ = guard.Do(func() { recorder.RecordCall(ctx, c) }) }`},
		{"mapper that panics finds no webhooks", run, "if err != nil {\n\t\t// The embedder's mapper", "if err != nil && !MUTANT {\n\t\t// The embedder's mapper"},
		{"panics while matching are no match", run, `m.Err = apierrors.NewInternalError(fmt.Errorf(`, `if MUTANT { return m }
		m.Err = apierrors.NewInternalError(fmt.Errorf(`},
		{"panics of calls are consent", "dispatcher/call.go", `defer guard.Recover(c.panicked)`, `defer guard.Recover(PICK(func(error) { c.record.Outcome = admission.Allowed }, c.panicked))`},
		{"panics of patches are failed calls", outcome, `case r.Step >= admission.StepDecodePatch:`, `case r.Step >= admission.StepDecodePatch && !MUTANT:`},
		{"panics while validating are failed calls", outcome, `case c.run.phase == admission.Validating:`, `case c.run.phase == admission.Validating && !MUTANT:`},
		{"panics of a client are errors", outcome, `if errors.As(reason, &panicked) {`, `if errors.As(reason, &panicked) && !MUTANT {`},
		{"requests without a user", run, `r.attributes.GetUserInfo() == nil {`, `r.attributes.GetUserInfo() == nil && !MUTANT {`},
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
		{"panics of hosts are no errors", guard, `if r := recover(); r != nil {`, `if r := recover(); r != nil && !MUTANT {`},
		{"panics have no stack", guard, `Stack: debug.Stack()`, `Stack: PICK(nil, debug.Stack())`},
		{"panics of detached tasks", guard, `o.err = Call(func() (err error) {`, `o.err = PICK(func(f func() error) error { return f() }, Call)(func() (err error) {`},
		{"errors of detached tasks are results", guard, "\t\t\treturn err\n", "\t\t\treturn PICK(nil, err)\n"},
	}
}
