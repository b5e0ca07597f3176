/** A part of a page: its heading, its sentences, and points in a list. */
export interface TextSection {
  readonly title: string;
  readonly text: readonly string[];
  readonly points?: readonly string[];
}

/** A page about the operator: the texts around what the operator stated. */
export interface OperatorPageTexts {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly sections: readonly TextSection[];
}

/** Texts of the pages about who answers for the service. */
export const operator = {
  pages: {
    about: 'About',
    contact: 'Contact',
    imprint: 'Imprint',
    privacy: 'Privacy',
    terms: 'Terms',
    corrections: 'Corrections',
    moderation: 'Moderation',
    independence: 'Independence',
  },
  /** Name of the list of these pages. */
  label: 'Who answers for this service',
  notStated: 'The operator has not stated it.',
  nobody: 'The operator of this service has not stated who it is. Nobody answers for it here.',
  report: 'To report this, send the number to',
  facts: {
    name: 'Operator',
    address: 'Address',
    country: 'Country',
    contact: 'Contact',
    representative: 'Represented by',
    editor: 'Responsible for the texts',
    register: 'Entry in a register',
    vatId: 'VAT number',
    supervisor: 'Supervised by',
    privacyContact: 'Privacy',
    correctionsContact: 'Corrections',
    securityContact: 'Security',
  },
  about: {
    title: 'About this service',
    description: 'What this service does, how it works, and who operates it.',
    lead: 'This service publishes what is known about foreign-exchange brokers: licences, warnings, complaints, reviews, and a score that everybody can recompute.',
    sections: [
      {
        title: 'How it works',
        text: [],
        points: [
          'Licences come from the registers of regulators, warnings from the lists of authorities. Each fact names its source.',
          'A score follows from published facts by published rules. Nobody sets it by hand.',
          'A person decides about each review that is sent here, before it is published. Complaints are never published; only their numbers are.',
          'Every change is an entry of a public record that anybody can copy and check.',
        ],
      },
      {
        title: 'What it is not',
        text: [
          'It is not investment advice, and no approval of any firm. That no warning is known does not mean that a firm is honest.',
          'It cannot get your money back. Take a complaint to the firm and its regulator.',
        ],
      },
    ],
  } as OperatorPageTexts,
  contact: {
    title: 'Contact',
    description: 'How to reach the operator of this service.',
    lead: 'These are the addresses that the operator has stated.',
    sections: [
      {
        title: 'Before you write',
        text: [],
        points: [
          'Something about a firm is wrong: see Corrections for what we need.',
          'A firm does not pay you out: its page says how to complain, and which regulator supervises it.',
          'Somebody who wants money for getting your money back is not us.',
        ],
      },
    ],
  } as OperatorPageTexts,
  imprint: {
    title: 'Imprint',
    description: 'Who operates this service, as the operator states it.',
    lead: 'The operator answers for what this service publishes.',
    sections: [],
  } as OperatorPageTexts,
  privacy: {
    title: 'Privacy',
    description: 'What this service stores about people, for how long, and who sees it.',
    lead: 'You can read everything here without an account, and without a cookie. Only who signs in gets cookies, and only those that are needed for it: one notes for ten minutes that this browser asked, one says that it is you until you sign out, for a day at most. Your browser sends nothing to other sites.',
    sections: [
      {
        title: 'When you only read',
        text: [
          'Your internet address is used to count your requests for a minute, so that nobody overloads the service. It is not stored with what you read.',
          'The country that you choose is only in the address of the page. The firm that you check for a clone is neither stored nor logged.',
          'If a request is refused for a wrong or missing credential, the log of the service notes your internet address. Servers of the operator in front of the service may keep logs of their own. The operator decides for how long.',
        ],
      },
      {
        title: 'After an erasure',
        text: ['An erasure deletes all of the above. This stays:'],
        points: [
          'of a complaint: its kind, its states, its dates and codes, without a text or a name;',
          'in the internal list of changes: numbers and states, and ids that stand for you;',
          'a hash of your id, so that a restored backup cannot bring you back, and of a blocked person, so that the block holds;',
          'in the public record: a random code in place of your text, from which nobody can guess it;',
          'in backups: everything, until the operator deletes them. After a restore the erasure is done again.',
        ],
      },
      {
        title: 'Who else sees it',
        text: [
          'A broker gets a complaint only if you agreed. Published reviews and their display names are public; anybody can copy them.',
          'The operator has to name further recipients, such as its hosting or mail provider. Ask if you want to know.',
        ],
      },
      {
        title: 'Customers',
        text: [
          'Requests of organisations with an agreement are noted with time, internet address and path, for 90 or 400 days by their plan.',
        ],
      },
      {
        title: 'Your rights',
        text: [
          'You can ask for a copy of your data, have it corrected, and have it erased. If you have signed in here, you save and delete all of it yourself by the links below. For everything else write to the contact below. You see and end what you follow by the link in each mail about a broker. Where the law gives you the right, you can also complain to a data protection authority.',
        ],
      },
    ],
  } as OperatorPageTexts,
  /** The data about people who take part, by the name of its part in an export. */
  kept: {
    title: 'When you take part',
    lead: 'People who write reviews and complaints have an account. Whoever follows a broker by mail or reports a review needs none. We keep:',
    parts: {
      accounts:
        'Account: an id from the operator or its identity provider, your display name, your country, whether your identity was verified, and hashes of your access tokens. Until an erasure.',
      reviews:
        'Reviews: text, stars, and the state of moderation. Published ones show your display name, and your country if it is known. Until an erasure.',
      reports:
        'Reports and appeals about reviews, the decisions on them, and hashes of the links by which you read them for six months. Until an erasure. If you report without an account: your name and address, until six months after the decision.',
      complaints: 'Complaints: text, amount, dates, evidence, contact, and the answer of the broker. Until an erasure.',
      representatives:
        'If you answer for a firm: the firm, the address in the register of its regulator, and since when. Until an erasure.',
      disputes:
        'Facts that you disputed for a firm: text and links. The fact, the days and the outcome are public and stay. Until an erasure.',
      reviewReplies: 'Replies that you wrote for a firm to reviews. Published ones are public. Until an erasure.',
      noticeAddresses:
        'Your mail address, if this service sends mail, and the messages to you: 30 days if sent, 90 days if not delivered.',
      follows:
        'What you follow: your mail address as a follower, the brokers, and the warnings that we told you of. Until you end it or an erasure; a request that nobody confirms is deleted after a day.',
      drafts:
        'Texts that you have not sent: a review 30 days after your last change, a complaint until you are signed out: by yourself, after two hours without a page, or after a day. Sooner if you delete or send them.',
      sessions:
        'While you are signed in: when you signed in, when you used it last, and the address or name that you see at the top. Until you sign out, two hours after the last use, and for a day at most. Whoever asks for a link to sign in: the address, for a day.',
      idempotentAnswers: 'The answers to what you sent, to repeat them if the connection broke: 24 hours.',
    } as Readonly<Record<string, string>>,
    othersLead: 'We also keep data about people who do not take part:',
    others: [
      'Contacts of brokers: the mail addresses that a broker or the operator named for complaints and warnings, and the messages to them. Until the operator removes them.',
      'People named in warnings of authorities: what the authority published, with its source. It stays after the authority withdraws the warning, and says so then. Write to the contact below if something about you is wrong.',
    ] as readonly string[],
  },
  terms: {
    title: 'Terms',
    description: 'How this service may be used, and the rules for reviews.',
    lead: 'These are the rules that the service itself follows and enforces.',
    sections: [
      {
        title: 'What you read',
        text: [
          'Scores and verdicts follow from published facts by published rules. They are no advice. Facts can be wrong or late: each one names its source and its day.',
          'You may link to every page, and show badges and frames as they are. Do not change what they say, and do not present them as a recommendation.',
          'The number of requests a minute is limited. The documentation says how many.',
        ],
      },
      {
        title: 'What you write',
        text: [
          'A person reads each review that is sent here before it is published. A low rating is never a reason to refuse one. Refused are:',
        ],
        points: [
          'reviews of a service that the author neither used nor tried,',
          'insults, threats, advertising, and what is about something else,',
          'reviews by people who work for the broker or a competitor, or were rewarded,',
          'second reviews of the same broker,',
          'personal data of others, and what the law forbids.',
        ],
      },
      {
        title: 'If you disagree',
        text: [
          'The author of a review gets the reason for each decision. Within six months the author can appeal, and so can somebody who reported a review that was kept. Once per decision.',
        ],
      },
    ],
  } as OperatorPageTexts,
  further: 'Further terms of the operator',
  noFurther: 'The operator has stated no further terms.',
  corrections: {
    title: 'Corrections',
    description: 'For brokers and everybody else: what can be disputed, how long it takes, and what became of it.',
    lead: 'If something here is wrong, we want to correct it. This costs nothing, and needs no agreement with us.',
    sections: [
      {
        title: 'What can be disputed',
        text: [],
        points: [
          'A fact about a firm, such as a licence, an address or an owner. Send the page here, and the page of the register or authority that says otherwise.',
          'A warning that is shown with the wrong firm. Send its address, and say why it means somebody else.',
          'A review. Report it by the link below it. Say which sentence breaks which rule of the terms. That it is negative is not a reason.',
          'A complaint about you. You can answer it. An answer within 15 days counts as in time; after 60 days without one it ends as unresolved.',
          'A score cannot be disputed by itself: it follows from the facts. Recompute it on the page of the broker, and dispute the fact that is wrong.',
        ],
      },
      {
        title: 'How long it takes',
        text: [
          'A corrected fact changes page and score within seconds. The record keeps the old value, the new one and the time: nothing is changed in silence.',
        ],
      },
    ],
  } as OperatorPageTexts,
  days: {
    one: 'The operator answers a request within {n} day.',
    other: 'The operator answers a request within {n} days.',
  },
  noDays: 'The operator has not stated within how many days it answers a request.',
  counts: {
    title: 'What became of it',
    lead: 'All brokers together, since this service began. Data of a person who was erased is no longer counted under reports and appeals.',
    caption: 'Numbers of disputes',
    matter: 'Matter',
    number: 'Number',
    rows: {
      factsOpen: 'Facts that a firm disputes, not decided yet',
      factsOverdue: 'of them later than we promise',
      factsUpheld: 'Facts that a firm disputed, and that we changed',
      factsRejected: 'Facts that a firm disputed, and that stay',
      factsWithdrawn: 'Facts that a firm disputed, and then no more',
      reportsReceived: 'Reports of reviews',
      reportsOpen: 'of them not decided yet',
      reportsUpheld: 'of them with the review removed',
      appealsReceived: 'Appeals against decisions on reviews',
      appealsOpen: 'of them not decided yet',
      appealsReversed: 'of them with the decision reversed',
      warningsWaiting: 'Warnings that may mean a firm, and wait for a person',
      warningsUnchecked: 'Warnings shown with a firm that no person has checked',
      warningsConfirmed: 'Warnings that a person confirmed',
      warningsRejected: 'Warnings that a person found to mean somebody else before they were shown',
      warningsUndone: 'Warnings that were shown with the wrong firm and corrected',
      complaintsOpen: 'Complaints about brokers that are open',
      complaintsResolved: 'Complaints that were resolved',
      complaintsUnresolved: 'Complaints that ended without a solution',
      complaintsRejected: 'Complaints that were not taken up',
      complaintsWithdrawn: 'Complaints that were withdrawn',
    },
    none: 'Requests to correct a fact that came by mail are not counted. Each correction that was made is in the history of its broker.',
  },
  moderation: {
    title: 'Moderation',
    description: 'How reviews are decided, who can object, and how many decisions were reversed.',
    lead: 'People decide about reviews. These are the rules, and the numbers by which you can judge how we keep them.',
    sections: [
      {
        title: 'How it works',
        text: [],
        points: [
          'A person reads each review that is sent here before it is published. Programs mark texts. They decide in two cases: if two brokers become one, only one review of each person stays; and a review that was withheld for some days is published again after them.',
          'Anybody can report a published review by the link below it, without an account. The author never learns who did.',
          'Author and reporter get the decision with its reasons, and can appeal for six months. Somebody else decides then.',
          'Each statement of reasons has a code in the public record, without its text. So nobody can change it later without being seen.',
        ],
      },
    ],
  } as OperatorPageTexts,
  moderationFigures: {
    title: 'In numbers',
    lead: 'All brokers together, since this service began, by the state of now. Data of a person who was erased is no longer counted.',
    grounded: 'Reviews that were rejected or removed, by ground',
    ground: 'Ground',
    grounds: { terms: 'The terms of this service', law: 'A law' },
    cases: 'Reports and appeals',
    matter: 'Matter',
    delayTitle: 'How long it took',
    delayLead:
      'From the arrival to the decision of a person, for what was decided within 365 days. Reviews that came from another service count in the numbers above and have no time here: they were not decided here.',
    delays: 'Days until a decision',
    delayed: { reviews: 'New reviews', reports: 'Reports', appeals: 'Appeals' },
    decided: 'Decided',
    median: 'Half within',
    p90: 'Nine of ten within',
    days: { one: 'less than a day', other: '{n} days' },
    none: 'no figure yet',
  },
  independence: {
    title: 'Independence',
    description: 'Who pays for this service, which customers are brokers, and why payment changes nothing.',
    lead: 'No payment, plan or agreement changes a score, an order, a match, a decision or a text.',
    sections: [
      {
        title: 'How you can check that',
        text: [],
        points: [
          'The rules of the score are public, and have no input for customers. You can recompute every score.',
          'The order of lists follows from scores, and from the addresses here where scores are equal. There is no paid place and no advertising.',
          'The part of the program that knows customers is apart: an automatic check fails if any public part uses it.',
          'A test gives random customers random plans and keys, and compares the public answers byte for byte with those before.',
        ],
      },
    ],
  } as OperatorPageTexts,
  funding: 'Who pays',
  customers: {
    title: 'Customers that are brokers or belong to one',
    none: 'No customer has been stated to be a broker or to belong to one.',
    total: {
      one: '{n} customer has an agreement in force.',
      other: '{n} customers have an agreement in force.',
    },
    noCustomers: 'No customer has an agreement in force.',
    caption: 'Customers with an interest in a broker',
    customer: 'Customer',
    broker: 'Broker',
    agreement: 'Agreement',
    open: (since: string) => `accepted on ${since}, no end set`,
    ending: (since: string, until: string) => `accepted on ${since}, ends on ${until}`,
    person: 'A natural person',
    lead: 'The operator states this with the agreement. Natural persons are not named.',
  },
};
