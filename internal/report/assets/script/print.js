// Printing. Paper cannot be clicked at: folds are opened, and the details of all calls
// follow what is on the page. Afterwards all is as before.

const printedCalls = 100;

// preparePrinting takes a function that returns the explanation on the page, or null.
function preparePrinting(current) {
  let restore = () => {};
  addEventListener('beforeprint', () => {
    restore();
    const closed = [];
    const open = () => {
      for (const node of document.querySelectorAll('main details:not([open])')) {
        builders.get(node)?.();
        node.open = true;
        closed.push(node);
      }
    };
    const appendix = current() && attempt('The details of the calls', () => printedDetails(current()));
    if (appendix) document.querySelector('main').append(appendix);
    open();
    open(); // folds within folds
    restore = () => {
      appendix?.remove();
      for (const node of closed) node.open = false;
      restore = () => {};
    };
  });
  addEventListener('afterprint', () => restore());
}

function printedDetails(item) {
  if (item.calls.length === 0) return null;
  const some = item.calls.slice(0, printedCalls);
  return section('printed', 'Calls', beyond(item.calls, some), some.map((visit) => el('article', {},
    el('h2', {}, `${visit.number}. ${visit.webhook.name}`), el('p', { class: 'note' }, visitNote(visit)), visitDetails(visit))));
}
