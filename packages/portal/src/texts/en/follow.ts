/** Texts of the pages on which people follow a broker by mail. */
export const follow = {
  title: 'Follow a broker by mail',
  offer: 'Follow by mail',
  lead: (name: string) =>
    `We write to you at once when a warning about ${name} is published, withdrawn or corrected, and once a week about other changes.`,
  address: 'Your email address',
  ask: 'Send me a link to confirm',
  privacy:
    'You need no account. We keep your address and the brokers that you follow, and show them to nobody. Each mail about a broker has a link that ends it and deletes both.',
  back: (name: string) => `Back to ${name}`,
  choose: 'Open the page of a broker first, and follow it there.',
  brokers: 'All brokers',
  noBroker: 'The form names no broker. Open the page of a broker, and follow it there.',
  noAddress: 'This is not an email address. Type one, such as name@mail.example.',
  askedTitle: 'Look into your mail',
  askedText: 'If mail can reach this address, a link to confirm is on its way. Open it within a day.',
  askedAgain:
    'No mail comes to an address that follows the broker already, or to which three of these mails were sent today.',
  confirmTitle: 'Follow this broker?',
  confirmText: 'Press the button, and we write to you about the broker that the mail names.',
  confirm: 'Yes, write to me',
  confirmedTitle: 'You follow this broker now',
  confirmedText: 'Each mail has a link by which you see what you follow, and end it.',
  oldTitle: 'This link does not count any more',
  oldText: 'It was used already, or is older than a day. Ask for a new one on the page of the broker.',
  mineTitle: 'Brokers that you follow',
  mineLead: 'Press the button to see the brokers that you follow.',
  show: 'Show what I follow',
  end: 'End mail about',
  endAllTitle: 'End all',
  endAllText: 'We write no more, and delete your address and the brokers that you follow.',
  endAll: 'End all and delete my address',
  endedTitle: 'You follow no broker',
  endedText:
    'By this link no mail comes. If your address was kept here, we delete it: at once, or within a day if a mail or a request is still under way.',
};
