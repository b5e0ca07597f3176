import { Country } from '@broker-transparency/contract';
import * as z from 'zod';
import { UNPRINTABLE } from '../platform/unprintable.rule.ts';

/** A line that pages show as it is written. */
const line = (longest: number, example: string) =>
  z
    .string()
    .trim()
    .refine(
      (text) => text.length >= 2 && text.length <= longest && text.search(UNPRINTABLE) < 0,
      `must be one line of 2 to ${longest} characters such as "${example}"`,
    );

const isHttps = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.hostname !== '' && url.username === '' && !/\s/.test(text);
};

/** An address of mail or of a page. */
export const contact = z
  .string()
  .refine(
    (text) => z.email().safeParse(text).success || isHttps(text),
    'must be like data@ratings.example or https://ratings.example/contact',
  );

/** Who operates the service: public, as law and readers ask for it. The site shows these settings on its pages. */
export const OperatorSettings = z.object({
  OPERATOR_NAME: line(120, 'Example Ratings Ltd').optional(),
  OPERATOR_ADDRESS: line(200, '1 Example Street, 10115 Berlin').optional(),
  OPERATOR_COUNTRY: z
    .string()
    .refine((text) => Country.safeParse(text).success, 'must be like DE')
    .optional(),
  OPERATOR_CONTACT: contact.optional(),
  OPERATOR_REPRESENTATIVE: line(200, 'the managing directors').optional(),
  OPERATOR_EDITOR: line(200, 'the name and address of who answers for the texts').optional(),
  OPERATOR_REGISTER: line(120, 'Local Court Berlin, HRB 1').optional(),
  OPERATOR_VAT_ID: z
    .string()
    .regex(/^[A-Z]{2}[0-9A-Z+*]{2,12}$/, 'must be like DE123456789, without blanks')
    .optional(),
  OPERATOR_SUPERVISOR: line(200, 'the authority that supervises you').optional(),
  OPERATOR_PRIVACY_CONTACT: contact.optional(),
  OPERATOR_CORRECTIONS_CONTACT: contact.optional(),
  OPERATOR_CORRECTIONS_DAYS: z
    .string()
    .regex(/^[1-9]\d?$/, 'must be a whole number from 1 to 99')
    .transform(Number)
    .optional(),
  OPERATOR_SECURITY_CONTACT: contact.optional(),
  OPERATOR_FUNDING: line(500, 'Customers pay for the data feed; no broker pays.').optional(),
  OPERATOR_TERMS: z.string().refine(isHttps, 'must be like https://ratings.example/terms').optional(),
});

/** Returns who operates the service, as the pages show it. */
export const toOperator = (data: z.output<typeof OperatorSettings>) => ({
  name: data.OPERATOR_NAME,
  address: data.OPERATOR_ADDRESS,
  country: data.OPERATOR_COUNTRY,
  contact: data.OPERATOR_CONTACT,
  representative: data.OPERATOR_REPRESENTATIVE,
  editor: data.OPERATOR_EDITOR,
  register: data.OPERATOR_REGISTER,
  vatId: data.OPERATOR_VAT_ID,
  supervisor: data.OPERATOR_SUPERVISOR,
  privacyContact: data.OPERATOR_PRIVACY_CONTACT ?? data.OPERATOR_CONTACT,
  correctionsContact: data.OPERATOR_CORRECTIONS_CONTACT ?? data.OPERATOR_CONTACT,
  correctionsDays: data.OPERATOR_CORRECTIONS_DAYS,
  securityContact: data.OPERATOR_SECURITY_CONTACT ?? data.OPERATOR_CONTACT,
  funding: data.OPERATOR_FUNDING,
  terms: data.OPERATOR_TERMS,
});
export type OperatorStatement = ReturnType<typeof toOperator>;

/** The settings without which nobody answers for a public service, with the part of the statement that each makes. */
const REQUIRED = {
  OPERATOR_NAME: 'name',
  OPERATOR_ADDRESS: 'address',
  OPERATOR_COUNTRY: 'country',
  OPERATOR_CONTACT: 'contact',
  OPERATOR_FUNDING: 'funding',
} as const satisfies Record<string, keyof OperatorStatement>;

const LOOPBACK = /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns the settings that a service at this address lacks: none if only this machine reaches it. */
export const findMissingOperatorSettings = (publicUrl: string | undefined, operator: OperatorStatement): string[] => {
  const host = publicUrl === undefined ? '' : (URL.parse(publicUrl)?.hostname ?? '');
  if (host === '' || LOOPBACK.test(host)) return [];
  return Object.entries(REQUIRED).flatMap(([setting, part]) => (operator[part] === undefined ? [setting] : []));
};

/** Returns the line for `status` about who answers for the service. */
export const describeOperator = (publicUrl: string | undefined, operator: OperatorStatement): string => {
  const missing = findMissingOperatorSettings(publicUrl, operator);
  const name = operator.name ?? 'not stated';
  return missing.length === 0 ? name : `${name}; the service is public, and ${missing.join(', ')} must be set`;
};
