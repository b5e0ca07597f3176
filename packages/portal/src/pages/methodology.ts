import { Slug } from '@broker-transparency/contract';
import { METHODOLOGY_MODULES } from '@broker-transparency/contract/record';
import { METHODOLOGIES, type Methodology } from '@broker-transparency/contract/score';
import * as z from 'zod';
import { prefixLinks } from '../docs/frame.ts';
import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { drawTiers, drawWeights } from '../parts/illustrations.ts';
import { FIELDS, type FieldName, readField } from '../score/inputs.ts';
import { findWord } from '../words.ts';
import { createStart, liveSection } from './methodology/live.ts';
import { capsTable, colorsTable, everyNumber, partsTable, table } from './methodology/tables.ts';

const inForce = METHODOLOGIES.at(-1) as Methodology;
const VERSIONS = METHODOLOGIES.map(({ version }) => version);

const linkTo = (context: PageContext, version: string, text: string): Html =>
  html`<a href="${addressIn(context, `/methodology/${version}`)}">${text}</a>`;

const versionsTable = (context: PageContext): Html => {
  const { methodology: words } = context.texts;
  const rows = VERSIONS.map((version, at): (Html | string)[] => {
    const next = VERSIONS[at + 1];
    const state = next === undefined ? words.inForce : words.replaced({ by: next });
    const name = html`${linkTo(context, version, version)} <span class="below">${state}</span>`;
    return [name, findWord(words.changes, version) ?? ''];
  }).reverse();
  return table(words.versionsCaption, [{ text: words.version }, { text: words.changed }], rows);
};

/** The rating of brokers in short, and the versions of the rules. */
export const methodologies = definePage(
  '/methodology',
  { params: z.object({}), query: z.object({}) },
  async (context) => {
    const { methodology: words } = context.texts;
    return {
      html: layout(context, {
        title: words.title,
        description: words.description,
        body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p>${words.not}</p>
<p>${words.noMoney}</p>
<p>${linkTo(context, inForce.version, words.see({ version: inForce.version }))}</p>
<h2>${words.parts}</h2>
${drawWeights(context, inForce)}
${partsTable(context, inForce)}
${drawTiers(context, inForce)}
<h2>${words.colors}</h2>
${colorsTable(context, inForce)}
<h2>${words.capsTitle}</h2>
${capsTable(context, inForce)}
<h2>${words.versions}</h2>
<p>${words.versionsLead}</p>
${versionsTable(context)}`,
      }),
    };
  },
);

/** Schema of an input in an address. Impossible values are dropped. */
const input = (name: FieldName) => {
  const field = FIELDS.find((each) => each.name === name);
  return z
    .string()
    .optional()
    .transform((text) => field && readField(field, text));
};

const inputs = Object.fromEntries(FIELDS.map(({ name }) => [name, input(name)])) as Record<
  FieldName,
  ReturnType<typeof input>
>;

const fullText = ({ library, texts, prefix }: PageContext, version: string): Html => {
  const { fullText: title, fullTextLead, english } = texts.methodology;
  return html`<h2 id="text">${title}</h2>
<p>${fullTextLead} ${texts.code !== 'en' && english}</p>
<div class="guide" lang="en">${prefixLinks(library.guide(`methodology-${version}`) ?? '', prefix)}</div>`;
};

/** One version of the rules: every number, and its arithmetic with adjustable inputs. */
export const methodology = definePage(
  '/methodology/:version',
  {
    params: z.object({ version: z.enum(VERSIONS as [string, ...string[]]) }),
    query: z.object({ broker: Slug.optional(), ...inputs }),
  },
  async (context, { params: { version }, query: { broker: slug, ...given } }) => {
    const { methodology: words, live } = context.texts;
    const numbers = METHODOLOGIES.find((each) => each.version === version) as Methodology;
    const broker = slug === undefined ? undefined : await context.client.brokers.get(slug);
    const moved = Object.fromEntries(
      Object.entries(given).filter((field): field is [string, string] => field[1] !== undefined),
    );
    if (broker && broker.slug !== slug)
      return {
        movedTo: `/methodology/${version}`,
        query: `?${new URLSearchParams({ broker: broker.slug, ...moved })}`,
      };
    const start = createStart(version, broker);
    return {
      html: layout(context, {
        title: words.versionTitle({ version }),
        description: words.versionDescription({ version }),
        scripts: ['methodology.js'],
        isUnlisted: broker !== undefined || Object.keys(moved).length > 0,
        body: html`<h1>${words.versionTitle({ version })}</h1>
<p class="lead">${version === inForce.version ? words.isInForce : words.isReplaced({ by: inForce.version })}</p>
<nav aria-label="${words.contents}"><ul class="contents">
<li><a href="#try">${live.title}</a></li>
<li><a href="#numbers">${words.numbers}</a></li>
<li><a href="#text">${words.fullText}</a></li>
<li><a href="${addressIn(context, '/methodology')}">${words.all}</a></li>
</ul></nav>
${liveSection(context, { ...start.initial, ...moved }, start, broker)}
<h2 id="numbers">${words.numbers}</h2>
<p>${words.numbersLead}</p>
${everyNumber(context, numbers)}
<p>${words.module} <code>${METHODOLOGY_MODULES[version]}</code></p>
${fullText(context, version)}`,
      }),
    };
  },
);
