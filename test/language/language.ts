/**
 * Checks the words of the code and of its tests: types are nouns, functions begin with a verb, a type name says which
 * one it is, and a test title is a whole statement. Prints each place with its cure, and ends with 1 if there is any.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const FILES = globSync(['{contract,client,packages,server,ops,test}/**/*.ts', 'docs/recipes/*.{ts,tsx}'], {
  cwd: ROOT,
  exclude: ['**/node_modules', '**/dist', '**/generated', 'test/packages/reports'],
});

/** Participles that do not end in -ed, and present participles that name nothing. */
const PARTICIPLES =
  /^(Built|Chosen|Done|Drawn|Found|Given|Gone|Held|Kept|Known|Left|Lost|Made|Met|Put|Read|Said|Seen|Sent|Shown|Taken|Told|Understood|Written|Asking|Incoming|Standing|Taking|Waiting|Writing|[A-Z][a-z]+[^e]ed)$/;

/** The name of a component of the OpenAPI document, which callers know. */
const PUBLISHED: ReadonlySet<string> = new Set(['Moved']);

/** Words with which a title begins if its subject stands only in the `describe` around it. */
const MID_SENTENCE =
  /^(after|also|and|are|as|at|because|before|but|by|can|cannot|did|do|does|for|from|had|has|have|if|in|is|it|may|must|nor|not|of|on|only|or|since|than|that|there|though|to|unless|until|was|were|what|when|where|whether|which|while|who|whose|will|with|without|would)\b/;

/** A type name that more definitions share says too little: in all of the product, or in the tests of one top folder. */
const MOST_DEFINITIONS = 2;

const faults: string[] = [];
const definitions = new Map<string, string[]>();

/** `asOf` is the standard term for the day that a file tells of, the others are keywords of JSON Schema. */
const TERMS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'asOf', 'multipleOf', 'oneOf']);

/** Returns true for names such as `keyOf`. */
const isWithoutVerb = (name: string): boolean => /[a-z]Of$/.test(name) && !TERMS.has(name);

/** Returns true for a parameter, a part of a pattern, or a member of an object or type. */
const isMember = (node: ts.Node): node is ts.NamedDeclaration =>
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isPropertySignature(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node);

/** Returns true for a plural or a participle with a place or time: `linesIn` and `closedAt`, but not `holdsAt`. */
const isPlace = (name: string): boolean =>
  /^#?[a-z]*([^s]s|[^e]ed|drawn|said|shown)(About|At|By|For|From|In|On|There|With)$/.test(name) &&
  !/^(has|holds|is)[A-Z]/.test(name);

/** Returns the name of the function that a call begins with, such as `test` of `test.each(rows)('…')`. */
const findCallee = (node: ts.Expression): string =>
  ts.isIdentifier(node)
    ? node.text
    : ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)
      ? findCallee(node.expression)
      : '';

const checkType = (name: string, place: string, owner: string): void => {
  if (PARTICIPLES.test(name) && !PUBLISHED.has(name))
    faults.push(`${place}: the type ${name} is no noun; name the thing, such as PendingRequest for Asked`);
  const key = `${owner} ${name}`;
  definitions.set(key, [...(definitions.get(key) ?? []), place]);
};

const checkFile = (file: string): void => {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const [top = ''] = file.split('/');
  const isTest = ['docs', 'ops', 'test'].includes(top) || file.endsWith('.test.ts');
  const visit = (node: ts.Node): void => {
    const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isModuleDeclaration(node)) return; // it extends a type of another file
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
      if (node.name) checkType(node.name.text, place, isTest ? top : 'product');
    if (ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || isMember(node)) {
      const isFunction =
        ts.isFunctionDeclaration(node) ||
        ts.isMethodDeclaration(node) ||
        (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer));
      const name = node.name?.getText() ?? '';
      if (isWithoutVerb(name) || (isTest && isFunction && isPlace(name)))
        faults.push(
          `${place}: ${name} says neither what it does nor what it holds; findKey for keyOf, keysByName for a map`,
        );
    }
    if (ts.isCallExpression(node) && ['it', 'test'].includes(findCallee(node.expression))) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title) && MID_SENTENCE.test(title.text))
        faults.push(`${place}: the title "${title.text}" begins in mid-sentence; begin with its subject or a verb`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
};

for (const file of FILES.sort()) checkFile(file);
for (const [key, places] of definitions)
  if (places.length > MOST_DEFINITIONS)
    faults.push(`${key.split(' ')[1]} is defined ${places.length} times; say which one each is: ${places.join(', ')}`);
console.log(faults.length === 0 ? `The words of ${FILES.length} files are in order.` : faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
