/** Says below each text how many characters are missing, left or too many, while somebody types. */
for (const control of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[data-most]')) {
  const { least = '0', most = '0', missing = '', left = '', over = '' } = control.dataset;
  const place = document.getElementById(`${control.id}-count`);
  const show = (): void => {
    const count = [...control.value.trim()].length;
    const rest = Number(most) - count;
    const said = count === 0 ? '' : count < Number(least) ? missing : rest < 0 ? over : left;
    const number = count < Number(least) ? Number(least) - count : Math.abs(rest);
    if (place) place.textContent = said.replace('{n}', String(number));
  };
  control.addEventListener('input', show);
  show();
}
