package lint

// Level says how bad a finding is.
type Level string

const (
	// Error: the cluster fails, or the webhook does not work.
	Error Level = "error"
	// Warning: a rule of good practice is broken.
	Warning Level = "warning"
	// Info: the author should know.
	Info Level = "info"
)

// AtLeast reports whether a level is as bad as another one, or worse.
func (l Level) AtLeast(other Level) bool { return l.rank() >= other.rank() }

func (l Level) rank() int { return map[Level]int{Error: 2, Warning: 1, Info: 0}[l] }

// Rule finds one sort of mistake.
type Rule struct {
	// ID is unique and stable, such as "blocks-own-pods".
	ID    string
	Level Level
	// Title is what is wrong, Why what follows from it, and Fix the remedy. They are
	// sentences.
	Title, Why, Fix string
	// Sources are where the rule comes from: pages and issues.
	Sources []string
	// Needs are the kinds of objects without which the rule is skipped, such as
	// "Service". It is enough that one of them is among the inputs.
	Needs []string
	// NamesCause says that other findings with the same cause follow from those of the rule.
	NamesCause bool
	// Check reports the findings.
	Check func(c *Cluster, report func(Finding))
}
