package explain

import (
	"bytes"
	"strconv"
)

// exponentLimit bounds the exponents of numbers that are normalized; numbers beyond it
// are compared by their literals.
const exponentLimit = 1 << 40

// canonical returns the normal form of a number: its digits without leading and trailing
// zeros, and an exponent. It does no arithmetic, so numbers may be of any size: 1.50
// becomes 15e-1, and 1000 becomes 1e3.
func canonical(literal []byte) []byte {
	digits, negative := bytes.CutPrefix(literal, []byte("-"))
	exponent := 0
	if i := bytes.IndexAny(digits, "eE"); i >= 0 {
		n, err := strconv.Atoi(string(digits[i+1:]))
		if err != nil || n > exponentLimit || n < -exponentLimit {
			return literal
		}
		digits, exponent = digits[:i], n
	}
	if whole, fraction, ok := bytes.Cut(digits, []byte(".")); ok {
		digits, exponent = bytes.Join([][]byte{whole, fraction}, nil), exponent-len(fraction)
	}
	digits = bytes.TrimLeft(digits, "0")
	zeros := len(digits) - len(bytes.TrimRight(digits, "0"))
	digits, exponent = digits[:len(digits)-zeros], exponent+zeros
	switch {
	case len(digits) == 0:
		return []byte("0")
	case exponent == 0 && !negative:
		return digits
	}
	var form []byte
	if negative {
		form = append(form, '-')
	}
	form = append(form, digits...)
	return strconv.AppendInt(append(form, 'e'), int64(exponent), 10)
}
