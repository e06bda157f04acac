// Dark and light. The system decides until the user presses the button; what they
// chose is kept where the browser allows it, which it need not for files.

const themeKey = 'gatehouse-report-theme';

function remembered() {
  try {
    return localStorage.getItem(themeKey);
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // The choice holds until the page is closed.
  }
}

function themeToggle() {
  const system = matchMedia('(prefers-color-scheme: dark)');
  let chosen = remembered();
  const button = el('button', { type: 'button', class: 'theme' }, 'Dark');
  const apply = () => {
    const dark = chosen ? chosen === 'dark' : system.matches;
    if (chosen) document.documentElement.dataset.theme = chosen;
    button.setAttribute('aria-pressed', String(dark));
  };
  button.addEventListener('click', () => {
    chosen = button.getAttribute('aria-pressed') === 'true' ? 'light' : 'dark';
    remember(chosen);
    apply();
  });
  system.addEventListener('change', apply);
  apply();
  return button;
}
