/** Loads the script of a form at its first submission, so that a page costs no more without a check. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-script]')) {
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.getAttribute('aria-busy') === 'true') return;
    form.setAttribute('aria-busy', 'true');
    const { script = '', texts = '', busy = '', failed = '' } = form.dataset;
    const verdict = form.parentElement?.querySelector('[data-part="verdict"]');
    verdict?.replaceChildren(busy);
    try {
      const [{ run }, loaded] = await Promise.all([import(script), import(texts)]);
      await run({ form, texts: loaded });
    } catch {
      verdict?.replaceChildren(failed);
    }
    form.removeAttribute('aria-busy');
  });
}
