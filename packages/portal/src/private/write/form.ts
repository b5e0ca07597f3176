import { COMPLAINT_CATEGORIES, contract } from '@broker-transparency/contract';
import type { Messages } from '../../generated/messages.ts';
import { type Html, html } from '../../html.ts';
import type { FormFields } from '../../page.ts';
import { wordFor } from '../../words.ts';
import { type Field, lineField, problemList, radioField, selectField, textField } from '../fields.ts';
import { privateForm } from '../frame.ts';
import type { PrivateContext } from '../page.ts';
import type { FieldFault, WrittenKind } from './actions.ts';

/** Languages that the form offers, by their codes. The contract takes any. */
const WRITTEN_LANGUAGES =
  'en de fr es it pt nl pl cs sk hu ro bg el da sv fi nb ru uk tr ar fa he hi id ms th vi zh ja ko'.split(' ');

/** A text while it is written. */
export interface WrittenText {
  readonly kind: WrittenKind;
  readonly slug: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly faults: readonly FieldFault[];
}

/** Names of the fields, in their order in the form. */
type WrittenField = Exclude<keyof PrivateContext['texts']['write']['fields'], 'agree'>;

/** Says what is wrong with a field and how to cure it. */
const sayProblem = (
  { wrong }: PrivateContext['texts']['write'],
  faults: readonly FieldFault[],
  field: string,
  cure: string,
): string | undefined => {
  const fault = faults.find((one) => one.field === field);
  if (!fault) return undefined;
  const { title, other, ...known } = wrong;
  return `${wordFor({ ...known }, fault.code) === fault.code ? other : wordFor({ ...known }, fault.code)} ${cure}`;
};

const { title, content } = contract.reviews.create.body.shape;
const { desiredResolution } = contract.complaints.create.body.shape;

/** Texts whose characters are counted, with the schemas that bound them. */
const COUNTED: Readonly<
  Partial<Record<WrittenField, { readonly meta: () => Readonly<Record<string, unknown>> | undefined }>>
> = {
  title,
  content,
  resolution: desiredResolution.unwrap(),
};

const OPTIONAL: ReadonlySet<string> = new Set(['amount', 'currency', 'occurred', 'resolution']);

/** Returns the words for the script that counts characters, which fills in the number. */
const countWords = ({ missing, left, over }: Messages['write']['count']) => ({
  missing: missing({ n: '{n}' }),
  left: left({ n: '{n}' }),
  over: over({ n: '{n}' }),
});

const describeField = (context: PrivateContext, { faults }: WrittenText, name: WrittenField): Field => {
  const { write } = context.texts;
  const said: { readonly label: string; readonly cure: string; readonly hint?: string } = write.fields[name];
  const { label, hint, cure } = said;
  const problem = sayProblem(write, faults, name, cure);
  const bounds = COUNTED[name]?.meta();
  const count = bounds && {
    least: Number(bounds['minLength']),
    most: Number(bounds['maxLength']),
    words: countWords(write.count),
  };
  return { name, label, hint, problem, isOptional: OPTIONAL.has(name), count };
};

const FIELDS: Readonly<Record<WrittenKind, readonly WrittenField[]>> = {
  review: ['rating', 'title', 'content', 'language'],
  complaint: ['category', 'title', 'content', 'amount', 'currency', 'occurred', 'resolution', 'consent'],
};

const listLanguages = ({ texts }: PrivateContext, chosen: string): (readonly [string, string])[] => {
  const names = new Intl.DisplayNames(texts.locale, { type: 'language' });
  const codes = WRITTEN_LANGUAGES.includes(chosen) ? WRITTEN_LANGUAGES : [...WRITTEN_LANGUAGES, chosen];
  return codes
    .filter((code) => /^[a-z]{2,3}$/.test(code))
    .map((code) => [code, names.of(code) ?? code] as const)
    .sort(([, a], [, b]) => a.localeCompare(b, texts.locale));
};

const renderField = (context: PrivateContext, text: WrittenText, name: WrittenField): Html => {
  const { fields: said } = context.texts.write;
  const field = describeField(context, text, name);
  const value = text.fields[name] ?? '';
  switch (name) {
    case 'rating':
      return radioField(
        field,
        said.rating.choices.map((label, at) => [String(at + 1), label] as const).toReversed(),
        value,
      );
    case 'content':
      return textField(field, value, 10);
    case 'resolution':
      return textField(field, value, 3);
    case 'language': {
      const chosen = value === '' ? context.texts.code : value;
      return selectField(field, listLanguages(context, chosen), chosen);
    }
    case 'category':
      return selectField(
        field,
        COMPLAINT_CATEGORIES.map((code) => [code, wordFor(said.category.choices, code)] as const),
        value,
        said.category.none,
      );
    case 'consent':
      return radioField(
        field,
        [
          ['yes', said.consent.yes],
          ['no', said.consent.no],
        ],
        value,
      );
    case 'occurred':
      return lineField(field, value, { type: 'date', latest: context.now.toISOString().slice(0, 10) });
    case 'amount':
      return lineField(field, value, { mode: 'decimal' });
    default:
      return lineField(field, value);
  }
};

/** Returns the fields of a text that a form has; undefined if it has none. */
export const pickTyped = (kind: WrittenKind, fields: FormFields): Readonly<Record<string, string>> | undefined => {
  const typed = FIELDS[kind].flatMap((name) => (fields[name] ? [[name, fields[name]] as const] : []));
  return typed.length === 0 ? undefined : Object.fromEntries(typed);
};

/** Path of the page on which a text about a broker is written. */
export const toWritePath = (kind: WrittenKind, slug: string, step?: 'preview' | 'saved'): string =>
  `/write/${kind}?broker=${slug}${step === undefined ? '' : `&step=${step}`}`;

/**
 * Renders the form of the second step, with the help for it. Faults stand first: a phone shows little more.
 * @param saved says how long the text is kept; undefined if none is
 */
export const writeForm = (context: PrivateContext, text: WrittenText, saved: string | undefined): Html => {
  const { write } = context.texts;
  const { kind, slug } = text;
  const problems = FIELDS[kind].map((name) => describeField(context, text, name)).filter(({ problem }) => problem);
  return html`${problemList(write.wrong.title, problems)}${saved !== undefined && html`<p role="status">${saved}</p>\n`}<h2>${write.help.title}</h2>
<ul>${write.help[kind].map((line) => html`<li>${line}</li>\n`)}</ul>
${privateForm(
  context,
  toWritePath(kind, slug),
  {},
  html`${FIELDS[kind].map((name) => renderField(context, text, name))}<p class="form-buttons"><button name="do" value="preview">${write.toPreview}</button>
<button class="quiet" name="do" value="save" formnovalidate>${write.save}</button>${
    saved !== undefined &&
    html`\n<button class="quiet" name="do" value="discard" formnovalidate>${write.discard}</button>`
  }</p>
`,
)}`;
};
