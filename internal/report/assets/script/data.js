// The document. It is read once, as text from the element that holds it.

// Exact is a number that JavaScript would round: 9007199254740993, or 1.0, which is
// another text than 1. It counts as a number where one is needed.
class Exact {
  constructor(source) {
    this.source = source;
  }

  valueOf() {
    return Number(this.source);
  }

  toString() {
    return this.source;
  }
}

// exact keeps numbers as they are written. Browsers that do not tell how that was
// (context is then undefined) show them rounded.
function exact(key, value, context) {
  if (typeof value !== 'number' || !context || String(value) === context.source) return value;
  return new Exact(context.source);
}

// showPage gives a page its data. If that fails the page says so.
function showPage(show) {
  try {
    show(parse(document.getElementById('explanation').textContent));
  } catch (problem) {
    document.getElementById('app').append(el('p', { class: 'problem', id: 'title' },
      `This report cannot be shown: ${problem.message}. Its data is in the file, as JSON.`));
  }
}

function readDocument(data) {
  return list(data?.items).filter(Boolean).map((e, i) => new Item(e, i + 1, list(data.events)[i]));
}

// parse gives up exact numbers rather than everything: looking at every value takes
// more room for what is nested thousands deep than there may be.
function parse(text) {
  try {
    return JSON.parse(text, exact);
  } catch {
    return JSON.parse(text);
  }
}

// list is a list that may be absent.
function list(value) {
  return Array.isArray(value) ? value : [];
}

function isMap(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Exact);
}

// leading are the keys that go first, wherever they are: they say what the others are
// about. All others are sorted, but for status, which goes last. (In the order of the
// data, keys that look like numbers would come first.)
const leading = ['apiVersion', 'kind', 'name', 'metadata', 'spec', 'data'];

function ordered(map) {
  const rank = (key) => {
    const at = leading.indexOf(key);
    if (key === 'status') return leading.length + 1;
    return at < 0 ? leading.length : at;
  };
  return Object.keys(map).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}
