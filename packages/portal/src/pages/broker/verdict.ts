import {
  type ClientProtection,
  decideVerdict,
  type EntityVerdict,
  type LicenseEvidence,
  type UnreadRegister,
  type Verdict,
} from '@broker-transparency/contract';
import { isWarned } from '@broker-transparency/contract/score';
import { type Html, type HtmlPart, html, isolateText } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { renderExternalLink, renderHostLink } from '../../links.ts';
import type { CountryForms } from '../../parts/country-forms.rule.ts';
import { ALL_COUNTRIES, formResidence, residenceField } from '../../parts/residence.ts';
import { type BrokerView, day } from './parts.ts';

/** Number of unread registers that a verdict names; the others are counted. */
const MOST_REGISTERS = 3;

/** Renders a sentence of the verdict with its sources. */
const sentence = (text: string, ...sources: readonly HtmlPart[]): Html =>
  html`<p>${text}${sources.map((source) => html` <span class="soft">(${source})</span>`)}</p>`;

const regulatorName = ({ license, register }: LicenseEvidence): string =>
  register?.name ?? license.regulatorCode.toUpperCase();

/** Renders the register's entry of a licence, with the day of the last check. */
const renderEntry = ({ context }: BrokerView, { license }: LicenseEvidence): Html => {
  const { sourceUrl, lastVerifiedAt } = license;
  const link = renderExternalLink(sourceUrl, context.texts.verdict.entry);
  return html`${link}${lastVerifiedAt !== null && html`, ${day(context, lastVerifiedAt)}`}`;
};

const renderProtection = ({ context }: BrokerView, protection: ClientProtection): Html => {
  const { format, texts } = context;
  const words = texts.verdict;
  const { register, sources, checkedAt } = protection;
  const text =
    protection.kind === 'compensation'
      ? words.compensation({ sum: format.money(protection.limit) })
      : protection.kind === 'leverage'
        ? words.leverage({ cap: format.number(protection.cap) })
        : protection.isGiven
          ? words.limited
          : words.unlimited;
  const links = sources.map((url) => html`, ${renderHostLink(url)}`);
  return sentence(
    text,
    html`${words.rules({ regulator: register.name })}${links}${checkedAt !== null && html`, ${day(context, checkedAt)}`}`,
  );
};

/** Renders the company with which clients of the country sign, its supervision, and the protections of its clients. */
const renderParty = (
  view: BrokerView,
  { entity, stated, supervision, permits, protections }: EntityVerdict,
  { permission }: Verdict,
  country: CountryForms,
): HtmlPart => {
  const { context } = view;
  // beside a warning about the firm, a verdict has no protections, also where they are known
  const isFundUnknown = !isWarned(view.broker.warnings) && !protections.some(({ kind }) => kind === 'compensation');
  const words = context.texts.verdict;
  const firm = isolateText(entity.legalName);
  return (
    stated !== undefined && [
      sentence(
        words.signs({ where: country.where, firm }),
        html`${renderHostLink(stated.sourceUrl)}, ${day(context, stated.asOf)}`,
      ),
      supervision.length === 0
        ? sentence(words.unsupervised({ firm }))
        : supervision.map((one) =>
            sentence(words.supervised({ firm, regulator: regulatorName(one) }), renderEntry(view, one)),
          ),
      permits.length > 0 &&
        sentence(words.permitted({ where: country.where }), ...permits.map((one) => renderEntry(view, one))),
      protections.map((one) => renderProtection(view, one)),
      permits.length > 0 && isFundUnknown && sentence(words.noCompensation),
      permits.length === 0 &&
        permission?.state === 'permitted' &&
        sentence(words.partyNotConfirmed({ firm, where: country.where })),
    ]
  );
};

const renderUnread = ({ context }: BrokerView, { country, register }: UnreadRegister): Html => {
  const words = context.texts.verdict;
  if (register === undefined) return html`<li>${words.noRegister({ ...formResidence(context, country) })}</li>`;
  const text =
    register.readAt === null
      ? words.neverRead({ register: register.name })
      : words.unreadSince({ register: register.name, day: context.format.day(register.readAt) });
  return html`<li>${text} <span class="soft">(${renderHostLink(register.registerUrl)})</span></li>`;
};

const renderUnknown = (
  view: BrokerView,
  { unread, isCompared }: NonNullable<Verdict['permission']>,
  residence: string,
  country: CountryForms,
): Html => {
  const { texts } = view.context;
  const words = texts.verdict;
  const named = unread.slice(0, MOST_REGISTERS);
  const more = unread.length - named.length;
  const own = view.broker.registers.filter((register) => register.country === residence);
  const isThere = isCompared && named.some(({ register }) => register !== undefined);
  return html`<p><strong>${words.unknown({ named: country.named })}</strong></p>
<ul>${!isCompared && html`<li>${words.neverCompared}</li>`}${named.map((one) =>
    renderUnread(view, one),
  )}${more > 0 && html`<li>${words.unreadMore({ count: more })}</li>`}</ul>
<p><strong>${isThere ? words.findThere : words.findFirst({ named: country.named })}</strong>${
    !isThere && own.map(({ registerUrl }) => html` <span class="soft">(${renderHostLink(registerUrl)})</span>`)
  }</p>`;
};

