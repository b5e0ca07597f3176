import { toDom } from '../browser/dom.ts';
import { FIELDS, type FieldName, type Inputs, readField } from '../score/inputs.ts';
import { type LiveStart, liveView } from '../score/live.ts';
import { createViewContext } from '../score/view.ts';
import type * as Texts from '../texts/en/prove.ts';

const form = document.querySelector<HTMLFormElement>('form[data-live]');

/** What the form says; where it says nothing that can be read, what it said at first. */
const inputsIn = (given: FormData, initial: Inputs): Inputs =>
  Object.fromEntries(
    FIELDS.map((field) => [field.name, readField(field, String(given.get(field.name))) ?? initial[field.name]]),
  ) as Record<FieldName, string>;

/** The address of the page with what was moved, so that it can be passed on. */
const remember = (inputs: Inputs, initial: Inputs): void => {
  const address = new URL(location.href);
  for (const { name } of FIELDS) {
    address.searchParams.delete(name); // so that the order is that of the form
    if (inputs[name] !== initial[name]) address.searchParams.set(name, inputs[name]);
  }
  history.replaceState(null, '', address);
};

/** A slider beside a field for a number. The field stays: it is what is read and typed into. */
const addSlider = (field: HTMLInputElement): void => {
  const slider = document.createElement('input');
  slider.type = 'range';
  slider.tabIndex = -1;
  slider.setAttribute('aria-hidden', 'true');
  const highest = Math.min(Number(field.max), Math.max(100, 2 * Number(field.value)));
  Object.assign(slider, { min: field.min, max: String(highest), step: field.step, value: field.value });
  slider.addEventListener('input', () => {
    field.value = slider.value;
  });
  field.addEventListener('input', () => {
    slider.value = field.value;
  });
  field.after(slider);
};

const start = async (live: HTMLFormElement): Promise<void> => {
  const { score } = (await import(live.dataset['texts'] ?? '')) as typeof Texts;
  const from = JSON.parse(live.dataset['live'] ?? '{}') as LiveStart;
  const shown = createViewContext(score);
  const [value, steps] = ['value', 'steps'].map((name) => document.querySelector(`[data-part="${name}"]`));
  for (const field of live.querySelectorAll<HTMLInputElement>('input[type="number"]')) addSlider(field);
  live.querySelector('button')?.remove();
  live.addEventListener('submit', (event) => event.preventDefault());
  live.addEventListener('input', () => {
    const inputs = inputsIn(new FormData(live), from.initial);
    const made = liveView(shown, inputs, from);
    value?.replaceChildren(...made.value.map(toDom));
    steps?.replaceChildren(toDom(made.steps));
    remember(inputs, from.initial);
  });
  live.dataset['ready'] = '';
};

if (form) void start(form);
