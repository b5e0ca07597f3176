import { expect, test } from 'vitest';
import { parseTraceparent } from './traces.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const IDS = { traceId: TRACE, spanId: SPAN };

// https://www.w3.org/TR/trace-context/#traceparent-header
test.each<[string, string | string[] | undefined, object]>([
  ['sampled', `00-${TRACE}-${SPAN}-01`, IDS],
  ['not sampled', `00-${TRACE}-${SPAN}-00`, IDS],
  ['of a later version', `01-${TRACE}-${SPAN}-01`, IDS],
  ['of a later version, with more', `cc-${TRACE}-${SPAN}-01-what-comes`, IDS],
  ['none', undefined, {}],
  ['empty', '', {}],
  ['with more than version 00 has', `00-${TRACE}-${SPAN}-01-more`, {}],
  ['of the forbidden version', `ff-${TRACE}-${SPAN}-01`, {}],
  ['in capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`, {}],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, {}],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, {}],
  ['too short', `00-${TRACE.slice(1)}-${SPAN}-01`, {}],
  ['too long', `00-${TRACE}0-${SPAN}-01`, {}],
  ['without flags', `00-${TRACE}-${SPAN}`, {}],
  ['with blanks', ` 00-${TRACE}-${SPAN}-01`, {}],
  ['with a line break', `00-${TRACE}-${SPAN}-01\n`, {}],
  ['twice, as Node joins them', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, {}],
  ['a list', [`00-${TRACE}-${SPAN}-01`], {}],
])('traceparent: %s', (_, header, ids) => {
  expect(parseTraceparent(header)).toEqual(ids);
});
