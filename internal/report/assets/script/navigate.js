// What is shown follows from the address: #item-3/call-2 is the second call of the third
// request. So everything can be linked to, and the browser's own buttons work.

function navigate(items) {
  const main = el('main', { id: 'main', tabindex: '-1' });
  const dialog = sideDialog((visit, close) => [visitHead(visit, close), visitDetails(visit)], ({ item: { anchor } }) => `#${anchor}`,
    ({ anchor }) => document.querySelector(`main a[href="#${anchor}"]`));
  const links = items.length > 1 ? menu(items) : null;
  const name = items.length === 1 ? 'Admission of a request' : `Admission of ${count(items.length, 'request')}`;
  document.getElementById('app').append(...banner(name), el('div', { class: links ? 'columns' : 'column-alone' }, links, main), dialog.element);
  let shown;
  let item;
  const show = (isMove) => {
    const [page, rest] = place(items);
    if (page !== shown) {
      shown = page;
      item = items.find(({ anchor }) => anchor === page);
      main.replaceChildren(...(item ? itemPage(item) : overview(items)).flat(Infinity).filter(Boolean));
      mark(links, page);
      if (isMove && !rest) document.getElementById('title')?.focus({ preventScroll: true });
      if (isMove) scrollTo(0, 0);
    }
    dialog.show(item?.visit(rest));
    if (rest && !item?.visit(rest)) document.getElementById(rest)?.scrollIntoView();
  };
  addEventListener('hashchange', () => show(true));
  preparePrinting(() => item);
  show(false);
}

// place is which page the address means, and what on it.
function place(items) {
  const [page, rest = ''] = decode(location.hash.slice(1)).split('/');
  if (items.some(({ anchor }) => anchor === page)) return [page, rest];
  return [items.length === 1 ? items[0].anchor : 'overview', rest];
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a typo
  }
}

function itemPage(item) {
  const parts = [['The verdict', verdict], ['The timeline', timeline], ['The fights', fights], ['The object', fields],
    ['The removed fields', removed], ['The webhooks not called', skipped], ['The rest', extras]];
  return parts.map(([name, make]) => attempt(name, () => make(item)));
}

// menu lists the pages.
function menu(items) {
  const entry = (anchor, ...label) => el('li', {}, el('a', { href: `#${anchor}` }, label));
  const entries = items.map((item) => entry(item.anchor, verdictDot(item.verdict()), itemLabel(item)));
  return el('nav', { 'aria-label': 'Requests' }, roving(el('ol', {}, entry('overview', 'Overview'), entries), 'a'));
}

function verdictDot({ word, tone: colour, sign }) {
  return el('span', { class: `dot ${colour}` }, el('span', { 'aria-hidden': 'true' }, sign), hidden(`${word}: `));
}

function itemLabel({ event, explanation: { request = {} } }) {
  return el('span', {}, el('span', { class: 'name' }, request.operation), ' ', event ? event.time : head(requestSubject(request), 90));
}

function mark(links, page) {
  for (const link of links?.querySelectorAll('a') ?? []) {
    const isCurrent = link.getAttribute('href') === `#${page}`;
    if (isCurrent) {
      link.setAttribute('aria-current', 'page');
      link.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else link.removeAttribute('aria-current');
  }
}

function visitHead(visit, close) {
  const { among, number } = visit;
  const link = (other, label) => other && neighbour(`#${other.anchor}`, label);
  return dialogHead([
    el('span', { class: 'note' }, `${visit.called ? 'Call' : 'Webhook not called'} ${number} of ${among.length}`),
    link(among[number - 2], 'Previous'), link(among[number], 'Next'),
  ], cut(visit.webhook.name, 200), visitNote(visit), close);
}

showPage((data) => navigate(readDocument(data)));
