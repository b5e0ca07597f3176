import { DISPUTE_FIELDS } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../languages.ts';
import type { PageContext } from '../../page.ts';
import { type Dispute, describeChange, describeDispute, listDisputesIn } from './dispute.rule.ts';
import { disputesIn } from './dispute.ts';

const [english] = LANGUAGES as [(typeof LANGUAGES)[number]];
const NOW = new Date('2026-11-10T00:00:00Z');
const open: Dispute = {
  reference: 'D-1',
  field: 'licenses',
  status: 'open',
  since: '2026-11-03T12:00:00.000Z',
  dueAt: '2026-11-17T12:00:00.000Z',
};
const decidedAt = '2026-11-08T09:00:00.000Z';

describe('what everybody reads of a dispute', () => {
  test.each([
    [open, NOW, 'The firm disputes its licences since 3 Nov 2026. Decision due by 17 Nov 2026.'],
    [
      open,
      new Date('2026-11-18T00:00:00Z'),
      'The firm disputes its licences since 3 Nov 2026. The decision was due by 17 Nov 2026: we are late.',
    ],
    [
      { ...open, status: 'upheld', decidedAt },
      NOW,
      'The firm disputed its licences on 3 Nov 2026. We agreed on 8 Nov 2026, and changed it.',
    ],
    [
      { ...open, field: 'complaints', status: 'upheld', decidedAt },
      NOW,
      'The firm disputed the numbers of complaints on 3 Nov 2026. We agreed on 8 Nov 2026.',
    ],
    [
      { ...open, status: 'rejected', decidedAt },
      NOW,
      'The firm disputed its licences on 3 Nov 2026. We checked it, and decided on 8 Nov 2026 that it stays.',
    ],
    [
      { ...open, status: 'withdrawn', decidedAt },
      NOW,
      'The firm disputed its licences on 3 Nov 2026, and took that back on 8 Nov 2026.',
    ],
    [{ ...open, status: 'paused' }, NOW, 'its licences: paused'],
  ] as [Dispute, Date, string][])('%j', (dispute, now, text) => {
    expect(describeDispute(english, dispute, now)).toBe(text);
  });

  test('an upheld dispute says what changed, and which statement did it; no other one does', () => {
    const upheld: Dispute = { ...open, status: 'upheld', decidedAt, change: 'corrected', statement: 12 };
    expect(describeChange(english, upheld)).toBe('It was corrected: statement 12 about this firm');
    expect(describeChange(english, { ...upheld, statement: undefined })).toBeUndefined();
    expect(describeChange(english, { ...upheld, status: 'rejected' })).toBeUndefined();
    expect(describeChange(english, open)).toBeUndefined();
  });
});

describe.each(LANGUAGES.map((language) => ({ name: language.texts.name, language })))('in $name', ({ language }) => {
  const context = { ...language, now: NOW } as PageContext;
  const sections = Object.keys(language.texts.broker.sections) as (keyof typeof language.texts.broker.sections)[];

  test.each(DISPUTE_FIELDS)('a dispute of %s stands in exactly one section', (field) => {
    const found = sections.filter((section) => listDisputesIn(section, [{ ...open, field }]).length > 0);
    expect(found).toHaveLength(1);
  });

  test('open disputes come first, and a text is escaped', () => {
    const text = '<script>alert(1)</script>"\' onload=x';
    const rejected: Dispute = { ...open, reference: 'D-2', status: 'rejected', decidedAt, text };
    const html = disputesIn(context, 'licences', [rejected, open]);
    const shown = html === false ? '' : html.text;
    expect(shown.indexOf('D-1')).toBeLessThan(shown.indexOf('D-2'));
    expect(shown).not.toContain('<script>');
    expect(shown).toContain('&lt;script&gt;');
    expect(disputesIn(context, 'licences', [])).toBe(false);
  });
});
