import { type Html, html, isolateText } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { wordFor } from '../../words.ts';
import { type Field, problemList, tickField } from '../fields.ts';
import { privateForm } from '../frame.ts';
import type { PrivateContext } from '../page.ts';
import { prose } from '../statement.ts';
import type { DraftText, OpenText, WrittenKind } from './actions.ts';
import { toWritePath } from './form.ts';

/** A text that is looked at before it is sent. */
interface Preview extends Pick<OpenText, 'advice' | 'publicName'> {
  readonly kind: WrittenKind;
  readonly slug: string;
  readonly draft: DraftText;
  /** False while the person cannot send it. */
  readonly canSend: boolean;
  /** True if the form was sent without consent. */
  readonly lacksConsent?: boolean;
}

const showReview = ({ texts, format }: PrivateContext, { draft, publicName }: Preview): Html => {
  const { rating = '', title = '', content = '', language = '' } = draft.fields;
  const own = html` lang="${language}" dir="auto"`;
  return html`<article class="record review">
<h3${own}>${title}</h3>
<p class="record-by"><strong>${texts.write.preview.rated({ stars: format.number(Number(rating)) })}</strong> · ${texts.write.preview.by({ name: isolateText(publicName) })}</p>
<div${own}><p class="prose">${content}</p></div>
</article>
`;
};

const showComplaint = ({ texts, format }: PrivateContext, { draft }: Preview): Html => {
  const { fields: said } = texts.write;
  const {
    amount: amountLabel,
    occurred: occurredLabel,
    resolution: resolutionLabel,
    consent: consentLabel,
  } = texts.mine.complaint;
  const {
    category = '',
    title = '',
    content = '',
    amount,
    currency = '',
    occurred,
    resolution,
    consent,
  } = draft.fields;
  const rows: readonly (readonly [string, Html | string | undefined])[] = [
    [said.category.label, wordFor(said.category.choices, category)],
    [said.content.label, prose(content)],
    [
      amountLabel,
      amount === undefined
        ? undefined
        : format.money({ amount: amount.trim().replace(',', '.'), currency: currency.trim().toUpperCase() }),
    ],
    [occurredLabel, occurred === undefined ? undefined : format.day(occurred)],
    [resolutionLabel, resolution === undefined ? undefined : prose(resolution)],
    [consentLabel, consent === 'yes' ? said.consent.yes : said.consent.no],
  ];
  return html`<article class="record">
<h3 dir="auto">${title}</h3>
<dl class="pairs">${rows.map(([label, value]) => value !== undefined && html`<dt>${label}</dt><dd>${value}</dd>\n`)}</dl>
</article>
`;
};

const showAdvice = ({ texts }: PrivateContext, { advice }: Preview): Html | false => {
  const said = texts.write.preview;
  const known = advice.filter((code) => Object.hasOwn(said.advices, code));
  return (
    known.length > 0 &&
    html`<div class="notice-box"><p><strong>${said.advice}</strong></p>
<ul>${known.map((code) => html`<li>${wordFor(said.advices, code)}</li>\n`)}</ul>
<p>${said.keepOrChange}</p></div>
`
  );
};

/** Says what happens with a text. The broker gets a complaint only if its author agrees. */
const listConsents = ({ texts }: PrivateContext, { kind, draft, publicName }: Preview): readonly string[] => {
  const { review, forwarded, unsent } = texts.write.preview.consents;
  const name = isolateText(publicName);
  if (kind === 'review') return [review.published({ name }), review.reply, review.stays, review.rejected];
  return draft.fields['consent'] === 'yes'
    ? [forwarded.notPublished, forwarded.readers({ name }), forwarded.answer, forwarded.kept]
    : [unsent.notPublished, unsent.readers, unsent.kept];
};

/** Renders the third step: the text as it is sent, what happens with it, and the form that sends it. */
export const previewText = (context: PrivateContext, preview: Preview): Html => {
  const { write } = context.texts;
  const { kind, slug, draft, canSend, lacksConsent = false } = preview;
  const agree: Field = {
    name: 'agree',
    label: write.fields.agree[kind],
    ...(lacksConsent ? { problem: write.fields.agree.cure } : {}),
  };
  return html`${problemList(write.wrong.title, lacksConsent ? [agree] : [])}<h2>${write.preview.title}</h2>
${kind === 'review' ? showReview(context, preview) : showComplaint(context, preview)}${showAdvice(context, preview)}<p><a href="${addressIn(context, toWritePath(kind, slug))}">${write.preview.change}</a></p>
<h2>${write.preview.consent}</h2>
<ul>${listConsents(context, preview).map((line) => html`<li>${line}</li>\n`)}</ul>
${
  canSend &&
  privateForm(
    context,
    toWritePath(kind, slug),
    { do: 'send', version: draft.version },
    html`${tickField(agree)}<p class="form-buttons"><button>${write.preview.send[kind]}</button></p>\n`,
  )
}`;
};
