// The tree that `gatehouse explain` prints, as nested lists.

// tree takes the lines of a tree. Each level is indented by three characters.
function tree(text) {
  const root = el('ul', { class: 'bare tree' });
  const levels = [root];
  for (const line of text.split('\n').filter(Boolean)) {
    const [, indent, content] = /^((?:│ {2}| {3})*)(?:[├└]─ )?(.*)$/s.exec(line);
    const depth = Math.min(indent.length / 3, levels.length - 1);
    levels.length = depth + 1;
    const item = el('li', {}, cut(content, 1000));
    levels[depth].append(item);
    levels.push(el('ul', { class: 'bare' }));
    item.append(levels[depth + 1]);
  }
  for (const empty of root.querySelectorAll('ul:empty')) empty.remove();
  return root;
}
