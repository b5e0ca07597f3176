import { openApiDocument } from '@broker-transparency/contract/openapi';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from './files.ts';
import { buildHover } from './hovers.ts';

const { schemas } = openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).components;

describe('a field’s comment', () => {
  const slug = { type: 'string', description: 'Lower case.', maxLength: 80, examples: ['a-b'] };
  const reference = { $ref: '#/components/schemas/Slug' };
  const named = { Slug: slug, Thing: { type: 'object', description: 'A thing.', properties: {} } };

  test.each([
    ['meaning and limits', { description: 'Title.', minLength: 3, maxLength: 120 }, ['Title.', '3 to 120 characters.']],
    ['a lower limit without an upper one', { minimum: 1 }, ['At least 1.']],
    ['limits and a default', { minimum: 1, maximum: 100, default: 20 }, ['1 to 100.', 'Default: 20.']],
    ['the number of items', { items: {}, maxItems: 20 }, ['At most 20 items.']],
    ['an example', { description: 'Names.', examples: [['Fx', 'Gx']] }, ['Names.', '@example ["Fx","Gx"]']],
    ['an example with quotes', { examples: ['"limit" is late'] }, [`@example '"limit" is late'`]],
    [
      'the format of a named type',
      { ...reference, description: 'The broker.' },
      ['The broker.', 'Lower case.', 'At most 80 characters.', "@example 'a-b'"],
    ],
    [
      'the format of a named type that can be null',
      { anyOf: [reference, { type: 'null' }], description: 'The broker; null: none.' },
      ['The broker; null: none.', 'Lower case.', 'At most 80 characters.', "@example 'a-b'"],
    ],
    [
      'the example of the field instead of the type’s',
      { ...reference, examples: ['x'] },
      ['Lower case.', 'At most 80 characters.', "@example 'x'"],
    ],
    ['nothing about the fields of an object', { $ref: '#/components/schemas/Thing', description: 'It.' }, ['It.']],
  ])('says %s', (_, field, lines) => {
    expect(buildHover(field, named)).toEqual(lines);
  });
});

const source = ts.createSourceFile('api.ts', (await generatedFiles())['api.ts'] ?? '', ts.ScriptTarget.ES2023, true);

/** Returns the comments of all types and fields in a file, by their dotted place. */
const listComments = (file: ts.SourceFile): Map<string, string> => {
  const comments = new Map<string, string>();
  const visit = (node: ts.Node, place: string): void => {
    const named = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isPropertySignature(node);
    const here = named ? `${place}${place && '.'}${node.name.getText()}` : place;
    if (named)
      comments.set(
        here,
        ts
          .getJSDocCommentsAndTags(node)
          .map((doc) => doc.getText())
          .join('\n'),
      );
    ts.forEachChild(node, (child) => visit(child, here));
  };
  for (const statement of file.statements)
    if (!ts.isInterfaceDeclaration(statement) || !statement.name.text.endsWith('Operations')) visit(statement, '');
  return comments;
};

describe('the generated types', () => {
  const comments = listComments(source);

  test('explain each type and field', () => {
    expect(comments.size).toBeGreaterThan(250);
    const silent = [...comments]
      .filter(([, comment]) => !/\/\*\*\s+(\* )?[^\s@*]/.test(comment))
      .map(([place]) => place);
    expect(silent).toEqual([]);
  });

  test('repeat the description of each field in the OpenAPI document', () => {
    const said = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties).map(([field, { description = '' }]) => ({ place: `${name}.${field}`, description })),
    );
    const known = said.filter(({ place }) => comments.has(place));
    expect(known.length).toBeGreaterThan(200);
    for (const { place, description } of known) expect(comments.get(place), place).toContain(description);
  });

  test.each([
    ['ReviewSubmission.title', '3 to 120 characters.'],
    ['ReviewSubmission.rating', '1 to 5.'],
    ['SearchQuery.q', '1 to 100 characters.'],
    ['BrokersListQuery.offset', '0 to 100000.\n   * Default: 0.'],
    ['BrokerDetail.licensesCheckedAt', 'RFC 3339 time in UTC'],
    ['ComplaintReceipt.reference', "@example 'C-7QK2M9XF4T'"],
  ])('show limits and examples: %s', (place, text) => {
    expect(comments.get(place)).toContain(text);
  });
});
