/** Lets single keys press the buttons of the desk that show them, and gives a case back on leaving its page. */
const KEPT = 'desk-keys';

const box = document.querySelector<HTMLInputElement>('[data-part="keys"] input');
if (box) {
  box.checked = localStorage.getItem(KEPT) !== 'off';
  box.addEventListener('change', () => localStorage.setItem(KEPT, box.checked ? 'on' : 'off'));
  (box.closest('[data-part="keys"]') as HTMLElement).hidden = false;
}

let isSending = false;
document.addEventListener('submit', () => {
  isSending = true;
});
window.addEventListener('pageshow', () => {
  isSending = false;
});

/** Moves through the cases of the inbox. */
const move = (by: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
};

const press = (target: HTMLElement): void => {
  if (target instanceof HTMLInputElement) target.checked = true;
  else if (target instanceof HTMLTextAreaElement) target.focus();
  else target.click();
};

const isTyping = ({ activeElement: active }: Document): boolean =>
  active instanceof HTMLTextAreaElement ||
  active instanceof HTMLSelectElement ||
  (active instanceof HTMLInputElement && active.type !== 'radio' && active.type !== 'checkbox');

document.addEventListener('keydown', (event) => {
  const { key, repeat, ctrlKey, altKey, metaKey } = event;
  if (key === 'Escape') (document.activeElement as HTMLElement | null)?.blur();
  if (repeat || ctrlKey || altKey || metaKey || isSending || isTyping(document) || box?.checked === false) return;
  if (key === 'j' || (key === 'k' && document.querySelector('[data-row]'))) {
    move(key === 'j' ? 1 : -1);
    return;
  }
  const target = [...document.querySelectorAll<HTMLElement>('[data-key]')].find((one) => one.dataset['key'] === key);
  if (!target) return;
  event.preventDefault();
  press(target);
});

window.addEventListener('pagehide', () => {
  const form = document.querySelector<HTMLFormElement>('[data-part="mine"] form');
  if (!form || isSending) return;
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  body.set('do', 'release');
  fetch(form.action, { method: 'POST', body, keepalive: true, redirect: 'manual' }).catch(() => undefined);
});
