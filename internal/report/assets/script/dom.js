// Making elements. This is the only chapter that touches the DOM's factories, so that
// one rule can be seen to hold: strings become text nodes and attribute values, never
// markup. The page's policy forbids the rest (Trusted Types).

// el makes an element. Attributes that are null, undefined or false are left out; those
// that begin with "on" are listeners. Children may be nodes, strings, numbers, lists of
// these, or nothing.
function el(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : visible(String(value)));
  }
  const content = children.flat(Infinity).filter(isContent);
  node.append(...content.flatMap((child) => (child instanceof Node ? child : breakable(visible(String(child))))));
  return node;
}

// breakable lets names and paths that are longer than a narrow column break behind
// their punctuation, so that the browser does not break a word in the middle.
function breakable(text) {
  if (text.length > 2 * longest) return [text];
  return text.split(/(\S{25,})/).flatMap((token, i) => (i % 2 === 0 ? token : token.split(/(?<=[./=:,;&?@_])(?=\w)/)
    .flatMap((part, n) => (n === 0 ? part : [document.createElement('wbr'), part]))));
}

// visible escapes characters that are not seen but do something: those that turn the
// direction of what follows could make a report say the opposite of what it holds.
const unseen = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

function visible(text) {
  return text.replace(unseen, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isContent(child) {
  return child !== null && child !== undefined && child !== false && child !== '';
}

// hidden is text for those who listen to the page rather than see it.
function hidden(text) {
  return el('span', { class: 'hidden' }, text);
}

// note is text that explains, and is not what one looks for.
function note(...children) {
  return el('span', { class: 'note' }, children);
}

function chip(text, tone) {
  return el('span', { class: `chip ${tone || ''}` }, text);
}

// longest is the length to which strings are cut until the user expands them.
const longest = 400;

// cut is a text of any length. What is cut off is not in the page before it is asked
// for, as a report may hold megabytes.
function cut(text, limit = longest) {
  const whole = String(text);
  if (whole.length <= limit * 1.2) return whole;
  const shown = el('span', {}, `${head(whole, limit)}…`);
  const more = showMore(`Show all ${count(whole.length, 'character')}`, () => {
    shown.textContent = visible(whole);
    more.remove();
  });
  return [shown, ' ', more];
}

// head cuts between characters, not within one.
function head(text, limit) {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

function showMore(label, show) {
  return el('button', { type: 'button', class: 'more', onclick: show }, label);
}

// chunked puts items into a container, the first ones at once and the rest on demand.
// The button is placed behind the container.
function chunked(container, items, render, size = 400) {
  container.append(...items.slice(0, size).map(render));
  if (items.length <= size) return container;
  const more = showMore(`Show the other ${items.length - size} of ${items.length}`, () => {
    const first = container.childElementCount;
    container.append(...items.slice(size).map(render));
    more.remove();
    const next = container.children[first];
    next?.focus?.();
  });
  return el('div', {}, container, more);
}

// builders remember what a fold will hold, for printing, which cannot wait for the
// event that opening a fold causes.
const builders = new WeakMap();

// fold is a <details> whose content is made when it is first opened.
function fold(summary, build, attributes = {}) {
  const node = el('details', attributes, el('summary', {}, summary));
  let built = false;
  const unfold = () => {
    if (built) return;
    built = true;
    node.append(el('div', { class: 'folded' }, attempt('This', build)));
  };
  builders.set(node, unfold);
  if (attributes.open) unfold();
  else node.addEventListener('toggle', () => node.open && unfold());
  return node;
}

// attempt makes a part of the page. Where it cannot be made the page says so, and goes
// on: the other parts must not be lost with it.
function attempt(what, make) {
  try {
    return make();
  } catch (problem) {
    return el('p', { class: 'problem' }, `${what} cannot be shown: ${problem.message}`);
  }
}

// section is a part of the page with a heading.
function section(id, heading, note, ...children) {
  return el('section', { id, 'aria-labelledby': `${id}-heading` },
    el('div', { class: 'heading' },
      el('h2', { id: `${id}-heading` }, heading),
      note && el('p', { class: 'note' }, note)),
    children);
}

// refilled is the event that tells a list that its members have changed.
const refilled = 'refilled';

// roving makes one tab stop of a list: arrow keys, Home and End move within it. What is
// not displayed is passed over.
function roving(list, selector, moved = () => {}) {
  const members = () => [...list.querySelectorAll(selector)];
  let current;
  const stop = (chosen) => {
    if (current) current.tabIndex = -1;
    current = chosen;
    if (current) current.tabIndex = 0;
  };
  const reset = () => {
    for (const member of members()) member.tabIndex = -1;
    stop(members()[0]);
  };
  list.addEventListener('keydown', (event) => {
    const to = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const all = members().filter((member) => member.offsetParent !== null);
    const at = all.indexOf(event.target.closest(selector));
    if (to === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    all[Math.min(Math.max(at + to, 0), all.length - 1)].focus();
  });
  list.addEventListener('focusin', (event) => {
    const member = event.target.closest(selector);
    if (!member) return;
    stop(member);
    moved(member);
  });
  list.addEventListener(refilled, reset);
  reset();
  return list;
}
