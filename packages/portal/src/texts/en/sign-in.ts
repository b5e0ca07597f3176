/** Texts of signing in and out. */
export const signIn = {
  title: 'Sign in',
  isIn: 'You are signed in',
  none: 'Nobody can sign in here: the operator of this service has set up no sign-in.',
  programs: 'Programs use the API with a token of the operator:',
  cookie:
    'Signing in sets only the cookies that it needs: one notes for ten minutes that this browser asked, one says that it is you until you sign out, for a day at most.',
  provider: {
    lead: 'You sign in at the identity provider of this service, on its own page. Then you come back here.',
    go: 'Go to the sign-in',
  },
  link: {
    lead: 'We send a link to your address. It works once, for 10 minutes, in this browser. You need no password.',
    demo: 'This is a demo: it sends no mail. The link is printed in the terminal in which the demo runs. Any address will do.',
    address: 'Your email address',
    noAddress: 'This is not an email address. It looks like name@mail.example.',
    ask: 'Send the link',
    askedTitle: 'Look at your mail',
    asked: (address: string) => `We are sending a link to ${address}. Open it in this browser, and press its button.`,
    printedTitle: 'Look at the terminal',
    printed: (address: string) =>
      `The terminal of this demo shows a link for ${address}. Open it in this browser, and press its button.`,
    elsewhere: 'If you open the link on another device, it shows a code there. Type it here.',
    code: 'Code',
    wrong: 'This is not the code of the link. After five wrong codes the link is no longer valid.',
    enter: 'Sign in',
    nothing: 'If you see no mail, look for it among unwanted mail. An address gets only some links in a day.',
    again: 'Ask again',
    hereTitle: 'Sign in',
    here: (address: string) => `You asked to sign in as ${address}.`,
    elsewhereTitle: 'Your code',
    elsewhereLead: 'If you asked for this link in another browser, type this code there:',
    warning:
      'Did somebody else send you here? Then close this page. Tell the code to nobody, and type it only on our page: whoever has it gets in as you.',
    goneTitle: 'This link is no longer valid',
    gone: 'It was used, or it is older than 10 minutes. Ask for a new one where you want to sign in.',
  },
  problems: {
    refused: 'The identity provider did not sign you in. Nothing has changed. Try again.',
    unreachable: 'The identity provider does not answer. Try again in a few minutes.',
    expired: 'This sign-in was begun in another browser, or too long ago. Begin again here.',
    blocked: 'This account is blocked. Ask the operator of this service why.',
    gone: 'This link or code is no longer valid. Ask for a new one.',
  },
  verification: {
    who: 'Everybody who is signed in can complain. Only people whose identity is verified can review a broker.',
    isVerified: 'Your identity is verified.',
    isNot: 'Your identity is not verified.',
    where: 'Have it verified',
  },
  signedInAs: 'Signed in as',
  signOut: 'Sign out',
  signedOut: {
    title: 'You are signed out',
    stillThere: 'At the identity provider you may still be signed in.',
    there: 'Sign out there too',
    again: 'Sign in again',
  },
  fresh: {
    why: 'Your sign-in is older than ten minutes. Sign in again before you change this, so that nobody else does it. A complaint that you have begun and not sent is lost.',
    button: 'Sign in again',
  },
  refused: {
    operator: {
      title: 'This page is for operators',
      text: 'You are signed in, but not as an operator of this service.',
    },
    form: {
      title: 'This form was not taken',
      text: 'It was not sent from a page that was made for you, or you have signed in or out since. You are signed out after two hours in which you open no page, and after 24 hours in any case. Nothing has changed. Open the page again, and send the form from there.',
    },
  },
};
