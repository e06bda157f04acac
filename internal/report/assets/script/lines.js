// The object in lines of YAML, each with who wrote it.

// writerName is a writer without the round: the webhook or policy, or what kind of
// writer it is.

function writerName(writer) {
  if (!writer) return 'unknown';
  if (writer.by === 'webhook') return writer.webhook;
  if (writer.by === 'policy') return `policy ${writer.policy}`;
  return writer.by === 'stored' ? 'stored before' : writer.by;
}

// writerKey tells writers apart; two webhooks may have one name.
function writerKey(writer) {
  if (!writer) return '';
  if (writer.by === 'policy') return `policy ${writer.policy}`;
  return writer.by === 'webhook' ? `webhook ${writer.configuration} ${writer.webhook}` : writer.by;
}

// Writers gives every writer of an object its colour: webhooks and policies one of
// eight, in the order in which they appear, all others none.
class Writers {
  constructor(fields) {
    this.all = new Map();
    for (const { writer } of fields) this.add(writer);
  }

  add(writer) {
    const key = writerKey(writer);
    const known = this.all.get(key) ?? { key, name: writerName(writer), writer, lines: 0 };
    known.lines += 1;
    known.color ??= ['webhook', 'policy'].includes(writer?.by)
      ? `hue-${[...this.all.values()].filter(({ color }) => color?.startsWith('hue')).length % 8}`
      : `by-${writer?.by ?? 'none'}`;
    this.all.set(key, known);
  }

  color(writer) {
    return this.all.get(writerKey(writer))?.color ?? 'by-none';
  }
}

// objectLines are the lines of an object. A leaf's line has its field; a line that only
// begins a list or map has the writer of all that is in it, if it is one.
function objectLines(object, fields) {
  const found = byPath(fields);
  const all = yamlLines(object).map((line) => {
    const field = line.leaf ? found.get(keyOf(line.path)) : undefined;
    return { ...line, field, writer: field?.writer };
  });
  settleWriters(all);
  return all;
}

// settleWriters goes backwards, so that every line finds those below it settled.
function settleWriters(all) {
  for (let i = all.length - 1; i >= 0; i -= 1) {
    const line = all[i];
    if (line.leaf) continue;
    const below = [];
    for (let j = i + 1; j < line.end; j = all[j].end ?? j + 1) {
      if (all[j].mixed || all[j].writer) below.push(all[j]);
    }
    line.mixed = below.some((other) => other.mixed || writerKey(other.writer) !== writerKey(below[0].writer));
    line.writer = line.mixed ? undefined : below[0]?.writer;
  }
}
