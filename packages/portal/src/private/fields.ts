import { type Html, html, raw } from '../html.ts';

/** A field of a form, with what its reader has to know. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The fault in the value. */
  readonly problem?: string | undefined;
  readonly isOptional?: boolean;
  readonly count?: TextCount | undefined;
}

/** Bounds of a text, and how a script says what is missing, left or too many while it is typed. */
interface TextCount {
  readonly least: number;
  readonly most: number;
  /** Each with `{n}` for the number. */
  readonly words: { readonly missing: string; readonly left: string; readonly over: string };
}

const toId = (name: string): string => `field-${name}`;

/** Renders the attributes that tie a control to its hint and its problem. */
const ties = ({ name, hint, problem }: Field): Html => {
  const ids = [hint !== undefined && `${toId(name)}-hint`, problem !== undefined && `${toId(name)}-problem`];
  const described = ids.filter((id) => id !== false).join(' ');
  return html`${described !== '' && html` aria-describedby="${described}"`}${problem !== undefined && raw(' aria-invalid="true"')}`;
};

const countAttributes = ({ count }: Field): Html | false =>
  count !== undefined &&
  html` data-least="${count.least}" data-most="${count.most}" data-missing="${count.words.missing}" data-left="${count.words.left}" data-over="${count.words.over}"`;

const notes = ({ name, hint, problem, count }: Field): Html =>
  html`${hint !== undefined && html`<p class="soft" id="${toId(name)}-hint">${hint}${count !== undefined && html` <span id="${toId(name)}-count"></span>`}</p>\n`}${problem !== undefined && html`<p class="problem" id="${toId(name)}-problem"><strong>${problem}</strong></p>\n`}`;

const block = (field: Field, control: Html): Html => html`<div class="asked-field">
<label for="${toId(field.name)}">${field.label}</label>
${notes(field)}${control}
</div>
`;

const requiredUnless = ({ isOptional = false }: Field): Html | false => !isOptional && raw(' required');

/** The options of a field for one line. */
interface LineOptions {
  readonly type?: 'text' | 'email' | 'date';
  readonly mode?: 'decimal' | 'text';
  readonly most?: number;
  /** Purpose of the field for the browser, such as `email`; off if omitted. */
  readonly purpose?: string;
  readonly latest?: string;
}

/** Renders a field for one line of text. */
export const lineField = (field: Field, value: string, options: LineOptions = {}): Html => {
  const { type = 'text', mode, most, purpose = 'off', latest } = options;
  return block(
    field,
    html`<input id="${toId(field.name)}" type="${type}" name="${field.name}" value="${value}" dir="auto" autocomplete="${purpose}"${
      mode !== undefined && html` inputmode="${mode}"`
    }${most !== undefined && html` maxlength="${most}"`}${latest !== undefined && html` max="${latest}"`}${countAttributes(field)}${requiredUnless(field)}${ties(field)}>`,
  );
};

/** Renders a field for a text of several lines. A longer text than may be sent is kept, so that it can be shortened. */
export const textField = (field: Field, value: string, rows: number): Html =>
  block(
    field,
    // HTML drops the first line break of the element
    html`<textarea id="${toId(field.name)}" name="${field.name}" rows="${rows}" dir="auto"${countAttributes(field)}${requiredUnless(field)}${ties(field)}>
${value}</textarea>`,
  );

type Choices = readonly (readonly [value: string, label: string])[];

/** Renders a field with a list of choices. */
export const selectField = (field: Field, choices: Choices, value: string, none?: string): Html =>
  block(
    field,
    html`<select id="${toId(field.name)}" name="${field.name}"${requiredUnless(field)}${ties(field)}>${
      none !== undefined && html`<option value="">${none}</option>`
    }${choices.map(
      ([one, label]) => html`<option value="${one}"${one === value && raw(' selected')}>${label}</option>`,
    )}</select>`,
  );

/** Renders a group of choices that are all visible. Its first choice has the id of the field. */
export const radioField = (
  field: Field,
  choices: readonly (readonly [value: string, label: string, help?: string])[],
  value: string,
): Html => html`<fieldset class="asked-field"${ties(field)}>
<legend>${field.label}</legend>
${notes(field)}${choices.map(
  ([one, label, help], at) =>
    html`<label class="choice"><input type="radio"${at === 0 && html` id="${toId(field.name)}"`} name="${field.name}" value="${one}"${one === value && raw(' checked')}${requiredUnless(field)}> <span>${label}${help !== undefined && html`<br><span class="soft">${help}</span>`}</span></label>
`,
)}</fieldset>
`;

/** Renders a box that has to be ticked. */
export const tickField = (field: Field, isTicked = false): Html => html`<div class="asked-field">
<label class="choice" for="${toId(field.name)}"><input type="checkbox" id="${toId(field.name)}" name="${field.name}" value="yes"${isTicked && raw(' checked')} required${ties(field)}> <span>${field.label}</span></label>
${notes(field)}</div>
`;

/** Renders the list of what is wrong in a form, with links to the fields. It stands before the form. */
export const problemList = (title: string, problems: readonly Field[]): Html | false =>
  problems.length > 0 &&
  html`<div class="problems" role="alert">
<p><strong>${title}</strong></p>
<ul>${problems.map(({ name, label, problem }) => html`<li><a href="#${toId(name)}">${label}</a>${!/[.?]$/.test(label) && ':'} ${problem}</li>\n`)}</ul>
</div>
`;
