import { expect, test } from 'vitest';
import { findAlarms } from './alarms.rule.ts';
import type { MatchableBroker } from './match.rule.ts';

const broker = (key: string, over: Partial<MatchableBroker> = {}): MatchableBroker => ({
  key,
  keys: [key],
  slug: key,
  name: key,
  legalNames: [`${key} Ltd`],
  tradingNames: [key],
  domains: [`${key}.example`],
  leis: [],
  licenses: [],
  ...over,
});
const license = (regulator: string, number: string, holder: string) => ({ regulator, number, holder, isHeld: true });

test.each<[string, MatchableBroker[], object[]]>([
  ['brokers with nothing in common', [broker('alpha'), broker('beta')], []],
  [
    'a number of two firms',
    [
      broker('alpha', { licenses: [license('fca', '123456', 'Alpha Ltd')] }),
      broker('beta', { licenses: [license('fca', 'FRN 0123456', 'Beta Ltd')] }),
    ],
    [{ kind: 'number', regulator: 'fca', value: '123456', brokers: ['alpha', 'beta'], isClone: true }],
  ],
  [
    'a number of one firm with two brands',
    [
      broker('alpha', { licenses: [license('fca', '123456', 'Gamma Limited')] }),
      broker('beta', { licenses: [license('fca', '123456', 'GAMMA LTD')] }),
    ],
    [{ kind: 'number', isClone: false }],
  ],
  [
    'one number at two regulators',
    [
      broker('alpha', { licenses: [license('fca', '123456', 'Alpha Ltd')] }),
      broker('beta', { licenses: [license('asic', '123456', 'Beta Ltd')] }),
    ],
    [],
  ],
  [
    'one domain, however it is written',
    [
      broker('alpha', { domains: ['https://www.shared.example/x'] }),
      broker('beta', { domains: ['trade.shared.example'] }),
    ],
    [{ kind: 'domain', regulator: null, value: 'shared.example', isClone: true }],
  ],
  [
    'pages on a platform that anybody can have',
    [broker('alpha', { domains: ['t.me'] }), broker('beta', { domains: ['https://t.me/beta'] })],
    [],
  ],
])('%s', (_, brokers, expected) => expect(findAlarms(brokers)).toMatchObject(expected));

test('a further broker makes it another alarm', () => {
  const shared = (key: string) => broker(key, { domains: ['shared.example'] });
  const [two] = findAlarms([shared('alpha'), shared('beta')]);
  const [three] = findAlarms([shared('alpha'), shared('beta'), shared('gamma')]);
  expect(two?._id).not.toBe(three?._id);
  expect(findAlarms([shared('beta'), shared('alpha')])[0]?._id).toBe(two?._id);
});
