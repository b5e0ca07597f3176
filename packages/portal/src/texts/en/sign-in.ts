/** Texts of signing in and out. */
export const signIn = {
  title: 'Sign in',
  none: 'Nobody can sign in here: the operator of this service has set up no sign-in. Programs use the API with a token.',
  signedInAs: 'Signed in as',
  signOut: 'Sign out',
  refused: {
    operator: {
      title: 'This page is for operators',
      text: 'You are signed in, but not as an operator of this service.',
    },
    form: {
      title: 'This form was not taken',
      text: 'It was not sent from a page that was made for you, or you have signed in or out since. Nothing has changed. Open the page again, and send the form from there.',
    },
  },
};
