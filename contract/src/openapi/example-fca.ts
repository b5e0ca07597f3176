import type * as z from 'zod';
import type { Protections } from '../registers.ts';

/** The FCA and its register in examples. */
export const FCA = {
  code: 'fca',
  name: 'Financial Conduct Authority',
  country: 'GB',
  registerUrl: 'https://register.fca.org.uk/',
};

const protections: z.infer<typeof Protections> = {
  compensationLimit: { amount: '85000.00', currency: 'GBP' },
  negativeBalance: true,
  segregation: true,
  retailLeverageCap: 30,
  retailLeveragedFx: 'licensed',
};

/** The rules of the FCA in examples. */
export const FCA_RULES = {
  protections,
  complaintsUrl: 'https://www.financial-ombudsman.org.uk/',
  sources: [{ fact: 'protections', url: 'https://www.fca.org.uk/' }],
};
