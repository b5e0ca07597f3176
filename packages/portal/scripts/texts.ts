import { readFileSync } from 'node:fs';
import { type MessageFormatElement, type PluralElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { LOCALES } from '../src/texts/locales.ts';

/** Messages in ICU MessageFormat by name, in groups and lists: the contents of `src/texts/en.json`. */
export type Catalogue = string | readonly Catalogue[] | { readonly [name: string]: Catalogue };

/** A message and its path, such as `broker.title`. */
interface PlacedMessage {
  readonly path: string;
  readonly elements: readonly MessageFormatElement[];
}

type ArgumentKind = 'string' | 'number';

/** The catalogue whose names and arguments all others follow. */
const SOURCE = 'en';
/** Counts for which a plural must have a form. */
const COUNTS = Array.from({ length: 201 }, (_, count) => count);

const parseMessage = (path: string, message: string): MessageFormatElement[] => {
  try {
    return parse(message, { ignoreTag: true });
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
};

const isPlural = (element: MessageFormatElement): element is PluralElement =>
  element.type === TYPE.plural && element.pluralType === 'cardinal' && element.offset === 0;

/** @throws Error for a form of ICU MessageFormat that the site has no use for */
const refuse = (path: string): never => {
  throw new Error(`${path}: use only arguments such as {name}, and plurals such as {count, plural, one {…} other {…}}`);
};

/** Returns the arguments of a message: the count of a plural is a number, all others are texts. */
const listArguments = ({ path, elements }: PlacedMessage): Readonly<Record<string, ArgumentKind>> =>
  Object.assign(
    {},
    ...elements.map((element): Readonly<Record<string, ArgumentKind>> => {
      if (element.type === TYPE.literal || element.type === TYPE.pound) return {};
      if (element.type === TYPE.argument) return { [element.value]: 'string' };
      if (!isPlural(element)) return refuse(path);
      const inner = Object.values(element.options).map(({ value }) => listArguments({ path, elements: value }));
      return Object.assign({}, ...inner, { [element.value]: 'number' });
    }),
  );

const describeArguments = (message: PlacedMessage): string =>
  Object.entries(listArguments(message))
    .map(([name, kind]) => `readonly ${name}: ${kind}`)
    .sort()
    .join('; ');

const escapeTemplate = (text: string): string => text.replaceAll(/[\\`]|\$\{/g, '\\$&');

/** Returns the code of a template text for a part of a message. */
const compileParts = (elements: readonly MessageFormatElement[], counted = ''): string =>
  elements
    .map((element) => {
      if (element.type === TYPE.literal) return escapeTemplate(element.value);
      if (element.type === TYPE.pound) return `\${number(said.${counted})}`;
      if (!isPlural(element)) return `\${said.${element.value as string}}`;
      const forms = Object.entries(element.options).map(
        ([form, { value }]) => `${JSON.stringify(form)}: \`${compileParts(value, element.value)}\``,
      );
      return `\${plural(said.${element.value}, { ${forms.join(', ')} })}`;
    })
    .join('');

const compileMessage = (path: string, message: string): string => {
  const elements = parseMessage(path, message);
  const code = `\`${compileParts(elements)}\``;
  return describeArguments({ path, elements }) === '' ? code : `(said) => ${code}`;
};

const isList = (node: Catalogue): node is readonly Catalogue[] => Array.isArray(node);

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Returns the code of a part of a catalogue. */
const compile = (path: string, node: Catalogue): string => {
  if (typeof node === 'string') return compileMessage(path, node);
  if (isList(node)) return `[${node.map((item, at) => compile(join(path, String(at)), item)).join(', ')}]`;
  const members = Object.entries(node).map(
    ([name, item]) => `${JSON.stringify(name)}: ${compile(join(path, name), item)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
};

/** Returns the type of a part of a catalogue. A member that some items of a list lack is optional. */
const describe = (path: string, nodes: readonly Catalogue[]): string => {
  const messages = nodes.filter((node) => typeof node === 'string');
  const lists = nodes.filter(isList);
  const groups = nodes.filter((node) => typeof node !== 'string' && !isList(node)) as Record<string, Catalogue>[];
  const names = [...new Set(groups.flatMap((group) => Object.keys(group)))];
  const members = names.map((name) => {
    const holders = groups.filter((group) => Object.hasOwn(group, name));
    const mark = holders.length < groups.length ? '?' : '';
    const items = holders.map((group) => group[name] as Catalogue);
    return `readonly ${JSON.stringify(name)}${mark}: ${describe(join(path, name), items)};\n`;
  });
  const types = [
    ...messages.map((message) => {
      const given = describeArguments({ path, elements: parseMessage(path, message) });
      return given === '' ? 'string' : `((said: { ${given} }) => string)`;
    }),
    ...(lists.length > 0 ? [`readonly (${describe(`${path}[]`, lists.flat())})[]`] : []),
    ...(groups.length > 0 ? [`{\n${members.join('')}}`] : []),
  ];
  return [...new Set(types)].join(' | ');
};

/** Returns the messages of a catalogue by path. */
const listMessages = (node: Catalogue, path = ''): ReadonlyMap<string, string> =>
  typeof node === 'string'
    ? new Map([[path, node]])
    : new Map(Object.entries(node).flatMap(([name, item]) => [...listMessages(item as Catalogue, join(path, name))]));

const hasFormFor = ({ options }: PluralElement, count: number, rules: Intl.PluralRules): boolean =>
  `=${count}` in options || rules.select(count) in options;

/** Returns whether each plural of a message has a form for each count. */
const countsAll = (elements: readonly MessageFormatElement[], rules: Intl.PluralRules): boolean =>
  elements.filter(isPlural).every((element) => COUNTS.every((count) => hasFormFor(element, count, rules)));

/** Returns what is wrong with a translation, one line for each message. */
export const findFaults = (catalogue: Catalogue, source: Catalogue, locale: string): string[] => {
  const [messages, originals] = [listMessages(catalogue), listMessages(source)];
  const rules = new Intl.PluralRules(locale);
  const findFault = (path: string): string | undefined => {
    const [message, original] = [messages.get(path), originals.get(path)];
    if (original === undefined) return 'the source has no such message';
    if (message === undefined || message === '') return 'the message is missing';
    const elements = parseMessage(path, message);
    const given = describeArguments({ path, elements });
    const expected = describeArguments({ path, elements: parseMessage(path, original) });
    if (given !== expected) return `the arguments are { ${given} } instead of { ${expected} }`;
    return countsAll(elements, rules) ? undefined : `a plural lacks a form that ${locale} has`;
  };
  return [...new Set([...originals.keys(), ...messages.keys()])].flatMap((path) => {
    const fault = findFault(path);
    return fault === undefined ? [] : [`${path}: ${fault}`];
  });
};

const HEAD = '// Made by packages/portal/scripts/texts.ts from the catalogues in packages/portal/src/texts.\n';

/** Returns the module of a language. Its messages need no library. */
export const writeModule = (locale: string, catalogue: Readonly<Record<string, Catalogue>>): string => `${HEAD}
import { createCounting } from '../texts/counting.ts';
import type { Messages } from './messages.ts';

export const locale = '${locale}';
const { number, plural } = /* @__PURE__ */ createCounting(locale);
${Object.entries(catalogue)
  .map(([name, node]) => `export const ${name}: Messages['${name}'] = ${compile(name, node)};\n`)
  .join('')}
export const messages: Messages = { ${Object.keys(catalogue).join(', ')} };
`;

/** Returns the module with the type of all texts. */
export const writeType = (source: Catalogue): string =>
  `${HEAD}\n/** Every text of the site. */\nexport interface Messages ${describe('', [source])}\n`;

const readCatalogue = (code: string): Readonly<Record<string, Catalogue>> =>
  JSON.parse(readFileSync(new URL(`../src/texts/${code}.json`, import.meta.url), 'utf8')) as Record<string, Catalogue>;

/**
 * Returns the modules of the site's texts by file name: one for each language, and the type that they share.
 * @throws Error that names each message which is missing or does not fit
 */
export const buildSiteTexts = (): Readonly<Record<string, string>> => {
  const source = readCatalogue(SOURCE);
  const catalogues = Object.entries(LOCALES).map(([code, { locale }]) => ({ code, locale, all: readCatalogue(code) }));
  const faults = catalogues.flatMap(({ code, locale, all }) =>
    findFaults(all, source, locale).map((fault) => `${code}.json: ${fault}`),
  );
  if (faults.length > 0) throw new Error(`Texts do not fit:\n${faults.join('\n')}`);
  return {
    'messages.ts': writeType(source),
    ...Object.fromEntries(catalogues.map(({ code, locale, all }) => [`${code}.ts`, writeModule(locale, all)])),
  };
};
