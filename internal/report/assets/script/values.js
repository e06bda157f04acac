// Values of JSON as text, and the changes between them.

// scalar is a leaf as YAML has it: strings are quoted only if they would be read as
// something else.
function scalar(value) {
  if (Array.isArray(value)) return '[]';
  if (isMap(value)) return '{}';
  if (typeof value !== 'string') return String(value);
  return plain(value) ? value : JSON.stringify(value);
}

// plain reports whether YAML reads a string as itself without quotes. It may say no too
// often: quotes do no harm.
function plain(text) {
  return Number.isNaN(Number(text)) // also of the empty string and of 0x10
    && !/^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?\.(?:inf|nan)|\d{4}-\d\d?-\d\d?.*)$/i.test(text)
    && !/^[\s!&*?|>@`"'#%{}[\],:-]|:\s|\s#|[\s:]$/.test(text)
    && !/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]/.test(text);
}

function isLeaf(value) {
  if (Array.isArray(value)) return value.length === 0;
  return !isMap(value) || Object.keys(value).length === 0;
}

// yamlLines are the lines of a value as YAML: each with its depth, what leads it (dashes
// and key), its text if it is a leaf, and otherwise the end of what is below it.
function yamlLines(value) {
  const all = [];
  // indent is where a key stands, behind the dashes of the list items that begin on its
  // line; key is null for items of lists.
  const visit = (child, path, indent, dashes, key) => {
    const line = { depth: indent - dashes, lead: '- '.repeat(dashes) + (key ?? ''), path, leaf: isLeaf(child) };
    if (line.leaf) all.push({ ...line, text: scalar(child) });
    else if (key === null) parts(child, path, indent, dashes, indent);
    else {
      const own = { ...line, text: '', end: 0 };
      all.push(own);
      parts(child, path, indent, 0, indent + 1);
      own.end = all.length;
    }
  };
  const parts = (parent, path, indent, dashes, keys) => {
    if (Array.isArray(parent)) {
      parent.forEach((child, i) => visit(child, [...path, i], indent + 1, (i === 0 ? dashes : 0) + 1, null));
    } else {
      ordered(parent).forEach((key, i) => visit(parent[key], [...path, key], keys, i === 0 ? dashes : 0, `${scalar(key)}:`));
    }
  };
  visit(value, [], 0, 0, null);
  return all;
}

// yaml is a value as text.
function yaml(value) {
  return yamlLines(value).map(({ depth, lead, text }) => '  '.repeat(depth) + [lead.trimEnd(), text].filter(Boolean).join(' ')).join('\n');
}

// json is a value as indented JSON. JSON.stringify would lose exact numbers.
function json(value, indent = '') {
  if (value instanceof Exact) return value.source;
  if (isLeaf(value)) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((child) => json(child, deeper))]
    : ['{', '}', Object.keys(value).map((key) => `${JSON.stringify(key)}: ${json(value[key], deeper)}`)];
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
}

// inline is a value on one line.
function inline(value) {
  if (value === undefined) return 'nothing';
  return isLeaf(value) ? scalar(value) : json(value).replace(/\n\s*/g, ' ');
}

// linesShown is the number of lines to which blocks are cut until the user expands them.
const linesShown = 120;

// block is text in lines, of any length.
function block(text, label) {
  const whole = String(text);
  const some = head(whole.split('\n', linesShown).join('\n'), 20000);
  const pre = el('pre', { tabindex: '0', role: 'region', 'aria-label': label }, some);
  if (some.length >= whole.length - 1) return pre;
  const more = showMore(`Show all ${count(whole.length, 'character')}`, () => {
    pre.textContent = visible(whole);
    more.remove();
    pre.focus();
  });
  return [pre, more];
}

// body is what was sent or received. What was no JSON is a string.
function body(value, label) {
  return block(typeof value === 'string' ? value : json(value), label);
}

// opNames are what the operations of changes are called.
const opNames = new Map([['add', 'added'], ['remove', 'removed'], ['replace', 'replaced']]);

// difference is a list of changes, each with the lines that went and came.
function difference(changes, label) {
  const items = el('ol', { class: 'diff', 'aria-label': label });
  return chunked(items, list(changes), (change) => el('li', {},
    el('div', { class: 'path' }, el('code', {}, cut(change.path)), el('span', { class: 'op' }, opNames.get(change.op) ?? change.op)),
    'old' in change && side('del', '−', change.old),
    'new' in change && side('ins', '+', change.new)), 100);
}

function side(name, sign, value) {
  return el(name, {}, el('span', { class: 'sign', 'aria-hidden': 'true' }, sign), el('code', {}, cut(yaml(value), 2000)));
}

// patch is a JSON patch, an operation per line.
function patch(operations) {
  const items = el('ol', { class: 'patch', 'aria-label': 'Operations of the JSON patch' });
  return chunked(items, list(operations), (operation) => el('li', {},
    el('b', {}, operation.op), ' ', el('code', {}, cut(operation.path || '""')),
    operation.from && [' from ', el('code', {}, cut(operation.from))],
    'value' in operation && [' ', el('code', { class: 'value' }, cut(inline(operation.value), 240))]), 100);
}
