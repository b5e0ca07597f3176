import { toDom } from '../browser/dom.ts';
import type * as Texts from '../generated/en.ts';
import { FIELDS, type FieldName, type Inputs, readField } from '../score/inputs.ts';
import { type LiveStart, liveView } from '../score/live.ts';
import { createViewContext } from '../score/view.ts';

const form = document.querySelector<HTMLFormElement>('form[data-live]');

/** Returns the inputs of the form; unreadable ones keep their initial values. */
const inputsIn = (given: FormData, initial: Inputs): Inputs =>
  Object.fromEntries(
    FIELDS.map((field) => [field.name, readField(field, String(given.get(field.name))) ?? initial[field.name]]),
  ) as Record<FieldName, string>;

/** Stores the changed inputs in the address, so that it can be shared. */
const remember = (inputs: Inputs, initial: Inputs): void => {
  const address = new URL(location.href);
  for (const { name } of FIELDS) {
    address.searchParams.delete(name); // keeps the order of the form
    if (inputs[name] !== initial[name]) address.searchParams.set(name, inputs[name]);
  }
  history.replaceState(null, '', address);
};

/** Adds a slider beside a number field. The field remains the input. */
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
  const texts = (await import(live.dataset['texts'] ?? '')) as Pick<typeof Texts, 'score' | 'locale'>;
  const from = JSON.parse(live.dataset['live'] ?? '{}') as LiveStart;
  const shown = createViewContext(texts);
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
