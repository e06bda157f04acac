package draft

import (
	"fmt"

	"example.com/gatehouse/internal/suite/suitefile"
)

// head is what every draft begins with.
const head = `# TODO: read this. It was written by gatehouse test --init, which knows what happens, but
# not what is meant to happen. Correct and shorten what is expected, and drop these lines.
`

// Text returns the suite in YAML.
func (d *Draft) Text() ([]byte, error) {
	text, err := suitefile.Marshal(&d.Test)
	if err != nil {
		return nil, fmt.Errorf("writing the suite: %w", err)
	}
	return append([]byte(head), text...), nil
}
