import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { messageFaults, type SignedMessage, webhookKey } from './signature.rule.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
const createKey = (secret: string): Buffer => webhookKey(secret) as Buffer;
const NOW = new Date('2026-11-02T12:00:00.000Z');
const SECONDS = NOW.getTime() / 1000;

/** Signed by the library that providers use. */
const signed = (over: Partial<SignedMessage> = {}, secret = SECRET, seconds = SECONDS): SignedMessage => {
  const body = Buffer.from('{"type":"kyc.updated","name":"Ægir"}');
  const signature = new Webhook(secret).sign('msg_1', new Date(seconds * 1000), body.toString());
  return { id: 'msg_1', timestamp: String(seconds), signature, body, ...over };
};
const signText = (text: string): Partial<SignedMessage> => ({
  signature: new Webhook(SECRET).sign('msg_1', NOW, text),
});
const codes = (message: SignedMessage, ...secrets: string[]) =>
  messageFaults(message, secrets.map(createKey), NOW).map(({ parameter, code }) => `${parameter} ${code}`);

describe('a message', () => {
  test.each([
    ['one secret', signed(), [SECRET]],
    ['the first of two secrets', signed(), [SECRET, OTHER]],
    ['the second of two secrets', signed(), [OTHER, SECRET]],
    ['both of two secrets', signed({ signature: `${signed({}, OTHER).signature} ${signed().signature}` }), [SECRET]],
    ['a version not known here, too', signed({ signature: `v1a,AAAA ${signed().signature}` }), [SECRET]],
    ['a clock five minutes behind', signed({}, SECRET, SECONDS - 300), [SECRET]],
    ['a clock five minutes ahead', signed({}, SECRET, SECONDS + 300), [SECRET]],
  ])('a message is genuine with %s', (_, message, secrets) => {
    expect(codes(message, ...secrets)).toEqual([]);
  });

  const BAD = ['webhook-signature invalid_signature'];
  const { signature = '' } = signed();
  test.each<[string, SignedMessage, string[]]>([
    ['another secret', signed({}, OTHER), BAD],
    ['another body', signed({ body: Buffer.from('{}') }), BAD],
    ['another id', signed({ id: 'msg_2' }), BAD],
    ['another time', signed({ timestamp: String(SECONDS + 1) }), BAD],
    ['another way to write the time', signed({ timestamp: `0${SECONDS}` }), BAD],
    ['bytes that only decode alike', signed({ ...signText('"\ufffd"'), body: Buffer.from([0x22, 0xff, 0x22]) }), BAD],
    ['half a signature', signed({ signature: signature.slice(0, 20) }), BAD],
    ['no version', signed({ signature: signature.slice(3) }), BAD],
    ['version 2', signed({ signature: `v2${signature.slice(2)}` }), BAD],
    ['an empty signature', signed({ signature: '' }), BAD],
    ['nothing after the version', signed({ signature: 'v1,' }), BAD],
    ['no signature', signed({ signature: undefined }), ['webhook-signature required']],
    ['a time too old', signed({}, SECRET, SECONDS - 301), ['webhook-timestamp too_small']],
    ['a time too far ahead', signed({}, SECRET, SECONDS + 301), ['webhook-timestamp too_big']],
    ['a time that is none', signed({ timestamp: `${SECONDS}x` }), ['webhook-timestamp invalid_format', ...BAD]],
    ['no time', signed({ timestamp: undefined }), ['webhook-timestamp required', ...BAD]],
    ['an id with blanks', signed({ id: 'a b' }), ['webhook-id invalid_format', ...BAD]],
    ['an id too long', signed({ id: 'x'.repeat(256) }), ['webhook-id invalid_format', ...BAD]],
    ['no id', signed({ id: undefined }), ['webhook-id required', ...BAD]],
  ])('a message is refused with %s', (_, message, expected) => {
    expect(codes(message, SECRET)).toEqual(expected);
  });

  test('a message is genuine for nobody without secrets', () => {
    expect(codes(signed())).toEqual(BAD);
  });
});

describe('a secret', () => {
  test.each([24, 32, 64])('a secret of %d bytes is a key', (length) => {
    expect(webhookKey(`whsec_${Buffer.alloc(length, 9).toString('base64')}`)).toEqual(Buffer.alloc(length, 9));
  });

  test.each([
    'whsec_',
    Buffer.alloc(32).toString('base64'),
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    `whsec_${'A'.repeat(31)}*`,
    `whpk_${Buffer.alloc(32).toString('base64')}`,
  ])('a secret is not %s', (text) => {
    expect(webhookKey(text)).toBeUndefined();
  });
});

test('a message is genuine with any key it was signed by, and after any change it is not', () => {
  const key = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => Buffer.from(bytes));
  const body = fc.string({ unit: 'grapheme' });
  const id = fc.stringMatching(/^[!-~]{1,20}$/);
  fc.assert(
    fc.property(
      key,
      key,
      id,
      body,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (own, other, name, text, at, change) => {
        fc.pre(!own.equals(other));
        const secret = `whsec_${own.toString('base64')}`;
        expect(webhookKey(secret)).toEqual(own);
        const message: SignedMessage = {
          id: name,
          timestamp: String(SECONDS),
          signature: new Webhook(secret).sign(name, NOW, text),
          body: Buffer.from(text),
        };
        const faults = (over: Partial<SignedMessage>, ...keys: Buffer[]) =>
          messageFaults({ ...message, ...over }, keys, NOW);
        expect(faults({}, other, own)).toEqual([]);
        expect(faults({}, other)).toHaveLength(1);
        const changed = Buffer.from(`${text} `);
        const place = at % changed.length;
        changed[place] = (changed[place] as number) ^ change;
        expect(faults({ body: changed }, own)).toHaveLength(1);
        expect(faults({ body: changed.subarray(0, -1), id: `${name}.` }, own)).toHaveLength(1);
      },
    ),
    { seed: 20_261_121, numRuns: 200 },
  );
});

test('any headers are judged', () => {
  const odd = fc.constantFrom('v1,', 'v1,AA==', ' ', '9'.repeat(400), undefined);
  const header = fc.oneof(fc.string({ unit: 'grapheme' }), odd);
  fc.assert(
    fc.property(header, header, header, (id, timestamp, signature) => {
      const faults = messageFaults({ id, timestamp, signature, body: Buffer.alloc(0) }, [createKey(SECRET)], NOW);
      expect(faults.map(({ parameter }) => parameter)).toContain('webhook-signature');
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});
