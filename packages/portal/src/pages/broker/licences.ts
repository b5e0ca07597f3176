import { hasLicenseEnded } from '@broker-transparency/contract';
import { scoringLicenses } from '@broker-transparency/contract/score';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { formatHost, renderExternalLink } from '../../links.ts';
import { wordFor } from '../../words.ts';
import { type BrokerView, day, dayOrNever, dayOrUnknown, facts, section } from './parts.ts';
import { saidBy } from './sources.ts';
import type { BrokerLicense } from './state.rule.ts';

const regulatorName = ({ context, regulators }: BrokerView, code: string): Html => {
  const regulator = regulators.get(code);
  return regulator
    ? html`<a href="${addressIn(context, `/regulators/${code}`)}">${regulator.name}</a>`
    : html`${code.toUpperCase()}`;
};

/** Returns whether a licence adds to the score, and the reason if it is no property of the licence itself. */
const countsText = ({ texts, broker }: BrokerView, license: BrokerLicense): string => {
  if (scoringLicenses(broker).some((one) => one === license)) return texts.licences.countsYes;
  const isListed = broker.entities.some(({ legalName }) => legalName === license.entity.legalName);
  return isListed ? texts.licences.countsNo : texts.licences.notListed;
};

const checkedText = (view: BrokerView, { lastVerifiedAt, stale }: BrokerLicense): Html =>
  html`${dayOrNever(view, lastVerifiedAt)}${lastVerifiedAt !== null && stale && html` – <strong class="stale">${view.texts.licences.stale}</strong>`}`;

const item = (view: BrokerView, license: BrokerLicense): Html => {
  const { context, texts, regulators } = view;
  const { format } = context;
  const { licences } = texts;
  const country = regulators.get(license.regulatorCode)?.country;
  const { permissions, statusEffectiveAt } = license;
  const since =
    statusEffectiveAt === null ? licences.sinceUnknown : licences.since({ day: format.day(statusEffectiveAt) });
  return html`
<li class="record licence${hasLicenseEnded(license) && ' past'}" data-licence="${license.status}">
<h3>${regulatorName(view, license.regulatorCode)}${country !== undefined && html`<span class="soft">, ${format.country(country)}</span>`}</h3>
<p><strong class="status">${wordFor(licences.statuses, license.status)}</strong> ${since}; ${wordFor(licences.tiers, license.tier)}</p>
${facts([
  [licences.counts, countsText(view, license)],
  [
    licences.checked,
    html`${checkedText(view, license)}, ${renderExternalLink(license.sourceUrl, licences.register)} <span class="soft">${formatHost(license.sourceUrl)}</span>`,
  ],
])}
<details><summary>${licences.details}</summary>${facts([
    [licences.holder, toBdi(license.entity.legalName)],
    [licences.number, toBdi(license.referenceNumber)],
    [licences.type, wordFor(licences.types, license.type)],
    [licences.granted, dayOrUnknown(context, license.issuedAt)],
    [licences.expires, license.expiresAt !== undefined && day(context, license.expiresAt)],
    [
      licences.permissions,
      permissions.length > 0 && html`<ul>${permissions.map((permission) => html`<li>${toBdi(permission)}</li>`)}</ul>`,
    ],
  ])}</details>
</li>`;
};

/** Number of licences that a page shows in full. The others are folded, and so are ended ones below others. */
const MOST_UNFOLDED = 3;

/** Renders the licences of all legal entities, ended ones last. */
export const licences = (view: BrokerView): Html => {
  const { texts, broker } = view;
  const { licenses } = broker;
  if (licenses.length === 0)
    return section(view, 'licences', html`<p><strong>${texts.licences.empty}</strong> ${texts.licences.emptyText}</p>`);
  const held = licenses.filter((license) => !hasLicenseEnded(license));
  const sorted = [...held, ...licenses.filter(hasLicenseEnded)];
  const shown = Math.min(MOST_UNFOLDED, held.length || licenses.length);
  const [first, more] = [sorted.slice(0, shown), sorted.slice(shown)];
  const list = (some: readonly BrokerLicense[]): Html =>
    html`<ul class="records">${some.map((license) => item(view, license))}</ul>`;
  return section(view, 'licences', [
    html`<p>${texts.licences.lead}</p>`,
    list(first),
    more.length > 0 &&
      html`<details><summary>${texts.licences.more({ count: more.length })}</summary>${list(more)}</details>`,
    saidBy(view, 'licenses'),
  ]);
};
