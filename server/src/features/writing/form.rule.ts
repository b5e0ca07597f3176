import { MOST_KEPT, type WrittenKind } from './policy.rule.ts';

/** The fields of a form as they were typed. */
export type TypedFields = Readonly<Record<string, string>>;

/** Names of the fields of each form. */
export const FORM_FIELDS: Readonly<Record<WrittenKind, readonly string[]>> = {
  review: ['rating', 'title', 'content', 'language'],
  complaint: ['category', 'title', 'content', 'amount', 'currency', 'occurred', 'resolution', 'consent'],
};

/** Place in the contract's body of each field that has another name there. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  amount: ['amountInDispute', 'amount'],
  currency: ['amountInDispute', 'currency'],
  occurred: ['occurredAt'],
  resolution: ['desiredResolution'],
  consent: ['consentToForward'],
};

/** Returns the fields that belong to a form. A blank one is left out; browsers send lines with CRLF. */
export const pickFields = (kind: WrittenKind, fields: Readonly<Record<string, string | undefined>>): TypedFields =>
  Object.fromEntries(
    FORM_FIELDS[kind].flatMap((name) => {
      const value = (fields[name] ?? '').replaceAll('\r\n', '\n').slice(0, MOST_KEPT).toWellFormed();
      return value.trim() === '' ? [] : [[name, value]];
    }),
  );

/** Returns true if somebody typed or chose something. The form chooses a language by itself. */
export const isTyped = (fields: TypedFields): boolean => Object.keys(fields).some((name) => name !== 'language');

/** Returns the name of the field that a place in the body belongs to; undefined if it belongs to none. */
export const findField = (kind: WrittenKind, path: readonly string[]): string | undefined =>
  FORM_FIELDS[kind].find((name) => {
    const place = PLACES[name] ?? [name];
    return path.length > 0 && path.every((part, at) => place[at] === part);
  });

const CONSENTS = {
  yes: true,
  no: false,
} as const;

/** Reads an amount as people type it: `250`, `250.5`, `250,50`. Any other text stays as it is. */
const toAmount = (text: string): string => {
  const [, whole, cents = ''] = /^(\d{1,15})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? text.trim() : `${whole.replace(/^0+(?=\d)/, '')}.${cents.padEnd(2, '0')}`;
};

const toMoney = ({ amount, currency }: TypedFields) =>
  amount === undefined
    ? {}
    : {
        amountInDispute: {
          amount: toAmount(amount),
          ...(currency === undefined ? {} : { currency: currency.trim().toUpperCase() }),
        },
      };

/** Returns the body of the contract for the fields of a form. The contract checks it. */
export const toBody = (kind: WrittenKind, broker: string, fields: TypedFields): Record<string, unknown> => {
  if (kind === 'review') {
    const { rating, ...texts } = fields;
    return { broker, ...(rating === undefined ? {} : { rating: Number(rating) }), ...texts };
  }
  const { category, title, content, occurred, resolution, consent } = fields;
  const given: Readonly<Record<string, unknown>> = {
    category,
    title,
    content,
    occurredAt: occurred === undefined ? undefined : `${occurred}T00:00:00Z`,
    desiredResolution: resolution,
    consentToForward: consent === undefined ? undefined : CONSENTS[consent as keyof typeof CONSENTS],
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { broker, ...Object.fromEntries(set), ...toMoney(fields) };
};
