package wide

import (
	"fmt"
	"strconv"

	"example.com/gatehouse/admission"
)

// act is what a webhook does with a request.
type act uint8

const (
	// agree admits the request.
	agree act = iota
	// alter admits the request and adds a label.
	alter
	// refuse denies it.
	refuse
	// fault answers with nothing of use; see failing.
	fault
)

// plan defines what each webhook does. It has no state: the number of a request
// determines everything.
type plan struct {
	// each is how many webhooks there are in a phase.
	each int
}

// ten is how many webhooks a pattern has; a larger number repeats it.
const ten = 10

// act is what the webhook at an index of a phase does with a request. The
// numbers are chosen so that what is rare happens together, too: that two
// webhooks deny one request, or that one fails and another denies.
func (p plan) act(phase admission.Phase, index, number int) act {
	digit := index % ten
	if phase == admission.Validating {
		switch {
		case unreliable(phase, index) && number%3 == 1:
			return fault
		case digit == 2 && number%5 == 4, digit == 8 && (number%10 == 4 || number%15 == 7):
			return refuse
		}
		return agree
	}
	switch {
	case unreliable(phase, index) && number%3 == 0:
		return fault
	case digit == 8 && number%20 == 9:
		return refuse
	case (number+index)%4 == 0:
		return agree
	}
	return alter
}

// unreliable reports whether a webhook fails for some requests and has the
// policy Ignore.
func unreliable(phase admission.Phase, index int) bool {
	return index%ten == map[admission.Phase]int{admission.Mutating: 3, admission.Validating: 6}[phase]
}

// name is that of a webhook.
func name(phase admission.Phase, index int) string {
	return fmt.Sprintf("%v-%d.wide.example.com", phase, index)
}

// label is what a webhook adds to an object.
func label(index, number int) (key, value string) {
	return "altered-" + strconv.Itoa(index), strconv.Itoa(number)
}

// refusal is the message of a webhook that denies.
func refusal(index, number int) string {
	return fmt.Sprintf("webhook %d does not want object %d", index, number)
}

// labelsBefore returns the labels that mutating webhooks have added before the
// one at the index is called; beyond the last, all labels.
func (p plan) labelsBefore(index, number int) map[string]string {
	labels := map[string]string{}
	for i := range min(index, p.each) {
		if p.act(admission.Mutating, i, number) == alter {
			key, value := label(i, number)
			labels[key] = value
		}
	}
	return labels
}
