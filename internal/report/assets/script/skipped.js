// The webhooks that were not called, with filters. What they filter out is not in the
// page, so that what is printed or searched for is what is seen.

const skippedColumns = [['Webhook', 'webhook'], ['Pass', 'pass'], ['Stopped by', 'stage'], ['Why', 'why'], ['Nearest miss', 'why']];

function skipped(item) {
  if (item.skipped.length === 0) {
    return section('skipped', 'Webhooks not called', null, el('p', {}, item.event ? 'An audit log does not have them.' : item.calls.length ? 'All were called.' : 'There are no webhooks.'));
  }
  const body = table('Webhooks that were not called', skippedColumns, [], { class: 'cards' });
  const rows = item.skipped.map((visit) => ({ visit, text: skippedText(visit), row: null }));
  const shown = el('p', { class: 'note', role: 'status' });
  const filters = skippedFilters(item, () => {
    const some = rows.filter((entry) => filters.match(entry));
    shown.textContent = `${some.length} of ${rows.length} shown`;
    refill(body.tBodies[0], some, skippedRow);
  });
  roving(body, 'a');
  filters.changed();
  return section('skipped', 'Webhooks not called', null, el('div', { class: 'filters', role: 'search' }, filters.inputs, shown), body);
}

// skippedRow is a webhook's row. It is made when it is first needed.
function skippedRow(entry) {
  const { webhook, round, anchor } = entry.visit;
  entry.row ??= tableRow(skippedColumns, [
    el('a', { href: `#${anchor}`, 'aria-haspopup': 'dialog' }, webhookName(webhook)),
    roundTitle(round),
    chip(webhook.error ? 'error' : webhook.stage, webhook.error ? 'bad' : ''),
    cut(webhook.error || webhook.reason || '', 300),
    cut(webhook.hint ?? '', 300),
  ]);
  return entry.row;
}

function skippedText({ webhook }) {
  const { name, configuration, stage, reason, hint, error } = webhook;
  return [name, configuration, stage, reason, hint, error].filter(Boolean).join('\n').toLowerCase();
}

// skippedFilters are a text, a stage and a pass.
function skippedFilters(item, changed) {
  const text = el('input', { type: 'search', placeholder: 'Name, reason, hint…', 'aria-label': 'Filter by text', oninput: changed });
  const stage = choice('All stages', 'Filter by stage', item.skipped.map(({ webhook }) => webhook.stage), changed);
  const pass = choice('All passes', 'Filter by pass', item.skipped.map(({ round }) => roundTitle(round)), changed);
  const match = ({ visit, text: haystack }) => haystack.includes(text.value.trim().toLowerCase())
    && (!stage.value || visit.webhook.stage === stage.value)
    && (!pass.value || roundTitle(visit.round) === pass.value);
  return { inputs: [text, stage, pass], match, changed };
}
