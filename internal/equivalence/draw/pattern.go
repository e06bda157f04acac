package draw

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// samples returns words that match a regular expression, at most four; none if it is too
// hard or not one.
func samples(pattern string) []string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	matches, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	var all []string
	for choice := range 4 {
		word := sample(parsed.Simplify(), choice)
		if len(word) < 1000 && matches.MatchString(word) {
			all = append(all, word)
		}
	}
	return all
}

// sample returns a word of an expression. choice selects one of the alternatives, and
// whether what is optional is there.
func sample(e *syntax.Regexp, choice int) string {
	switch e.Op {
	case syntax.OpLiteral:
		return string(e.Rune)
	case syntax.OpCharClass:
		return string(member(e.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture, syntax.OpPlus:
		return sample(e.Sub[0], choice)
	case syntax.OpStar, syntax.OpQuest:
		if choice%2 == 0 {
			return ""
		}
		return sample(e.Sub[0], choice)
	case syntax.OpConcat:
		var word strings.Builder
		for _, sub := range e.Sub {
			word.WriteString(sample(sub, choice))
		}
		return word.String()
	case syntax.OpAlternate:
		return sample(e.Sub[choice%len(e.Sub)], choice)
	}
	return "" // assertions
}

// member returns a member of a class, a letter or a digit if there is one.
func member(class []rune) rune {
	for _, wanted := range "a0A-" {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= wanted && wanted <= class[i+1] {
				return wanted
			}
		}
	}
	if len(class) == 0 {
		return 'a'
	}
	return class[0]
}