/** Renders how far the broker may take clients of the country, unless the companies above say it. */
const renderPermission = (
  view: BrokerView,
  { permission, entities, residence }: Verdict,
  country: CountryForms,
): HtmlPart => {
  const words = view.context.texts.verdict;
  if (permission === null || permission.state === 'permitted') return null;
  if (permission.state === 'none') return html`<p><strong>${words.none({ named: country.named })}</strong></p>`;
  if (permission.state === 'unknown') return renderUnknown(view, permission, residence, country);
  if (permission.state === 'other_entity')
    return entities
      .filter(({ permits }) => permits.length > 0)
      .map(({ entity, permits }) =>
        sentence(
          words.otherEntity({ where: country.where, firm: isolateText(entity.legalName) }),
          ...permits.map((one) => renderEntry(view, one)),
        ),
      );
  return html`<p><strong>${words.notConfirmed({ where: country.where, named: country.named })}</strong></p>
<ul>${permission.unconfirmed.map(
    (one) =>
      html`<li>${words.claimed({ regulator: regulatorName(one), firm: isolateText(one.license.entity.legalName), named: country.named })} <span class="soft">(${renderEntry(view, one)})</span></li>`,
  )}</ul>`;
};

/** Refers to the alarms above the verdict, which tell each warning, so that none is told twice. */
const renderAlarms = ({ context }: BrokerView, { alarms, ending }: Verdict): HtmlPart => {
  const words = context.texts.verdict;
  const isAboutFirm = alarms.some(({ kind }) => kind === 'suspected_clone' || kind === 'warned');
  return [
    alarms.length > 0 && html`<p><strong>${isAboutFirm ? words.alarm : words.notice}</strong></p>`,
    ending !== null && html`<p><strong>${words.ended}</strong></p>`,
  ];
};

/** Renders that no warning is in force, unless the meaning of one is not known. */
const renderUnwarned = ({ context, broker: { warnings } }: BrokerView): HtmlPart => {
  const words = context.texts.verdict;
  if (warnings.length === 0) return sentence(words.unwarned);
  const isPast = warnings.every(
    ({ about, withdrawnAt, correctedAt }) =>
      about === 'not_this_firm' || withdrawnAt !== undefined || correctedAt !== undefined,
  );
  return isPast && sentence(words.warningsPast);
};

const renderVerdict = (view: BrokerView, verdict: Verdict, country: CountryForms): Html => {
  const words = view.context.texts.verdict;
  const { entities, permission, alarms } = verdict;
  return html`${renderAlarms(view, verdict)}${entities.map((one) => renderParty(view, one, verdict, country))}${
    permission !== null &&
    !entities.some(({ stated }) => stated) &&
    sentence(words.signsUnknown({ where: country.where }))
  }${renderPermission(view, verdict, country)}${alarms.length === 0 && renderUnwarned(view)}`;
};

/**
 * Returns the countries that the form offers at once: those with a regulator that the service knows, and those whose
 * clients sign with a company of the firm. The other 190 would be a seventh of the page, and long to scroll on a phone.
 */
const listOffered = ({ broker, regulators }: BrokerView): ReadonlySet<string> =>
  new Set([
    ...[...regulators.values()].map(({ country }) => country),
    ...broker.entities.flatMap(({ serves }) => serves?.countries ?? []),
  ]);

const form = (view: BrokerView, choice: string | undefined): Html => {
  const { context, broker } = view;
  const words = context.texts.verdict;
  return html`<form class="verdict-form" action="${addressIn(context, `/brokers/${broker.slug}`)}" method="get">
${residenceField(context, choice, choice === ALL_COUNTRIES ? undefined : listOffered(view))}
<button>${words.show}</button>
</form>`;
};

/**
 * Renders the verdict for the country where the reader lives, or the question for it.
 * @param choice the country, or the wish for a list of all
 */
export const verdict = (view: BrokerView, choice: string | undefined): Html => {
  const { context, broker } = view;
  const words = context.texts.verdict;
  const residence = choice === ALL_COUNTRIES ? undefined : choice;
  const country = residence === undefined ? undefined : formResidence(context, residence);
  return html`
<section class="verdict" id="verdict"><h2>${country === undefined ? words.ask : words.title({ where: country.where })}</h2>
${
  residence !== undefined &&
  country !== undefined &&
  renderVerdict(view, decideVerdict(broker, residence, context.now), country)
}
${form(view, choice)}
</section>`;
};
