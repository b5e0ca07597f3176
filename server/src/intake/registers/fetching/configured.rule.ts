import { WebUrl } from '@broker-transparency/contract';
import * as z from 'zod';
import { DomainError } from '../../../platform/domain-error.ts';

/**
 * Changes that are written without a person: none, confirmations of our licences, or all clear ones. Unclear ones
 * always wait for a person.
 */
export const APPLY_MODES = ['nothing', 'confirmed', 'everything'] as const;
export type ApplyMode = (typeof APPLY_MODES)[number];

const Configured = z.strictObject({
  name: z.string(),
  /** Address in place of the one in the mapping. */
  url: WebUrl.optional(),
  /** Headers of each request, such as a key from the publisher. */
  headers: z.record(z.string(), z.string()).default({}),
  apply: z.enum(APPLY_MODES).default('nothing'),
  /** Time limit of one answer. */
  timeoutSeconds: z.int().min(1).max(3600).default(900),
  /** Size limit of one answer in bytes, in place of the one in the mapping. */
  maxBytes: z.int().min(1).optional(),
  /** True if the operator has read the publisher's terms and may fetch the file. */
  termsRead: z.boolean().default(false),
});
export type ConfiguredList = z.infer<typeof Configured>;

/** Returns the configuration of a list without a setting. */
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

/** Parses the lists that a process fetches by itself. @throws DomainError invalid_input with every fault */
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
