import type { Plural } from '../../format.ts';

/** Texts of the verdict for clients of a country. None of them says that a firm is safe. */
export const verdict = {
  title: (country: string) => `If you live in ${country}`,
  ask: 'What it means where you live',
  choose: 'Country where you live',
  show: 'Show',
  other: 'Choose a country',
  clone: 'This is probably an imitation of another firm. Do not pay.',
  warned: {
    one: 'An authority warns of this firm. Do not pay.',
    other: '{n} authorities’ warnings are about this firm. Do not pay.',
  } as Plural,
  warnedShort: 'An authority warns of this firm. Do not pay.',
  unchecked: 'A warning may be about this firm. Nobody has checked that yet.',
  impersonated: 'Somebody else pretends to be this firm. Compare its domain and licence number.',
  unwarned: 'No warning is known.',
  warningsPast: 'No warning about this firm that we know of is in force.',
  ceased: 'This firm has ceased business. Nobody can sign with it any more.',
  merged: 'This firm was merged into another. Nobody can sign with it any more.',
  signs: (country: string, firm: string) => `Clients in ${country} sign with ${firm}.`,
  signsUnknown: (country: string) =>
    `No source says with which company clients in ${country} sign. Read its name in the contract before you pay.`,
  supervised: (firm: string, regulator: string) => `${firm} is supervised by ${regulator}.`,
  unsupervised: (firm: string) => `No register confirms that ${firm} is supervised.`,
  permitted: (country: string) => `A register confirms that it may take clients in ${country}.`,
  permittedShort: (country: string, firms: string) =>
    `Clients in ${country} sign with ${firms}, and a register confirms that this is permitted.`,
  notSender: 'What registers confirm about this broker says nothing about whoever wrote to you.',
  partyNotConfirmed: (firm: string, country: string) =>
    `It is not confirmed that ${firm} may take clients in ${country}. Read which company your contract names.`,
  otherEntity: (country: string, firm: string) =>
    `A register confirms that ${firm} may take clients in ${country}. No source says that you would sign with that company.`,
  notConfirmed: (country: string) =>
    `It is not confirmed that a company of this broker may take retail clients in ${country}. Do not pay before you have found it in a register that names ${country}.`,
  claimed: (regulator: string, firm: string, country: string) => `${regulator}, ${firm}: not confirmed for ${country}`,
  none: (country: string) =>
    `We know of no licence for ${country}, and we compared only licences that we know of. Do not pay before you have found the firm in a register of that country.`,
  unknown: (country: string) => `We cannot say whether it has a licence for ${country}.`,
  neverCompared: 'Nobody has compared its licences with the registers.',
  unreadSince: (register: string, day: string) => `The register of ${register} was not read since ${day}.`,
  neverRead: (register: string) => `The register of ${register} was never read completely.`,
  noRegister: (country: string) => `We know no register of ${country}.`,
  unreadMore: {
    one: 'One more register was not read in time or is not known.',
    other: '{n} more registers were not read in time or are not known.',
  } as Plural,
  findThere: 'Do not pay before you have found the firm there.',
  findFirst: (country: string) => `Do not pay before you have found the firm in a register of ${country}.`,
  compensation: (sum: string) => `If the firm fails, a fund pays up to ${sum}. Trading losses are not covered.`,
  noCompensation: 'It is not known that a fund pays if the firm fails.',
  leverage: (cap: string) => `Leverage on major currency pairs is at most ${cap}:1.`,
  limited: 'You can lose no more than what is in your account.',
  unlimited: 'These rules do not limit your loss to what is in your account.',
  rules: (regulator: string) => `rules of ${regulator}`,
  entry: 'register entry',
};
