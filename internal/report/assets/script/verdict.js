// The head of an explanation: what was asked, and what came of it.

function verdict(item) {
  const e = item.explanation;
  const { word, tone: colour } = item.verdict();
  return el('header', { class: `verdict ${colour}` },
    el('p', { class: 'stamp' }, capital(word)),
    el('h1', { id: 'title', tabindex: '-1' }, cut(item.title, 300)),
    e.undecided && el('div', { class: 'status warn' },
      el('p', {}, 'A webhook was not reached, so the verdict is not known.')),
    e.status && !e.undecided && status(item),
    remarks('Warnings to the user', e.warnings, 'warn'),
    remarks('Not shown', e.redacted, 'info'),
    remarks('Not explained', e.problems, 'warn'),
    terms(facts(item), { class: 'facts' }));
}

// status is the error that the user receives, and whose it is.
function status(item) {
  const { status: { message, reason, code }, deniedBy } = item.explanation;
  const deniers = item.deniers();
  return el('div', { class: 'status' },
    el('p', {}, cut(message ?? 'There is no message.', 1200)),
    el('p', { class: 'note' }, [code, reason].filter(Boolean).join(' '),
      deniedBy && `, by ${deniedBy}`,
      deniers.length > 0 && [', by ', deniers.slice(0, 5).map((visit, i) => [i > 0 && ', ', denierLink(visit)]),
        deniers.length > 5 && ` and ${deniers.length - 5} more`]));
}

function denierLink(visit) {
  return el('a', { href: `#${visit.anchor}` }, visit.webhook.name);
}

function remarks(heading, texts, style) {
  if (list(texts).length === 0) return null;
  const items = chunked(el('ul', {}), texts, (text) => el('li', {}, cut(text)), 20);
  return el('div', { class: `remarks ${style}` }, el('h2', {}, heading), items);
}

function facts(item) {
  const { request = {}, seconds: took, rounds } = item.explanation;
  const user = request.user ?? {};
  return [
    ['Event', item.event && [`${item.event.time}, `, cut(item.event.text)]],
    ['User', cut(user.name ?? '', 200)],
    ['Groups', user.groups && cut(list(user.groups).join(', '), 200)],
    ['Resource', versioned(request.resource, request.subresource)],
    ['Kind', versioned(request.kind)],
    ['Dry run', request.dryRun && 'yes'],
    ['Took', Number(took) > 0 && seconds(took)],
    ['Webhooks', item.event ? `${item.calls.length} in the log` : `${item.calls.length} called, ${item.skipped.length} not`],
    ['Passes', `${list(rounds).length}`],
    ['Changes', `${item.changes()}`],
  ];
}
