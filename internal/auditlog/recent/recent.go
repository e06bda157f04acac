package recent

import (
	"container/list"
	"iter"
)

// Map is a map of a bounded number of values.
type Map[K comparable, V any] struct {
	most    int
	entries map[K]*list.Element
	order   list.List // the most recently used entry first
	dropped int
}

type entry[K comparable, V any] struct {
	key   K
	value *V
}

// New returns a map of at most a number of values.
func New[K comparable, V any](most int) *Map[K, V] {
	return &Map[K, V]{most: most, entries: map[K]*list.Element{}}
}

// Get returns the value of a key, and makes it the most recently used one; nil if there is
// none.
func (m *Map[K, V]) Get(key K) *V {
	element, ok := m.entries[key]
	if !ok {
		return nil
	}
	m.order.MoveToFront(element)
	return element.Value.(entry[K, V]).value
}

// Add returns a new value for a key that the map does not have. It may drop another value.
func (m *Map[K, V]) Add(key K) *V {
	value := new(V)
	m.entries[key] = m.order.PushFront(entry[K, V]{key, value})
	if len(m.entries) > m.most {
		m.Drop()
	}
	return value
}

// Drop drops the least recently used value, and returns it; nil if there is none.
func (m *Map[K, V]) Drop() *V {
	last := m.order.Back()
	if last == nil {
		return nil
	}
	m.dropped++
	m.remove(last)
	return last.Value.(entry[K, V]).value
}

// Delete deletes a key.
func (m *Map[K, V]) Delete(key K) {
	if element, ok := m.entries[key]; ok {
		m.remove(element)
	}
}

func (m *Map[K, V]) remove(element *list.Element) {
	delete(m.entries, element.Value.(entry[K, V]).key)
	m.order.Remove(element)
}

// Len returns the number of values.
func (m *Map[K, V]) Len() int { return len(m.entries) }

// Dropped returns how many values were dropped.
func (m *Map[K, V]) Dropped() int { return m.dropped }

// All visits the values.
func (m *Map[K, V]) All() iter.Seq2[K, *V] {
	return func(yield func(K, *V) bool) {
		for e := m.order.Front(); e != nil; e = e.Next() {
			if each := e.Value.(entry[K, V]); !yield(each.key, each.value) {
				return
			}
		}
	}
}
