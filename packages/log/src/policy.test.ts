import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatVerifierKey, type SignatureType } from './note.ts';
import { fewestWitnesses, isReached, parsePolicy, type Quorum } from './policy.ts';

const formatKey = (number: number, type: SignatureType): string =>
  formatVerifierKey({ name: `k${number}.example`, keyId: number, type, publicKey: new Uint8Array(32).fill(number) });
const LOG = formatKey(1, 1);
const [X1, X2, X3, Y1, Y2, Y3] = [11, 12, 13, 21, 22, 23].map((number) => formatKey(number, 4));

/** The example of c2sp.org/tlog-policy. */
const EXAMPLE = `log ${LOG}

witness X1 ${X1}
witness X2 ${X2}
witness X3 ${X3}
group X-witnesses 2 X1 X2 X3

witness Y1 ${Y1}
witness Y2 ${Y2}
witness Y3 ${Y3}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`;

test.each([
  [[], false],
  [['X1', 'X2'], false],
  [['X1', 'Y1'], false],
  [['Y1', 'Y2', 'Y3', 'X1'], false],
  [['X1', 'X3', 'Y2'], true],
  [['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'], true],
  [['X1', 'X3', 'Y9'], false],
])('%j reach the quorum of the specification: %s', (names, reached) => {
  expect(isReached(parsePolicy(EXAMPLE).quorum, new Set(names))).toBe(reached);
});

test('the quorum of the specification needs three witnesses', () => {
  expect(fewestWitnesses(parsePolicy(EXAMPLE).quorum)).toBe(3);
});

test('keys, names and addresses are read; blanks and comments are not', () => {
  const text = `\t# a comment\n  log\t${LOG}   https://log.example/1\n\nwitness Ÿ ${X1} https://w.example\nquorum Ÿ`;
  const { logs, witnesses, quorum } = parsePolicy(text);
  expect(logs).toMatchObject([{ url: 'https://log.example/1', key: { name: 'k1.example', keyId: 1, type: 1 } }]);
  expect(witnesses).toMatchObject([{ name: 'Ÿ', url: 'https://w.example', key: { name: 'k11.example', type: 4 } }]);
  expect(quorum).toEqual({ threshold: 1, members: ['Ÿ'] });
});

test('quorum none is reached by nobody', () => {
  const { quorum } = parsePolicy(`log ${LOG}\nwitness X1 ${X1}\nquorum none\n`);
  expect(isReached(quorum, new Set())).toBe(true);
  expect(fewestWitnesses(quorum)).toBe(0);
});

const W = `witness X1 ${X1}\nwitness X2 ${X2}\n`;

test.each([
  ['', /^line 1: expected a quorum, not "the end"$/],
  [`log ${LOG}\n`, /^line 2: expected a quorum/],
  ['quorum none\nquorum none\n', /^line 2: expected one quorum/],
  ['quorum\n', /^line 1: expected the name of a witness or group/],
  ['quorum none none\n', /^line 1: expected the end of the line, not "none"/],
  ['quorum X1\n', /^line 1: expected the name of a witness or group defined before, not "X1"/],
  ['Log x\n', /^line 1: expected log, witness, group or quorum, not "Log"/],
  ['toString x\n', /^line 1: expected log, witness/],
  ['quorum none\r\n', /^line 1: expected no control characters/],
  ['log\n', /^line 1: expected a verifier key/],
  [`\nlog ${X1}\n`, /^line 2: expected a key of type 1, not "type 4"/],
  [`log ${LOG} a b\n`, /^line 1: expected the end of the line, not "b"/],
  [`log ${LOG}\nlog ${LOG.replace('k1.', 'k2.')}\n`, /^line 2: expected a key that no line before has/],
  [`witness X1 ${LOG}\n`, /^line 1: expected a key of type 4, not "type 1"/],
  [`witness none ${X1}\n`, /^line 1: expected a new name, not "none"/],
  [`${W}witness X1 ${X3}\n`, /^line 3: expected a new name, not "X1"/],
  [`${W}witness X3 ${X1}\n`, /^line 3: expected a key that no line before has/],
  [`${W}group X1 any X2\n`, /^line 3: expected a new name/],
  [`${W}group g\n`, /^line 3: expected group, a name, a threshold and members/],
  [`${W}group g any\n`, /^line 3: expected group, a name/],
  [`${W}group g 0 X1 X2\n`, /^line 3: expected any, all or a number from 1 to 2, not "0"/],
  [`${W}group g 3 X1 X2\n`, /^line 3: .* not "3"/],
  [`${W}group g 01 X1 X2\n`, /^line 3: .* not "01"/],
  [`${W}group g some X1 X2\n`, /^line 3: .* not "some"/],
  [`${W}group g any g\n`, /^line 3: expected the name of a witness or group defined before, not "g"/],
  [`${W}group g any none\n`, /^line 3: expected the name/],
  [`${W}group g 2 X1 X1\n`, /^line 3: expected a name that is in no other group, not "X1"/],
  [`${W}group g any X1\ngroup h any X1 X2\n`, /^line 4: expected a name that is in no other group/],
])('%# is refused: %s', (text, message) => {
  expect(() => parsePolicy(text)).toThrow(SyntaxError);
  expect(() => parsePolicy(text)).toThrow(message);
});

describe('the fewest witnesses', () => {
  const { quorum: quorums } = fc.letrec<{ quorum: Quorum }>((tie) => ({
    quorum: fc
      .array(fc.oneof({ maxDepth: 2 }, fc.constant('w'), tie('quorum')), { minLength: 1, maxLength: 3 })
      .chain((members) =>
        fc.record({ threshold: fc.integer({ min: 1, max: members.length }), members: fc.constant(members) }),
      ),
  }));

  /** Gives each witness a name of its own. */
  const named = (quorum: Quorum, names: string[]): Quorum => ({
    ...quorum,
    members: quorum.members.map((member) => {
      if (typeof member !== 'string') return named(member, names);
      names.push(`w${names.length}`);
      return names.at(-1) as string;
    }),
  });

  test('reach a quorum, and one fewer never does', () => {
    fc.assert(
      fc.property(quorums, (drawn) => {
        const names: string[] = [];
        const quorum = named(drawn, names);
        fc.pre(names.length <= 10);
        const reaching = Array.from({ length: 2 ** names.length }, (_, bits) =>
          names.filter((_name, at) => (bits >> at) % 2 === 1),
        ).filter((subset) => isReached(quorum, new Set(subset)));
        expect(fewestWitnesses(quorum)).toBe(Math.min(...reaching.map(({ length }) => length)));
      }),
    );
  });
});
