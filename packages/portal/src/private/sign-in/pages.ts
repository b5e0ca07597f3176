import * as z from 'zod';
import { html } from '../../html.ts';
import { privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivatePage } from '../page.ts';
import { OwnPath } from './own-path.rule.ts';

const NOTHING = z.object({});

const signIn = definePrivatePage(
  '/sign-in',
  { params: NOTHING, query: z.object({ to: OwnPath.optional().catch(undefined) }), needs: 'nobody' },
  {
    render: async (context) => {
      const said = context.texts.signIn;
      return { html: privateLayout(context, { title: said.title, body: html`<p>${said.none}</p>` }) };
    },
  },
);

/** Ends a session by a button. Its address itself leads to the page that signs in. */
const signOut = definePrivatePage(
  '/sign-out',
  { params: NOTHING, query: NOTHING, needs: 'nobody' },
  {
    render: async () => ({ seeOther: '/sign-in' }),
    submit: async ({ actions }) => {
      await actions.signIn.signOut();
      return { seeOther: '/sign-in' };
    },
  },
);

/** Pages by which people sign in and out. */
export const SIGN_IN_PAGES: readonly PrivatePage[] = [signIn, signOut];
