package loops

import (
	"cmp"
	"slices"
	"time"

	"example.com/gatehouse/internal/auditlog"
	"example.com/gatehouse/internal/auditlog/recent"
)

// Config bounds what is a loop, and the memory.
type Config struct {
	// Least is the number of repetitions that make a loop. The default is 3.
	Least int
	// Gap is the longest time between two repetitions. The default is an hour.
	Gap time.Duration
	// Objects is the number of objects that are kept. The default is 20,000.
	Objects int
}

// The defaults of a Config, and further bounds.
const (
	DefaultLeast   = 3
	DefaultGap     = time.Hour
	defaultObjects = 20000
	maxClaims      = 32
	maxLoops       = 1000
	maxPaths       = 10
	maxUndoers     = 4
)

// Kind is the kind of a loop.
type Kind string

// The kinds of loops; see the package comment.
const (
	Undone   Kind = "undone"
	Repeated Kind = "repeated"
	Doubled  Kind = "doubled"
)

// Loop is a webhook whose change does not last, for all objects of a resource where the same
// component undoes it.
type Loop struct {
	Kind Kind `json:"kind"`
	// Webhook is CONFIGURATION/NAME.
	Webhook string `json:"webhook"`
	// Undoers are the parties that undid the change, sorted by Times; empty unless Kind is
	// Undone.
	Undoers  []Party  `json:"undoers,omitempty"`
	Resource string   `json:"resource"`
	Paths    []string `json:"paths,omitempty"`
	// Objects is the number of objects, and Namespace and Name identify the first one.
	Objects   int    `json:"objects"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	// Times is the number of repetitions, from First to Last.
	Times   int     `json:"times"`
	PerHour float64 `json:"perHour"`
	First   Moment  `json:"first"`
	Last    Moment  `json:"last"`
	// Request is an AdmissionRequest that repeats one round of the loop; nil if the log
	// does not have its bodies, they are large, or they are of a Secret.
	Request *Request `json:"request,omitempty"`
}

// Party is a user with a field manager, or a webhook.
type Party struct {
	User    string `json:"user,omitempty"`
	Manager string `json:"manager,omitempty"`
	Webhook string `json:"webhook,omitempty"`
	Times   int    `json:"times"`
}

// same reports whether both are the same party.
func (p Party) same(q Party) bool {
	return p.User == q.User && p.Manager == q.Manager && p.Webhook == q.Webhook
}

// Moment is a request of the log.
type Moment struct {
	AuditID string    `json:"auditID"`
	Time    time.Time `json:"time"`
}

// Finder finds loops.
type Finder struct {
	config  Config
	objects *recent.Map[objectKey, object]
	groups  map[groupKey]*Loop
	// fresh are the loops that Fresh has not returned yet.
	fresh []*Loop
}

type objectKey struct{ resource, namespace, name string }

// groupKey identifies a Loop. by is the first party that undid the change.
type groupKey struct {
	kind              Kind
	webhook, resource string
	by                Party
}

// New returns a Finder.
func New(c Config) *Finder {
	c.Least = cmp.Or(c.Least, DefaultLeast)
	c.Gap = cmp.Or(c.Gap, DefaultGap)
	c.Objects = cmp.Or(c.Objects, defaultObjects)
	return &Finder{config: c, objects: recent.New[objectKey, object](c.Objects),
		groups: map[groupKey]*Loop{}}
}

// Dropped returns how many objects were dropped to bound the memory.
func (f *Finder) Dropped() int { return f.objects.Dropped() }

// Add takes the next event.
func (f *Finder) Add(e *auditlog.Event) {
	if !e.Mutates() || e.Failed() || e.DryRun() {
		return
	}
	f.findDoubled(e)
	name := e.Name()
	if name == "" || e.Verb == "create" && e.Ref.Subresource != "" {
		return // such as a token or a binding, which is no object
	}
	ref := e.Ref
	if e.HasWholeObject() {
		ref.Subresource = ""
	}
	key := objectKey{(&auditlog.Event{Ref: ref}).Resource(), ref.Namespace, name}
	if e.Ref.Subresource == "" && e.Verb != "update" && e.Verb != "patch" {
		f.objects.Delete(key)
		if e.Verb != "create" {
			return
		}
	}
	o := f.objects.Get(key)
	if o == nil {
		if !patches(e) {
			return
		}
		o = f.objects.Add(key)
	}
	v := &visit{Finder: f, event: e, object: o, key: key, moment: Moment{e.AuditID, e.Time}}
	v.user()
	for i := range e.Calls {
		v.call(&e.Calls[i])
	}
}

// patches reports whether a webhook changed the object by a patch that the log has.
func patches(e *auditlog.Event) bool {
	return slices.ContainsFunc(e.Calls, func(c auditlog.Call) bool {
		return c.Changed && c.Patch != nil
	})
}

// findDoubled counts the webhooks that made the same patch in both rounds, without another
// webhook that undid the first.
func (f *Finder) findDoubled(e *auditlog.Event) {
	for i := range e.Calls {
		first, rest := &e.Calls[i], e.Calls[i+1:]
		j := slices.IndexFunc(rest, func(c auditlog.Call) bool { return name(&c) == name(first) })
		if j >= 0 && first.Changed && rest[j].Changed && first.Patch != nil &&
			string(first.Patch) == string(rest[j].Patch) && !overwritten(rest[:j], first) {
			f.addDoubled(e, &rest[j])
		}
	}
}

func (f *Finder) addDoubled(e *auditlog.Event, c *auditlog.Call) {
	v := &visit{Finder: f, event: e, moment: Moment{e.AuditID, e.Time}}
	v.key = objectKey{e.Resource(), e.Ref.Namespace, e.Name()}
	if l := v.group(Doubled, name(c), Party{}); l != nil {
		if l.Times == 0 {
			l.First = v.moment
			l.Paths = v.paths(operations(c.Patch))
		}
		l.Objects = 1
		l.add(v.moment, 1)
		if l.Times == f.config.Least {
			f.fresh = append(f.fresh, l)
		}
	}
}

// overwritten reports whether one of the calls in between writes a path of the patch.
func overwritten(between []auditlog.Call, first *auditlog.Call) bool {
	written := operations(first.Patch)
	for i := range between {
		for _, w := range operations(between[i].Patch) {
			if slices.ContainsFunc(written, w.overlaps) {
				return true
			}
		}
	}
	return false
}

// name returns the name of a webhook with its configuration.
func name(c *auditlog.Call) string { return c.Configuration + "/" + c.Webhook }

// Loops returns the loops, the most frequent first.
func (f *Finder) Loops() []Loop {
	all := []Loop{}
	for _, l := range f.groups {
		if l.Times >= f.config.Least {
			all = append(all, l.complete())
		}
	}
	slices.SortFunc(all, func(a, b Loop) int {
		return cmp.Or(b.Times-a.Times, cmp.Compare(a.Webhook, b.Webhook),
			cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Kind, b.Kind),
			a.First.Time.Compare(b.First.Time))
	})
	return all
}

// complete returns the loop with what is computed of the rest.
func (l *Loop) complete() Loop {
	found := *l
	found.Undoers = slices.Clone(l.Undoers)
	slices.SortStableFunc(found.Undoers, func(a, b Party) int { return b.Times - a.Times })
	if d := l.Last.Time.Sub(l.First.Time); d > 0 {
		found.PerHour = float64(l.Times) / d.Hours()
	}
	return found
}

// Fresh returns the loops that were found since the last call, each once.
func (f *Finder) Fresh() []Loop {
	var all []Loop
	for _, l := range f.fresh {
		all = append(all, l.complete())
	}
	f.fresh = nil
	return all
}
