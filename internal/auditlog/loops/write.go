package loops

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"strconv"
	"strings"

	"example.com/gatehouse/internal/auditlog/rawjson"
)

// write is a value that a patch gives a path.
type write struct {
	// path is a JSON pointer; of a list if item identifies an item that is inserted in it.
	path, item string
	// value is a hash of the value, or removed.
	value uint64
}

// removed is the value of a path that is removed.
const removed = 0

// overlaps reports whether two writes are of the same path, or one is of a part of the
// other.
func (w write) overlaps(o write) bool {
	if w.item != o.item {
		return false
	}
	return w.path == o.path || strings.HasPrefix(w.path, o.path+"/") ||
		strings.HasPrefix(o.path, w.path+"/")
}

// operations returns the writes of a JSON patch: one for each key that it gives a value.
// Operations that move or copy values are left out, because the value is not in the patch.
func operations(patch []byte) []write {
	var all []write
	rawjson.Items(patch, func(op []byte) bool {
		path := rawjson.Text(rawjson.Lookup(op, "path"))
		value := rawjson.Lookup(op, "value")
		switch rawjson.Text(rawjson.Lookup(op, "op")) {
		case "add":
			if list, ok := insertion(path); ok {
				all = append(all, write{path: list, item: itemOf(value), value: hashOf(value)})
				return true
			}
			all = appendLeaves(all, path, value)
		case "replace":
			all = appendLeaves(all, path, value)
		case "remove":
			all = append(all, write{path: path, value: removed})
		}
		return len(all) < maxLeaves
	})
	return all
}

// maxLeaves bounds the writes of a patch, and maxPath the depth of its values.
const (
	maxLeaves = 256
	maxPath   = 1 << 8
)

// insertion returns the path of the list if an operation that adds inserts an item. A number
// may be the key of a map, too, but hardly is.
func insertion(path string) (list string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", false
	}
	if last := path[i+1:]; last != "-" {
		if _, err := strconv.Atoi(last); err != nil {
			return "", false
		}
	}
	return path[:i], true
}

// appendLeaves appends the keys below a path that a value gives values. An empty map or list
// is no value: webhooks add one to add to it.
func appendLeaves(all []write, path string, value []byte) []write {
	switch {
	case len(value) == 0, len(all) >= maxLeaves, string(value) == "{}", string(value) == "[]":
		return all
	case value[0] != '{', len(path) > maxPath:
		return append(all, write{path: path, value: hashOf(value)})
	}
	rawjson.Members(value, 0, func(key, member []byte) bool {
		all = appendLeaves(all, path+"/"+escape.Replace(string(key)), member)
		return true
	})
	return all
}

// escape encodes a key for a JSON pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// itemOf returns what identifies the item of a list: its name, or a hash.
func itemOf(value []byte) string {
	if name := rawjson.Text(rawjson.Lookup(value, "name")); name != "" {
		return "name " + name
	}
	return "hash " + strconv.FormatUint(hashOf(value), 16)
}

// hasItem reports whether a list has an item.
func hasItem(list []byte, item string) (found bool) {
	rawjson.Items(list, func(value []byte) bool {
		found = itemOf(value) == item
		return !found
	})
	return found
}

var seed = maphash.MakeSeed()

// hashOf returns a hash of a value that does not depend on the order of keys, white space
// and escapes.
func hashOf(value []byte) uint64 {
	if value = bytes.TrimSpace(value); len(value) == 0 {
		return removed
	}
	if value[0] == '{' || value[0] == '[' || bytes.IndexByte(value, '\\') >= 0 {
		decoder := json.NewDecoder(bytes.NewReader(value))
		decoder.UseNumber()
		var decoded any
		if decoder.Decode(&decoded) == nil {
			value, _ = json.Marshal(decoded) // what was decoded can be encoded
		}
	}
	return max(maphash.Bytes(seed, value), removed+1)
}
