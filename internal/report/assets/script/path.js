// Paths of fields, such as spec.containers[0].image or metadata.labels['a.b/c'].

// segments takes a path apart. Two notations of one path give the same segments.
function segments(path) {
  const found = [];
  const pattern = /\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.[\]]+)/gy;
  for (let match = pattern.exec(path); match; match = pattern.exec(path)) {
    const [, index, single, double, key] = match;
    if (index !== undefined) found.push(Number(index));
    else found.push(key ?? unquote(single ?? double));
  }
  return found;
}

// unquote undoes the escapes of Go's strings, which quoted keys have.
const escapes = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unquote(text) {
  return text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gi, (whole, x, u, long, other) => {
    const code = x ?? u ?? long;
    return code ? String.fromCodePoint(parseInt(code, 16)) : escapes[other] ?? other;
  });
}

// keyOf makes segments comparable.
function keyOf(parts) {
  return JSON.stringify(parts);
}

// byPath finds fields by the segments of their paths.
function byPath(fields) {
  return new Map(list(fields).map((field) => [keyOf(segments(field.path)), field]));
}

// pathOf is the path of a line that is no field, which the document does not have.
function pathOf(parts) {
  return parts.map((part, i) => {
    if (typeof part === 'number') return `[${part}]`;
    if (!/^[\w-]+$/.test(part)) return `['${part.replace(/['\\]/g, '\\$&')}']`;
    return i === 0 ? part : `.${part}`;
  }).join('');
}
