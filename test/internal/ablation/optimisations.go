package main

import "example.com/gatehouse/test/internal/mutant"

// optimisation is code that only makes the engine faster.
type optimisation struct {
	name string
	// code is what could be deleted, as FILE or as FILE:FUNCTION.
	code []string
	// rows is a regular expression of the rows of the benchmark that it is for.
	rows string
	// without does without it: files, their texts and the replacements, for
	// package mutant.
	without []edit
}

// edit is a file, a text that occurs in it once, and its replacement.
type edit [3]string

// mutants returns the switches of all optimisations.
func mutants(all []optimisation) []mutant.Mutant {
	var list []mutant.Mutant
	for _, o := range all {
		for _, e := range o.without {
			list = append(list, mutant.Mutant{Name: o.name, File: e[0], Old: e[1], New: e[2]})
		}
	}
	return list
}

func optimisations() []optimisation {
	var all []optimisation
	for _, of := range [][]optimisation{matchingOnes(), callOnes(), responseOnes(), patchOnes(), networkOnes()} {
		all = append(all, of...)
	}
	return all
}

func matchingOnes() []optimisation {
	const (
		run        = "dispatcher/phase_run.go"
		conditions = "matching/conditions.go"
		activation = "matching/activation.go"
	)
	return []optimisation{
		{"index of webhooks by rules", []string{"matching/index.go", "matching/keys.go"}, "B1", []edit{
			{run, `if r.observer != nil {
		return everyPosition`, `if MUTANT || r.observer != nil {
		return everyPosition`}}},
		{"memo of conditions", nil, "B3", []edit{
			{conditions, `e.conditionsKey == w.conditionsKey &&`, `!MUTANT && e.conditionsKey == w.conditionsKey &&`}}},
		{"conditions without cost counting", []string{"internal/cel/bounded.go", "matching/size.go"}, "B3|B10", []edit{
			{activation, `if limit > 0 && p.Bounded != nil`, `if !MUTANT && limit > 0 && p.Bounded != nil`}}},
	}
}

func callOnes() []optimisation {
	const (
		builder, body = "internal/engine/review/builder.go", "internal/engine/review/body.go"
		validate      = "dispatcher/validate.go"
	)
	return []optimisation{
		{"one encoding of the object for all reviews", nil, "B2|B6", []edit{
			{builder, `return sync.OnceValues(func() (encoded []byte, err error) {`,
				`once := sync.OnceValues[[]byte, error]
	if MUTANT { once = func(f func() ([]byte, error)) func() ([]byte, error) { return f } }
	return once(func() (encoded []byte, err error) {`}}},
		{"reviews in pieces", []string{body}, "B2|B6", []edit{
			{body, `func (b *Body) Open() io.ReadCloser { return &bodyReader{body: b} }`,
				`func (b *Body) Open() io.ReadCloser {
	if MUTANT { return io.NopCloser(bytes.NewReader(b.Bytes())) }
	return &bodyReader{body: b}
}`},
			{body, `import "io"`, `import ("bytes"; "io")`},
			{body, `func (b *Body) piece(n int) (text string, bytes []byte) {`, `func (b *Body) piece(n int) (text string, data []byte) {`}}},
		{"last call on the request's goroutine", nil, "B2/1", []edit{
			{validate, "do(last)\n\tgroup", `if MUTANT { group.Go(func() { do(last) }); group.Wait(); return calls }
	do(last)
	group`}}},
		{"growing of stacks", []string{validate + ":growStack", validate + ":touch"}, "B2", []edit{
			{validate, `			growStack()`, `			if !MUTANT { growStack() }`}}},
	}
}

func responseOnes() []optimisation {
	const (
		decode = "internal/engine/review/decode.go"
		inline = "internal/engine/review/inline.go"
	)
	return []optimisation{
		{"scanner of responses", []string{"internal/engine/review/scan.go", "internal/engine/review/scanner.go"}, "B2|B4", []edit{
			{decode, `= scan(body); ok {`, `= scan(body); ok && !MUTANT {`}}},
		{"short responses on the call's goroutine", []string{inline + ":Quick"}, "B2|B4", []edit{
			{inline, `return len(body) < maxInlineText ||`, `return !MUTANT && (len(body) < maxInlineText ||`},
			{inline, `len(body) < maxInlineJSON && isJSON(body)`, `len(body) < maxInlineJSON && isJSON(body))`}}},
	}
}

func patchOnes() []optimisation {
	const apply, object, inline = "dispatcher/apply.go", "internal/engine/patch/object.go", "internal/engine/patch/inline.go"
	return []optimisation{
		{"spliced patches", []string{"internal/engine/patch/splice.go", "internal/engine/patch/walk.go", "internal/engine/patch/pointer.go"}, "B4|B5", []edit{
			{apply, `	if !spliced {`, `	if MUTANT || !spliced {`}}},
		{"kind from the text", []string{object + ":Interpret", object + ":kindOf", object + ":take"}, "B4|B5", []edit{
			{object, `kind, ok := kindOf(document); ok {`, `kind, ok := kindOf(document); ok && !MUTANT {`}}},
		{"custom resources decoded once", []string{object + ":decodeCustom"}, "B4/unstructured|B4/custom/large", []edit{
			{object, `if custom && decodeCustom`, `if !MUTANT && custom && decodeCustom`}}},
		{"small patches on the call's goroutine", []string{inline}, "B4|B5", []edit{
			{apply, `inline: len(raw) < inlinePatchLimit`, `inline: !MUTANT && len(raw) < inlinePatchLimit`},
			{apply, `inline: patch.Quick(operations, document)`, `inline: !MUTANT && patch.Quick(operations, document)`}}},
	}
}

func networkOnes() []optimisation {
	const write = "dispatcher/client/singlewrite.go"
	return []optimisation{
		{"single write", []string{write}, "B7/fan/1|B7/fan/64|B7/100", []edit{
			{write, `if r.Body == nil ||`, `if MUTANT || r.Body == nil ||`}}},
	}
}
