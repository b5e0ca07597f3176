import type { ComplaintSubmission } from '@broker-transparency/contract';
import type * as z from 'zod';

type Category = z.output<typeof ComplaintSubmission>['category'];

interface Grievance {
  readonly titles: readonly string[];
  readonly contents: readonly string[];
  readonly wish: string;
}

/** Titles and texts of complaints by category. */
export const GRIEVANCES: Readonly<Record<Category, Grievance>> = {
  withdrawal: {
    titles: ['Withdrawal refused for a month', 'My balance is not paid out', 'Withdrawal cancelled without a reason'],
    contents: [
      'I asked for my whole balance and have had no answer to four messages since.',
      'The withdrawal was cancelled three times, each time for another document.',
      'Only part of my withdrawal arrived, and nobody explains what became of the rest.',
    ],
    wish: 'Payment of the full balance.',
  },
  execution: {
    titles: ['Stop order filled far from the price', 'Order rejected during the news', 'Position closed by mistake'],
    contents: [
      'My stop was filled forty pips from the level, while the market moved by ten.',
      'Several orders were rejected within a minute although margin was sufficient.',
      'A position was closed as a margin call with a margin level above 200 percent.',
    ],
    wish: 'Correction of the trade to the price that was shown.',
  },
  pricing: {
    titles: ['Spread ten times the advertised one', 'Swap charged twice', 'Commission that was not agreed'],
    contents: [
      'The spread stood at ten times the advertised value for most of the night.',
      'Swap was charged twice for the same night on all of my positions.',
      'A commission appears on my statements that stands in no document I accepted.',
    ],
    wish: 'Refund of the difference.',
  },
  account: {
    titles: ['Account locked', 'Verification that never ends', 'Account not closed'],
    contents: [
      'My account has been locked for three weeks and nobody tells me why.',
      'I have sent the same proof of address five times and it is refused each time.',
      'I asked twice for my account to be closed and still get charged for inactivity.',
    ],
    wish: 'Access to the account, or its closure.',
  },
  conduct: {
    titles: ['Pressed to deposit more', 'Calls every day', 'Advice that I did not ask for'],
    contents: [
      'An account manager called me every day and urged me to borrow money for a deposit.',
      'I asked for the calls to stop, and they went on from other numbers.',
      'I was told which positions to open, and lost most of my deposit within a week.',
    ],
    wish: 'No more calls, and a written apology.',
  },
  misleading: {
    titles: ['Bonus terms hidden', 'Another entity than advertised', 'Leverage other than promised'],
    contents: [
      'The bonus could not be withdrawn, which stood only in a document I was never shown.',
      'The website names a licensed firm, but my contract is with an offshore company.',
      'The leverage I was promised was lowered after my deposit without any notice.',
    ],
    wish: 'Cancellation of the contract and return of the deposit.',
  },
  other: {
    titles: ['Tax statement missing', 'Personal data not deleted', 'Complaint ignored'],
    contents: [
      'I have asked for my tax statement since spring and get only automatic answers.',
      'My request to delete my personal data has not been answered for two months.',
      'My complaint to the firm itself got neither a number nor an answer.',
    ],
    wish: 'An answer to my request.',
  },
};
