// The frame that all pages have.

function banner(name) {
  return [
    el('a', { class: 'skip', href: '#main', onclick: toMain }, 'Skip to the content'),
    el('header', { class: 'banner' }, el('b', {}, 'gatehouse'), el('span', { class: 'note' }, name), themeToggle()),
  ];
}

// toMain moves the focus and leaves the address alone, which says what is shown.
function toMain(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}
