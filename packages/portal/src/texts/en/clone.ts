/** Texts of the page that looks for clones. */
export const clone = {
  title: 'Is this firm a clone?',
  description: 'Type a name, a web address or a licence number: warnings of authorities, known clones and look-alikes.',
  lead: 'Clones copy the name, the licence number and the look of a genuine broker. Check what you were given before you pay in.',
  label: 'Name, web address or licence number',
  hint: 'What you type is neither stored nor logged. You can type a name, one address and a number together.',
  button: 'Check',
  empty: 'Type a name, a web address or a licence number. There is nothing to look for in what you typed.',
  again: 'Check something else',
  /** @param scripts names of scripts in Unicode, such as Arabic */
  kept: (scripts: string) =>
    `Letters of these scripts were compared with the same letters only: ${scripts}. Search for the name in Latin letters, too.`,
  unread: (domains: string) => `Of several addresses only the first is searched. These were not searched: ${domains}.`,
  asked: (text: string) => `For “${text}”:`,
  verdict: {
    warned: {
      title: 'There is a warning. Do not pay in before you have read it.',
      text: 'What you typed matches somebody whom an authority warns of, or who is suspected to be a clone.',
    },
    foreign: {
      title: 'This is no known address of the broker that it looks like. That is how clones look.',
      text: 'The broker is listed here with other addresses. Use those, or the ones in the register of its regulator.',
    },
    alike: {
      title: 'No warning matches exactly, but something looks like it.',
      text: 'A clone differs from the genuine firm by a letter, an ending or a word. Compare letter by letter.',
    },
    copied: {
      title: 'A broker is known by this, and an authority warns of somebody who pretends to be it.',
      text: 'Whoever wrote to you can be that somebody: a clone uses the true name and number. Read the warning, and compare the address and the telephone number with the register.',
    },
    known: {
      title: 'A broker is known by this. No warning was found that names it.',
      text: 'Whoever wrote to you can still be somebody else: a clone uses the true name and number. Compare the address and the telephone number with the register.',
    },
    nothing: {
      title: 'No warning found. That does not mean that it is safe.',
      text: 'Nothing that was searched matches or looks like it. Whoever is not listed may be unlicensed, warned of elsewhere, or new.',
    },
  },
  brokers: 'Brokers that may be meant or imitated',
  warnings: 'On the lists of authorities',
  warningsText:
    'These warnings name something like what you typed. Whether they mean the firm that you mean, nobody has checked: open them and compare.',
  more: 'There are more than these. Type more of what you know, such as the address.',
  because: {
    lei: { exact: 'Same LEI', likely: 'Same LEI', possible: 'Same LEI' },
    name: { exact: 'Same name', likely: 'Same name in another spelling', possible: 'Name that looks like it' },
    domain: { exact: 'Same address', likely: 'Address of the same owner', possible: 'Address that looks like it' },
    licenseNumber: {
      exact: 'Same licence number',
      likely: 'Same licence number',
      possible: 'Same number at another regulator',
    },
  },
  status: {
    operating: 'Operating',
    ceased: 'No longer in business',
    merged: 'Merged into another broker',
    suspected_clone: 'Suspected clone: it pretends to be another firm',
  } as Readonly<Record<string, string>>,
  score: (value: string, word: string) => `Score ${value} of 100: ${word}`,
  unrated: 'Not rated',
  addresses: 'Its known addresses',
  cloneAddresses: 'Addresses that it uses. Do not open them',
  licences: 'Its confirmed licences',
  noLicence: 'none is confirmed',
  about: {
    this_firm: 'An authority warns of this firm',
    clone_of_it: 'An authority warns of somebody who pretends to be this firm',
  } as Readonly<Record<string, string>>,
  unchecked: 'Unconfirmed: matched automatically, and no person has checked yet whether this firm is meant.',
  published: (day: string) => `Published on ${day}`,
  publishedBy: (day: string) => `Published on or before ${day}`,
  credit: (text: string) => `Source: ${text}`,
  searchedTitle: 'What was searched',
  searchedBrokers: {
    one: '{n} broker with its names, addresses and licences',
    other: '{n} brokers with their names, addresses and licences',
  },
  searchedLists: { one: '{n} list of warnings of authorities', other: '{n} lists of warnings of authorities' },
  noLists:
    'No list of warnings of an authority has been read here yet. Only warnings that stand with a broker were searched.',
  list: (name: string, day: string) => `${name}, as of ${day}`,
  todo: 'What to do now',
  steps: [
    'Look the firm up in the register of the regulator that it names. Open the register yourself, not by a link that you were sent.',
    'Compare the web address there with yours, letter by letter.',
    'Call the firm by the telephone number in the register, and ask whether the person who wrote to you works there.',
    'If you have paid already: call your bank at once, then tell the regulator and the police.',
  ],
  registers: 'Regulators and their registers',
};
