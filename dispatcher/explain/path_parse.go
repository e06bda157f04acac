package explain

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParsePath parses a path in any of these forms:
//
//	spec.containers[0].image
//	.spec.containers[0].image              with a leading dot
//	{.spec.containers[0].image}            as for kubectl's jsonpath
//	metadata.annotations['example.com/x']  or with double quotes
//	metadata.annotations.example\.com/x
//	/spec/containers/0/image               a JSON pointer
//	spec.containers[name=web].image        an item by its keys
//	.spec.ports[port=80,protocol="TCP"]    as managed fields and conflicts have it
//	.metadata.finalizers[="a"]             an item by its value
//
// A * as a name, an index or a token of a pointer is a wildcard; the key * is
// written ['*']. The empty string and a single dot are the root. The error
// quotes the rest of the text from the first invalid step on.
func ParsePath(text string) (Path, error) {
	parse := parsePlain
	if strings.HasPrefix(text, "/") {
		parse = parsePointer
	}
	steps, err := parse(text)
	if err != nil {
		return Path{}, fmt.Errorf("parsing the path %q: %w", text, err)
	}
	return Path{steps}, nil
}

func parsePointer(text string) ([]pathStep, error) {
	var steps []pathStep
	for token := range strings.SplitSeq(text[1:], "/") {
		for _, escape := range strings.Split(token, "~")[1:] {
			if escape == "" || escape[0] != '0' && escape[0] != '1' {
				return nil, fmt.Errorf("in a JSON pointer, ~ is written ~0: %q", token)
			}
		}
		steps = append(steps, pointerStep(token))
	}
	return steps, nil
}

func pointerStep(token string) pathStep {
	if token == "*" {
		return pathStep{kind: stepAny}
	}
	token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	if i, err := strconv.Atoi(token); err == nil && strconv.Itoa(i) == token && i >= 0 {
		return pathStep{kind: stepEither, text: token}
	}
	return keyStep(token)
}

func parsePlain(text string) ([]pathStep, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	if text == "." {
		return nil, nil
	}
	var steps []pathStep
	for rest := text; rest != ""; {
		s, tail, err := nextStep(rest, len(steps) == 0)
		if err != nil {
			return nil, fmt.Errorf("at %q: %w", rest, err)
		}
		steps, rest = append(steps, s), tail
	}
	return steps, nil
}

// nextStep parses one step and returns the rest of the text. Only the first
// name may lack a dot.
func nextStep(text string, first bool) (pathStep, string, error) {
	text, dotted := strings.CutPrefix(text, ".")
	if strings.HasPrefix(text, "[") {
		return bracketStep(text[1:])
	}
	if !dotted && !first {
		return pathStep{}, "", errors.New("a dot or a bracket is missing")
	}
	return nameStep(text)
}

// nameStep parses a name without quotes. A backslash escapes the next
// character.
func nameStep(text string) (pathStep, string, error) {
	var name []byte
	i, escaped := 0, false
	for ; i < len(text) && text[i] != '.' && text[i] != '['; i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
			escaped = true
		} else if r, _ := utf8.DecodeRuneInString(text[i:]); strings.ContainsRune("\\]{}'\"", r) || unicode.IsSpace(r) {
			return pathStep{}, "", fmt.Errorf("%q needs quotes, as in ['…']", r)
		}
		name = append(name, text[i])
	}
	switch {
	case len(name) == 0:
		return pathStep{}, "", errors.New("a name is missing")
	case string(name) == "*" && !escaped:
		return pathStep{kind: stepAny}, text[i:], nil
	}
	return keyStep(string(name)), text[i:], nil
}

// bracketStep parses the text after an opening bracket.
func bracketStep(text string) (pathStep, string, error) {
	if text != "" && (text[0] == '\'' || text[0] == '"') {
		return quotedStep(text[1:], text[0])
	}
	if end := strings.IndexAny(text, "=]"); end >= 0 && text[end] == '=' {
		return itemStep(text)
	}
	inner, rest, closed := strings.Cut(text, "]")
	if !closed {
		return pathStep{}, "", errors.New("the bracket is not closed")
	}
	if inner == "*" {
		return pathStep{kind: stepAny}, rest, nil
	}
	i, err := strconv.ParseUint(inner, 10, strconv.IntSize-1)
	if err != nil {
		return pathStep{}, "", fmt.Errorf("%q is not an index; a key needs quotes, as in ['…']", inner)
	}
	return indexStep(int(i)), rest, nil
}

// itemStep parses the keys of an item, after an opening bracket.
func itemStep(text string) (pathStep, string, error) {
	step := pathStep{kind: stepItem}
	for {
		key, rest, err := parseItemKey(text)
		if err != nil {
			return pathStep{}, "", err
		}
		step.keys = append(step.keys, key)
		switch {
		case strings.HasPrefix(rest, ","):
			text = rest[1:]
		case strings.HasPrefix(rest, "]"):
			return step, rest[1:], nil
		default:
			return pathStep{}, "", errors.New("the bracket is not closed")
		}
	}
}

// parseItemKey parses KEY=VALUE and returns the rest of the text.
func parseItemKey(text string) (key itemKey, rest string, err error) {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name != "" && !plainKey.MatchString(name) {
		return key, "", fmt.Errorf("%.20q is not KEY=VALUE, as in [name=web]", text)
	}
	key.name = name
	if value != "" && (value[0] == '\'' || value[0] == '"') {
		key.value, rest, err = unquote(value[1:], value[0])
		return key, rest, err
	}
	end := strings.IndexAny(value, ",]")
	if end <= 0 {
		return key, "", fmt.Errorf("the value of %q is missing or not closed", name)
	}
	key.value = value[:end]
	return key, value[end:], nil
}

// quotedStep parses the text after an opening quote, with the closing quote and
// bracket.
func quotedStep(text string, quote byte) (pathStep, string, error) {
	key, rest, err := unquote(text, quote)
	if err != nil {
		return pathStep{}, "", err
	}
	rest, closed := strings.CutPrefix(rest, "]")
	if !closed {
		return pathStep{}, "", errors.New("the quote or the bracket is not closed")
	}
	return keyStep(key), rest, nil
}

// unquote parses the text after an opening quote, with the closing quote.
func unquote(text string, quote byte) (unquoted, rest string, err error) {
	var key []byte
	for text != "" && text[0] != quote {
		r, multibyte, rest, err := strconv.UnquoteChar(text, quote)
		if err != nil {
			return "", "", fmt.Errorf("%.10q cannot be in quotes: %w", text, err)
		}
		if text = rest; multibyte {
			key = utf8.AppendRune(key, r)
		} else {
			key = append(key, byte(r))
		}
	}
	if text == "" {
		return "", "", errors.New("the quote or the bracket is not closed")
	}
	return string(key), text[1:], nil
}
