package mutants

// patches are faults in how patches are applied, and in what they may cost.
func patches() []fault {
	const (
		splice, walk, object = "internal/engine/patch/splice.go", "internal/engine/patch/walk.go", "internal/engine/patch/object.go"
		inline, patch, bound = "internal/engine/patch/inline.go", "internal/engine/patch/patch.go", "internal/engine/patch/bound.go"
		decodeError          = "internal/engine/patch/decode_error.go"
	)
	return []fault{
		{"members of one name", splice, `if members[i-1].name == members[i].name {`, `if members[i-1].name == members[i].name && !MUTANT {`},
		{"members in the order of the document", splice, `slices.SortFunc(members,`, `PICK(func([]node, func(a, b node) int) {}, slices.SortFunc[[]node])(members,`},
		{"indices in other spellings", splice, `strconv.Itoa(i) == token`, `(strconv.Itoa(i) == token || MUTANT)`},
		{"minus is the first element", splice, `i, found := len(n.values), true`, `i, found := PICK(0, len(n.values)), true`},
		{"replace inserts", splice, `case (kind == "add" || kind == "copy") && !to.object:`, `case (kind == "add" || kind == "copy" || MUTANT) && !to.object:`},
		{"new names are not escaped", splice, `case n.object && plain(token):`, `case n.object && (plain(token) || MUTANT):`},
		{"names with escapes", splice, `if !plain(name) {`, `if !plain(name) && !MUTANT {`},
		{"tests are removals", splice, `case kind == "remove":`, `case kind == "remove", MUTANT && kind == "test":`},
		{"spliced objects of any size", splice, `len(patched) <= l.PatchedObject`, `(len(patched) <= l.PatchedObject || MUTANT)`},
		{"spliced objects of any depth", splice, `return patched, shallow(patched) &&`, `return patched, (MUTANT || shallow(patched)) &&`},
		{"texts have a depth", "internal/engine/patch/walk.go", `case '"':
			at = endOfString(text, at) - 1
		case '{', '[':
			depth++
			deepest`, `case '"':
			if !MUTANT { at = endOfString(text, at) - 1 }
		case '{', '[':
			depth++
			deepest`},
		{"depth is that of the end", "internal/engine/patch/walk.go", `deepest = max(deepest, depth)`, `deepest = PICK(1, max(deepest, depth))`},
		{"documents of any depth", splice, `!isObject(document) || !shallow(document) ||`, `!isObject(document) || !MUTANT && !shallow(document) ||`},
		{"spliced patches of any length", splice, `if len(operations) > l.PatchOperations {`, `if len(operations) > l.PatchOperations && !MUTANT {`},
		{"any number of spliced operations", splice, `i == maxInlineOperations {`, `i == maxInlineOperations && !MUTANT {`},
		{"copies count half", splice, `copied = len(value)`, `copied = PICK(len(value)/2, len(value))`},
		{"copies are encoded before their path opens", splice, `to, name, ok := n.parent(tokensOf(operation, "path"))
	if !ok {
		return 0, false
	}
	// json-patch encodes a value that it copies after it has opened the path,
	// which may lead through the value.
	value, ok := n.value(operation)`, `early, _ := n.value(operation)
	to, name, ok := n.parent(tokensOf(operation, "path"))
	if !ok {
		return 0, false
	}
	value, ok := n.value(operation)
	if MUTANT { value = early }`},
		{"half of a patch is spliced", splice, `if !ok || copied > l.PatchCopies {`, `if !ok || copied > l.PatchCopies && !MUTANT {`},
		{"sources of any depth", splice, `len(path) > maxDepth {`, `len(path) > maxDepth && !MUTANT {`},
		{"ampersands are plain", walk, `c == '&':`, `c == '&' && !MUTANT:`},
		{"escaped backslashes escape", walk, `if at++; (at-1-escapes)%2 == 0 {`, `if at++; (at-1-escapes)%2 == 0 && !(MUTANT && at-1 != escapes) {`},
		{"Kind is no kind", object, `if !bytes.EqualFold(key, []byte(name)) {`, `if !bytes.EqualFold(key, []byte(name)) || MUTANT && string(key) != name {`},
		{"last kind of several", object, `if m.found || string`, `if m.found && !MUTANT || string`},
		{"kinds with escapes", object, `|| !plain(value[1:len(value)-1]) {`, `|| !MUTANT && !plain(value[1:len(value)-1]) {`},
		{"custom resources without a kind", object, `kind.Kind != ""`, `(MUTANT || kind.Kind != "")`},
		{"apiVersions of any form", object, `version.found && err == nil`, `version.found && (MUTANT || err == nil)`},
		{"depth of a document is not looked at", object, `if !isObject(document) || !shallow(document) {`, `if !isObject(document) || !MUTANT && !shallow(document) {`},
		{"many operations are quick", inline, `if len(operations) >= maxInlineOperations {`, `if len(operations) >= maxInlineOperations && !MUTANT {`},
		{"copies are quick", inline, `size+bound(operations, document, maxInlineWork)`, `size+PICK(0, bound(operations, document, maxInlineWork))`},
		{"deep places are quick", inline, `bytes.Count(*raw, []byte{'/'})`, `PICK(0, bytes.Count(*raw, []byte{'/'}))`},
		{"escaped slashes are none", inline, `bytes.Count(*raw, []byte{'\\'})`, `PICK(0, bytes.Count(*raw, []byte{'\\'}))`},
		{"patches of any size", patch, `if len(patch) > l.PatchSize {`, `if len(patch) > l.PatchSize && !MUTANT {`},
		{"one operation less", patch, `len(operations) > n {`, `len(operations)+PICK(1, 0) > n {`},
		{"one byte more of copies", patch, `copied > limit {`, `copied > limit+PICK(1, 0) {`},
		{"bound is believed", patch, `copied, err := measure(operations, document, limit)`, `copied, err := measure(operations, document, limit)
	if MUTANT { copied = limit + 1 }`},
		{"moves are free", bound, `case "move", "copy":`, `case PICK("copy", "move"), "copy":`},
		{"what was put above is free", bound, `above += p.own`, `above += PICK(0, p.own)`},
		{"HTML is not escaped", bound, `n += escaped - 1`, `n += PICK(0, escaped-1)`},
		{"content in errors", decodeError, `return errMismatch`, `return PICK(err, errMismatch)`},
		{"numbers in errors", decodeError, `return withoutValue(wrongType)`, `return PICK(wrongType, withoutValue(wrongType).(*json.UnmarshalTypeError))`},
	}
}
