import type { Plural } from '../../format.ts';
import type { CountryForms } from '../../parts/country-forms.rule.ts';

/** Texts of the verdict for clients of a country. None of them says that a firm is safe. */
export const verdict = {
  title: ({ where }: CountryForms) => `If you live ${where}`,
  ask: 'What it means where you live',
  choose: 'Country where you live',
  show: 'Show',
  other: 'Choose a country',
  clone: 'This is probably an imitation of another firm. Do not pay.',
  warned: 'An authority warns of this firm. Do not pay.',
  unchecked: 'A warning may be about this firm. Nobody has checked that yet.',
  alarm: 'The alarm above applies wherever you live. Do not pay.',
  notice: 'Read the warning above first. It applies wherever you live.',
  unwarned: 'No warning is known.',
  warningsPast: 'No warning about this firm that we know of is in force.',
  ended: 'Nobody can sign with this firm any more.',
  signs: ({ where }: CountryForms, firm: string) => `Clients ${where} sign with ${firm}.`,
  signsUnknown: ({ where }: CountryForms) =>
    `No source says with which company clients ${where} sign. Read its name in the contract before you pay.`,
  supervised: (firm: string, regulator: string) => `${firm} is supervised by ${regulator}.`,
  unsupervised: (firm: string) => `No register confirms that ${firm} is supervised.`,
  permitted: ({ where }: CountryForms) => `A register confirms that it may take clients ${where}.`,
  permittedShort: ({ where }: CountryForms, firms: string) =>
    `Clients ${where} sign with ${firms}, and a register confirms that this is permitted.`,
  notSender: 'Registers confirm this broker. They cannot say who wrote to you.',
  partyNotConfirmed: (firm: string, { where }: CountryForms) =>
    `It is not confirmed that ${firm} may take clients ${where}. Read which company your contract names.`,
  otherEntity: ({ where }: CountryForms, firm: string) =>
    `A register confirms that ${firm} may take clients ${where}. No source says that you would sign with that company.`,
  notConfirmed: ({ where, named }: CountryForms) =>
    `It is not confirmed that a company of this broker may take retail clients ${where}. Do not pay before you have found it in a register that names ${named}.`,
  claimed: (regulator: string, firm: string, { named }: CountryForms) =>
    `${regulator}, ${firm}: not confirmed for ${named}`,
  none: ({ named }: CountryForms) =>
    `We know of no licence for ${named}, and we compared only licences that we know of. Do not pay before you have found the firm in a register of that country.`,
  unknown: ({ named }: CountryForms) => `We cannot say whether it has a licence for ${named}.`,
  neverCompared: 'Nobody has compared its licences with the registers.',
  unreadSince: (register: string, day: string) => `The register of ${register} was not read since ${day}.`,
  neverRead: (register: string) => `The register of ${register} was never read completely.`,
  noRegister: ({ named }: CountryForms) => `We know no register of ${named}.`,
  unreadMore: {
    one: 'One more register was not read in time or is not known.',
    other: '{n} more registers were not read in time or are not known.',
  } as Plural,
  findThere: 'Do not pay before you have found the firm there.',
  findFirst: ({ named }: CountryForms) => `Do not pay before you have found the firm in a register of ${named}.`,
  compensation: (sum: string) => `If the firm fails, a fund pays up to ${sum}. Trading losses are not covered.`,
  noCompensation: 'It is not known that a fund pays if the firm fails.',
  leverage: (cap: string) => `Leverage on major currency pairs is at most ${cap}:1.`,
  limited: 'You can lose no more than what is in your account.',
  unlimited: 'These rules do not limit your loss to what is in your account.',
  rules: (regulator: string) => `rules of ${regulator}`,
  entry: 'register entry',
};
