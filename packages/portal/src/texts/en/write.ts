/** Texts of the pages on which people write a review or a complaint. */
export const write = {
  offer: { review: 'Write a review', complaint: 'Complain about this broker' },
  title: { review: 'Write a review', complaint: 'Send a complaint' },
  about: {
    review: (name: string) => `Write a review of ${name}`,
    complaint: (name: string) => `Complain about ${name}`,
  },
  steps: { label: 'Steps', broker: 'Broker', text: 'Text', preview: 'Look and send' },
  lead: {
    review: 'Tell others what you experienced with a broker. People read each review before it is published.',
    complaint:
      'A complaint is private. It goes to the broker if you allow it, and the broker has 15 days for an answer that counts as in time.',
  },
  before: 'Before you write',
  conditions: {
    review: [
      'You sign in, and your identity must be verified. That shows that nobody writes twice. It does not make your name public.',
      'One review of each broker. To write a new one, withdraw the old one first.',
      'Write only about what you experienced yourself.',
    ],
    complaint: [
      'You sign in. Your identity need not be verified, but only complaints of verified people count for the score of the broker.',
      'Complain to the broker first, in writing. Keep its answer.',
      'We are no court and no authority: we forward your complaint, watch the dates and count how it ends.',
    ],
  },
  signIn: 'Sign in to write',
  unverified: {
    title: 'Your identity is not verified yet',
    text: 'Only people with a verified identity can publish a review, so that nobody writes twice. You can write now: we keep your text for 30 days. Once you are verified, you can send it.',
    link: 'Have my identity verified',
    none: 'Ask the operator of this service how to have your identity verified.',
  },
  drafts: 'Texts that you have not sent',
  draftUntil: (day: string) => `kept until ${day}`,
  draftInSession: 'deleted when you are signed out, at the latest two hours after the last page that you opened',
  kinds: { review: 'Review', complaint: 'Complaint' },
  find: {
    label: 'Find the broker',
    hint: 'By name, domain or licence number.',
    button: 'Find',
    found: 'Choose the broker',
    none: 'We know no broker like this. Check the spelling, or search by the domain of its site.',
    all: 'All brokers',
    other: 'Another broker',
  },
  saved: {
    review: (day: string) => `Your text is saved. We keep it until ${day}, also when you sign out.`,
    complaint:
      'Your text is saved. It is deleted when you send it and when you are signed out: by yourself, after two hours in which you open no page, or 24 hours after you signed in.',
  },
  help: {
    title: 'How to write it',
    review: [
      'Say what you did, when, and what happened: paying in, trading, paying out, getting help.',
      'Leave out names, addresses, telephone and account numbers, of yourself and of others.',
      'No links and no advertising. No insults: criticise the service, not people.',
      'A low rating is never a reason to reject a review.',
    ],
    complaint: [
      'Say what happened, in the order of the dates, and what the broker answered.',
      'Say what you want: your money, a correction, an explanation.',
      'Write your customer number and the name by which the broker knows you: else it cannot find your case.',
      'Never write a password or a full card number.',
    ],
  },
  fields: {
    rating: {
      label: 'How good is the broker?',
      cure: 'Choose 1 to 5 stars.',
      choices: ['1 star: bad', '2 stars: poor', '3 stars: fair', '4 stars: good', '5 stars: very good'],
    },
    title: { label: 'In a few words', hint: '3 to 120 characters.', cure: 'Write 3 to 120 characters.' },
    content: { label: 'What happened', hint: '20 to 5000 characters.', cure: 'Write 20 to 5000 characters.' },
    language: { label: 'Language of your text', cure: 'Choose a language.' },
    category: {
      label: 'What is it about?',
      cure: 'Choose one.',
      none: 'Choose one',
      choices: {
        withdrawal: 'Paying out',
        execution: 'How orders were carried out',
        pricing: 'Prices, spreads and fees',
        account: 'The account',
        conduct: 'How people of the broker behaved',
        misleading: 'Misleading statements or advertising',
        other: 'Something else',
      } as Readonly<Record<string, string>>,
    },
    amount: {
      label: 'How much money is it about? (optional)',
      hint: 'Leave it empty if it is not about an amount.',
      cure: 'Write a number with at most two decimals, such as 250.00, without blanks or separators of thousands.',
    },
    currency: {
      label: 'Currency (if you name an amount)',
      hint: 'Its code, such as USD or EUR.',
      cure: 'Write three letters, such as USD.',
    },
    occurred: {
      label: 'When did it happen? (optional)',
      hint: 'A day such as 2026-01-31.',
      cure: 'Write a day as 2026-01-31. It cannot be in the future.',
    },
    resolution: {
      label: 'What should the broker do? (optional)',
      hint: '3 to 1000 characters.',
      cure: 'Write 3 to 1000 characters, or leave it empty.',
    },
    consent: {
      label: 'May we send it to the broker?',
      hint: 'Without your permission we cannot forward it, and close it without an answer of the broker.',
      cure: 'Choose yes or no.',
      yes: 'Yes, the broker may read my text and the name with which I am signed in here, and answer',
      no: 'No',
    },
    agree: {
      review: 'I have experienced this myself, and agree that my review is published as said above.',
      complaint: 'This is true as far as I know, and I agree to what is said above.',
      cure: 'Tick the box if you agree. Without it nothing is sent.',
    },
  },
  count: { missing: '{n} to go.', left: '{n} left.', over: '{n} too many.' },
  wrong: {
    title: 'Please correct this first',
    required: 'This is missing.',
    too_small: 'This is too short.',
    too_big: 'This is too long.',
    other: 'This cannot be used.',
  },
  toPreview: 'Look at it before sending',
  save: 'Save and stop here',
  discard: 'Delete this text',
  preview: {
    title: 'This is what you send',
    change: 'Change the text',
    by: (name: string) => `Published under the name ${name}`,
    rated: (stars: string) => `${stars} of 5 stars`,
    advice: 'A moderator may look at this twice',
    advices: {
      link: 'Your text has a link or the name of a website. Advertising is rejected: take it out unless readers need it.',
      contact_data:
        'Your text has an email address, a telephone number or a messenger account. Contact data is rejected: take it out.',
      tone: 'Your stars and your words seem to say different things. Check both.',
      language: 'Your text seems to be in another language than the one that you chose.',
    } as Readonly<Record<string, string>>,
    keepOrChange: 'You can send it all the same: people decide, not machines.',
    consent: 'What happens with it',
    consents: {
      review: (name: string) => [
        `After a person has read it, we publish: your stars, title and text, the name “${name}”, the country of your account if we know it, the day, and that your identity is verified. Your mail address is not published, and no other name of yours.`,
        'The broker can reply in public. Anybody can read the review and pass it on.',
        'It stays public until you withdraw it or a moderator removes it. The public record then keeps that there was a review, its stars and month, but not your words.',
        'If we reject it, we tell you why, and you can appeal within six months.',
      ],
      forwarded: (name: string) => [
        'Nothing of it is published. Your complaint only counts in the numbers of the broker.',
        `Operators of this service read it. The broker gets your text, what you want, and the name with which you are signed in here, “${name}”.`,
        'The broker’s answer counts as in time within 15 days. After 60 days without an answer the complaint ends as unresolved.',
        'We keep the text until you delete your data. After that only the dates and the outcome stay, without you.',
      ],
      unsent: [
        'Nothing of it is published. Your complaint only counts in the numbers of the broker.',
        'Operators of this service read it. You said no: the broker does not get it, and we close it without an answer of the broker.',
        'We keep the text until you delete your data. After that only the dates and the outcome stay, without you.',
      ],
    },
    send: { review: 'Send the review', complaint: 'Send the complaint' },
  },
  ended: {
    title: 'You were signed out while you wrote',
    text: 'Your text is below, but it is not saved. Sign in in the new window that the link opens. Then come back to this one and send the form again.',
    again: 'You have signed in since. Your text is below, but it is not saved. Send the form again.',
    signIn: 'Sign in in a new window',
  },
  obstacles: {
    too_many_drafts: (most: number) =>
      `You have ${most} texts that you have not sent. This one is not saved. Send or delete one of the others, then save this one: it is still in the form below.`,
    title: 'You cannot send this now',
    review_exists: 'You already have a review of this broker that is waiting or published. Withdraw that one first.',
    state_conflict: 'This broker takes no reviews or complaints any more: it has ended, or was merged into another.',
    stale: 'This text was changed, sent or deleted since the page was made. Look at it again.',
    rate_limited: (time: string) =>
      `You have sent as many complaints as one account may within 24 hours. The next one is possible from ${time}. Your text is kept until you are signed out, which is before that if you open no page for two hours: save a copy of it.`,
    kyc_required: 'Your identity is not verified. Your text is kept.',
    other: 'This did not work. Your text is kept. Try again in a minute.',
    mine: 'What I wrote',
  },
};
