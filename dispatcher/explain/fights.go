package explain

// findFights returns the fights at and below a node, in document order.
func findFights(n *historyNode, v *jsonValue) []Fight {
	f := fightFinder{}
	f.visit(n, v)
	return f.fights
}

// fightFinder collects fights.
type fightFinder struct {
	fights []Fight
	path   []pathStep
}

// visit does not descend below a fight: webhooks that add and remove a part in turns do
// so with everything in it.
func (f *fightFinder) visit(n *historyNode, v *jsonValue) {
	if isFight(n.events) {
		f.fights = append(f.fights, Fight{Path: Path{f.path}.String(), Writes: allWrites(n.events)})
		return
	}
	for _, q := range n.children(v, len(f.path) == 0) {
		f.path = append(f.path, q.step)
		f.visit(q.node, q.value)
		f.path = f.path[:len(f.path)-1]
	}
}

// isFight reports whether a webhook wrote again after another webhook had written. Every
// event is a change, so the second write replaced the other webhook's value. Defaulting
// and users between them do not count.
func isFight(events []event) bool {
	type name struct{ configuration, webhook string }
	seen := map[name]int{}
	turn, latest := 0, name{}
	for i := range events {
		if events[i].by.By != ByWebhook {
			continue
		}
		writer := name{events[i].by.Configuration, events[i].by.Webhook}
		if turn == 0 || writer != latest {
			turn++
			latest = writer
		}
		if before, ok := seen[writer]; ok && before != turn {
			return true
		}
		seen[writer] = turn
	}
	return false
}

func allWrites(events []event) []Write {
	all := make([]Write, len(events))
	for i := range events {
		all[i] = Write{Writer: *events[i].by, Value: events[i].value.encode()}
	}
	return all
}
