// A dialog beside the page. What it shows follows from the address, so that it can be
// linked to, and the browser's own buttons work.

// sideDialog shows one thing at a time. render makes the content of the dialog for a
// thing; home is the address without the dialog, and opener finds what gets the focus
// back.
function sideDialog(render, home, opener) {
  const content = el('div', { class: 'content' });
  const element = el('dialog', { 'aria-labelledby': 'dialog-heading' }, content);
  let shown, address;
  const leave = () => {
    // The browser tells of the end later: by then the reader may be elsewhere.
    if (!shown || location.hash !== address) return;
    const left = shown;
    shown = undefined;
    history.replaceState(null, '', home(left));
    opener(left)?.focus();
  };
  element.addEventListener('close', leave);
  // The dialog fills its box, so a click at the dialog itself is one at the backdrop.
  element.addEventListener('click', (event) => event.target === element && element.close());
  const show = (next) => {
    shown = next;
    address = location.hash;
    if (!next) {
      if (element.open) element.close();
      return;
    }
    content.replaceChildren(...[render(next, () => element.close())].flat(Infinity).filter(Boolean));
    if (!element.open) element.showModal();
    element.scrollTop = 0;
    document.getElementById('dialog-heading').focus();
  };
  return { element, show };
}

// dialogHead has a line of tools, with the button that closes the dialog, and the heading.
function dialogHead(tools, heading, note, close) {
  return el('header', {},
    el('div', { class: 'tools' }, tools, el('button', { type: 'button', onclick: close }, 'Close')),
    el('h2', { id: 'dialog-heading', tabindex: '-1' }, heading),
    el('p', {}, note));
}

// neighbour is a link of a dialog to another one.
function neighbour(address, label) {
  return el('a', { href: address, class: 'neighbour' }, label);
}
