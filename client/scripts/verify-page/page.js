/* What verify.html does. It asks nobody: keys come from the reader, the file from the reader's disk. */
import { VerifyError, verifyProof, verifyPublication, verifyReview } from '../../src/verify.ts';

const element = (id) => document.getElementById(id);

/** Keys, one a line, are a policy without witnesses. */
const policyOf = (text) => {
  if (/^\s*quorum\s/m.test(text)) return text;
  const keys = text.split('\n').map((line) => line.trim());
  return [...keys.filter((key) => key !== '').map((key) => `log ${key}`), 'quorum none', ''].join('\n');
};

/** The keys that a publication names itself. They show that it is whole, and not who made it. */
const keysIn = (publication) => publication.log?.keys?.join('\n') ?? '';

const parse = (json) => {
  try {
    return JSON.parse(json) ?? {};
  } catch {
    return {};
  }
};

/** Reads a file of any kind. Returns nothing of a file that no service makes. */
const read = (text) => {
  if (text.startsWith('c2sp.org/tlog-proof')) return { kind: 'proof', proof: text };
  const isJson = /^\s*\{/.test(text);
  const content = parse(isJson ? text : (/id="publication">(.*?)<\/script>/s.exec(text)?.[1] ?? ''));
  if (isJson && content.texts && !content.format) return { kind: 'review', proof: String(content.proof) };
  return content.format ? { kind: 'publication', keys: keysIn(content) } : undefined;
};

/** The address of the policy of the log that a proof names: its origin is the first line of its checkpoint. */
const policyAddressIn = (proof) => {
  const [, origin] = /\n\n([^\s/]+\/\S+)\n/.exec(proof) ?? [];
  if (origin === undefined) return undefined;
  const [host] = origin.split('/');
  return `${host === location.host ? location.protocol : 'https:'}//${origin}/policy`;
};

/** Says where to find keys for a file that names none. */
const askForKeys = ({ kind, keys, proof }, own) => {
  if (own && keys) return undefined;
  const address = kind === 'publication' ? undefined : policyAddressIn(proof);
  const none = own ? 'This file has no keys of its own, so the box does not apply to it. ' : '';
  const where = address
    ? ` The operator of this log publishes its policy at ${address}: open it, and copy its text. Compare it with what others say: whoever takes it from there trusts the operator.`
    : '';
  return `${none}Write the keys or the policy of the log that you trust into the first field.${where}`;
};

const LEVELS = {
  logged: 'The log has it. Without witnesses its operator could show somebody else another history.',
  witnessed: 'The log has it, and enough witnesses have seen the same log.',
};

/** What programs read is folded away. */
const fold = (text) => {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  const code = document.createElement('code');
  summary.textContent = 'As the log has it';
  code.textContent = text;
  details.append(summary, code);
  return details;
};

const show = (kind, title, rows) => {
  const result = element('result');
  result.className = kind;
  const heading = document.createElement('h2');
  heading.textContent = title;
  const table = document.createElement('table');
  for (const [name, value] of rows) {
    const row = table.insertRow();
    const head = document.createElement('th');
    head.scope = 'row';
    head.textContent = name;
    row.append(head);
    row.insertCell().append(value);
  }
  result.replaceChildren(heading, table);
};

const rowsOfPublication = ({ publication: { broker, rating, methodology, citation, terms, log } }) => [
  ['Broker', `${broker.name} (${broker.slug})`],
  ['Rating', `${rating.value === null ? 'not rated' : `${rating.value} of 100`}, ${rating.color}`],
  ['Time', `${rating.date}, 00:00 UTC`],
  ['Methodology', `${methodology.version}, SHA-256 ${methodology.sha256}`],
  ['Log', log.origin],
  ['Citation', citation],
  ['Terms (not proven)', terms.text],
];

const rowsOfProof = ({ entry, score, origin, index, size }) => [
  ...(score ? [['Rating', `${score.slug} on ${score.date}: ${score.value ?? 'not rated'}, ${score.color}`]] : []),
  ['Log', `${origin}, entry ${index} of ${size}`],
  ['Entry', fold(JSON.stringify(entry))],
];

/** The words of a review stand first: they are what its author wants to show. */
const rowsOfReview = (verified) => [
  ...Object.entries(verified.texts).map(([field, text]) => [`Published ${field}`, text]),
  ...rowsOfProof(verified),
];

/** Verifies a file of any kind. Returns what it shows. */
const verify = async (kind, text, policy) => {
  if (kind === 'proof') {
    const verified = await verifyProof(text, policy);
    return { ...verified, rows: rowsOfProof(verified) };
  }
  const isOfReview = kind === 'review';
  const verified = await (isOfReview ? verifyReview : verifyPublication)(text, { policy });
  return { ...verified, rows: (isOfReview ? rowsOfReview : rowsOfPublication)(verified) };
};

const check = async (file, text) => {
  const given = read(text);
  if (!given)
    throw new Error(
      'This file is none that this page can check, or it is damaged. Choose a publication, a proof, or the file of the words of a review, as it was saved.',
    );
  const own = element('own').checked;
  const policy = policyOf(own ? (given.keys ?? '') : element('keys').value);
  const missing = /^log /m.test(policy) ? undefined : askForKeys(given, own);
  if (missing) throw new Error(missing);
  const { level: reached, rows } = await verify(given.kind, text, policy);
  const warning = 'By keys that the file names itself. A forger could have made all of it.';
  const level = own ? ['Not shown', warning] : ['Shown', LEVELS[reached]];
  show(own ? 'unsure' : 'good', own ? `${file}: whole, by its own keys` : `${file}: verified`, [level, ...rows]);
};

const open = async (file) => {
  if (!file) return;
  try {
    await check(file.name, await file.text());
  } catch (error) {
    const title = error instanceof VerifyError ? `${file.name}: NOT VERIFIED` : file.name;
    show('bad', title, [[error.code ?? 'Problem', error.message]]);
  }
};

element('file').addEventListener('change', ({ target }) => open(target.files[0]));
for (const name of ['dragenter', 'dragover', 'drop']) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    if (name === 'drop') open(event.dataTransfer.files[0]);
  });
}

// From a disk there is no site to go back to.
element('home').hidden = location.protocol === 'file:';
