/* Reports are lists of declarations. One that is too long for a line has its members on lines of their own. */

const WIDTH = 140;

/** The position after the text in quotes that begins at `start`. */
const skipQuoted = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== text[start]) at += text[at] === '\\' ? 2 : 1;
  return at;
};

/** The position of the bracket that closes the one at `start`. */
const findClosing = (text: string, start: number): number => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? '';
    if (`'"\``.includes(char)) at = skipQuoted(text, at);
    else if ('{(['.includes(char)) depth++;
    else if ('})]'.includes(char) && --depth === 0) return at;
  }
  throw new Error(`not closed: ${text.slice(start, start + 60)}`);
};

const splitMembers = (text: string): string[] => {
  const members: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (`'"\``.includes(char)) at = skipQuoted(text, at);
    else if ('{(['.includes(char)) at = findClosing(text, at);
    else if (char === ';') {
      members.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...members, text.slice(from).trim()];
};

interface DeclarationParts {
  readonly head: string;
  readonly members: readonly string[];
  /** The text from the closing brace on. */
  readonly tail: string;
}

const splitDeclaration = (text: string): DeclarationParts | undefined => {
  const open = text.indexOf('{ ');
  if (open < 0) return undefined;
  const close = findClosing(text, open);
  return { head: text.slice(0, open + 1), members: splitMembers(text.slice(open + 1, close)), tail: text.slice(close) };
};

/** Writes a declaration, on several lines if it is long. */
export const layOut = (text: string, indent = ''): string => {
  const parts = indent.length + text.length > WIDTH ? splitDeclaration(text) : undefined;
  if (parts === undefined) return indent + text;
  const members = parts.members.map((member) => layOut(member, `${indent}  `));
  return `${indent}${parts.head}\n${members.join('\n')}\n${layOut(parts.tail, indent)}`;
};

/**
 * The declarations of a report, each on one line again. Patterns have signs that end a line elsewhere: only `\n` does
 * here.
 */
const readDeclarations = (report: string): string[] =>
  report.split(/(?<=\n)(?=[^\s}])/).map((declaration) =>
    declaration
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .reduce((text, line) => (text.endsWith('{') || line.startsWith('}') ? `${text} ${line}` : `${text}; ${line}`)),
  );

const KIND =
  /^((internal )?(const type|const|type|interface|class|enum|schema|response|header|[A-Z]+) [^\s:<(]+|[^:<(]+)/;

/** Each member of a declaration, with the names of what it is in. */
const flatten = (text: string, path = ''): string[] => {
  const [list, home, names] = /^(from '.*'): (.*)/.exec(text) ?? [];
  if (list !== undefined) return (names ?? '').split(', ').map((name) => `${home} › ${name}`);
  const parts = splitDeclaration(text);
  if (parts === undefined) return [path + text];
  const inside = `${path}${KIND.exec(text)?.[0].trim()} › `;
  const rest = parts.tail.slice(1);
  return [
    path + parts.head.slice(0, -1).trim(),
    ...parts.members.flatMap((member) => flatten(member, inside)),
    ...(rest === '' ? [] : flatten(rest, inside)),
  ];
};

const listMembers = (report: string): Set<string> =>
  new Set(readDeclarations(report).flatMap((declaration) => flatten(declaration)));

/** The differences between two reports: `-` is gone or was different, `+` is new. */
export const compareReports = (before: string, now: string): string[] => {
  const [old, current] = [listMembers(before), listMembers(now)];
  return [
    ...[...old].filter((member) => !current.has(member)).map((member) => `- ${member}`),
    ...[...current].filter((member) => !old.has(member)).map((member) => `+ ${member}`),
  ];
};
