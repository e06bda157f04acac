// The history of a field: who wrote it, one after the other.

// about tells the history of a line, latest first.
function about(item, line, fights) {
  const fight = line.leaf && fights.get(keyOf(line.path));
  const path = line.field?.path ?? pathOf(line.path);
  const parts = [el('h3', {}, el('code', {}, cut(path, 200)))];
  if (!line.leaf) {
    parts.push(el('p', {}, line.writer ? `All below it is by ${writerName(line.writer)}.` : 'What is below it is by several writers.'));
  } else if (!line.field) {
    parts.push(el('p', {}, 'It is empty, and exists only because Go encodes it: it has no writer.'));
  } else {
    parts.push(writes(item, [...list(line.field.earlier), { writer: line.field.writer, value: line.field.value }]));
  }
  if (fight) {
    const turns = list(fight.writes).map(({ writer }) => writerName(writer));
    parts.push(el('p', { class: 'status bad' }, `Webhooks overwrote each other: ${turns.join(', then ')}.`));
  }
  return parts;
}

// writes is a list of writes, the latest first, as that is the one that counts.
function writes(item, all) {
  return el('ol', { class: 'history', reversed: true }, [...all].reverse().map((write) => writeEntry(item, write)));
}

function writeEntry(item, write) {
  return el('li', {},
    el('code', { class: 'value' }, write.value === undefined ? el('i', {}, 'removed') : cut(inline(write.value), 300)),
    note('by ', writerLink(item, write.writer ?? {})));
}

function writerLink(item, writer) {
  const visit = item.callOf(writer);
  const name = visit ? el('a', { href: `#${visit.anchor}` }, writerText(writer)) : writerText(writer);
  return [name, writer.through && `, through ${versioned(writer.through)}`];
}

function writerText(writer) {
  const round = Number(writer.round ?? 0) > 0 ? ` in round ${writer.round}` : '';
  if (writer.by === 'defaulting' && writer.webhook) return `defaulting after ${writer.webhook}${round}`;
  if (writer.by === 'policy') return `${writerName(writer)}, binding ${writer.binding}, mutations[${Number(writer.index ?? 0)}]${round}`;
  return writerName(writer) + (writer.by === 'webhook' ? round : '');
}

// was tells the earlier values to those who cannot see the inspector, which is not
// printed.
function was(line) {
  return el('span', { class: 'hidden was' }, list(line.field.earlier).slice(-5)
    .map((write) => ` was ${write.value === undefined ? 'removed' : head(inline(write.value), 80)} by ${writerText(write.writer ?? {})};`));
}
