import { LANGUAGES } from '@broker-transparency/portal';
import { expect, test } from 'vitest';
import { COMPLAINT_CLOCK } from '../features/complaints/policy.rule.ts';
import { FAILED_KEPT_MS, SENT_KEPT_MS } from '../features/notices/policy.rule.ts';
import { MODULES } from '../modules.ts';

const DAY_MS = 86_400_000;

test.each(LANGUAGES.map(({ texts }) => texts))(
  'the privacy page in $name names what each source of personal data keeps',
  async ({ operator }) => {
    const sources = await Promise.all(MODULES.flatMap(({ personalData }) => personalData?.() ?? []));
    expect(Object.keys(operator.kept.parts).sort()).toEqual(sources.map(({ name }) => name).sort());
  },
);

test.each(LANGUAGES.map(({ texts }) => texts))(
  'the pages in $name have the terms that the service keeps',
  ({ operator }) => {
    const days = (text: string | undefined) =>
      [...String(text).matchAll(/(\d+) (?:days|Tage|días)/g)].map(([, n]) => Number(n));
    expect(days(operator.kept.parts['noticeAddresses'])).toEqual([SENT_KEPT_MS / DAY_MS, FAILED_KEPT_MS / DAY_MS]);
    const disputes = operator.corrections.sections.flatMap(({ points = [] }) => points);
    expect(days(disputes.find((point) => /\d/.test(point)))).toEqual([
      COMPLAINT_CLOCK.dueDays,
      COMPLAINT_CLOCK.finalDays,
    ]);
  },
);
