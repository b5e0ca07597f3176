import { WebUrl } from '@broker-transparency/contract';
import * as z from 'zod';
import { DomainError } from '../../../platform/domain-error.ts';

/**
 * What is written without a person: nothing, that licences are as we have them, or everything that is clear. What is
 * unclear always waits for a person.
 */
export const APPLY_MODES = ['nothing', 'confirmed', 'everything'] as const;
export type ApplyMode = (typeof APPLY_MODES)[number];

const Configured = z.strictObject({
  name: z.string(),
  /** Where it is fetched in place of the address that the mapping has. */
  url: WebUrl.optional(),
  /** Sent with each request, such as a key that the publisher gave. */
  headers: z.record(z.string(), z.string()).default({}),
  apply: z.enum(APPLY_MODES).default('nothing'),
  /** Time for one answer. */
  timeoutSeconds: z.int().min(1).max(3600).default(900),
  /** Bound of one answer in bytes, in place of the one that the mapping has. */
  maxBytes: z.int().min(1).optional(),
  /** Says that the operator has read the terms of the publisher and may fetch the file. */
  termsRead: z.boolean().default(false),
});
export type ConfiguredList = z.infer<typeof Configured>;

/** Returns how a list is fetched that no setting names. */
export const toDefaultList = (name: string): ConfiguredList => Configured.parse({ name });

const formatPath = (path: readonly PropertyKey[]): string => {
  const [index, ...rest] = path;
  return index === undefined ? 'the file' : [`entry ${Number(index) + 1}`, ...rest.map(String)].join(', ');
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError('invalid_input', 'is no JSON');
  }
};

/** Reads the lists that a process fetches by itself. @throws DomainError invalid_input naming every fault */
export const parseConfiguredLists = (text: string, known: ReadonlySet<string>): ConfiguredList[] => {
  const result = z.array(Configured).safeParse(parseJson(text));
  const faults = result.success
    ? result.data.flatMap(({ name }, index) => {
        if (!known.has(name)) return [`entry ${index + 1}: no list has the name "${name}"`];
        return result.data.findIndex((one) => one.name === name) < index ? [`"${name}" is there twice`] : [];
      })
    : result.error.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`);
  if (faults.length > 0) throw new DomainError('invalid_input', faults.join('; '));
  return result.data as ConfiguredList[];
};
