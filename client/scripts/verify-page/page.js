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
const keysIn = (file) => {
  const text = /^\s*\{/.test(file) ? file : (/id="publication">(.*?)<\/script>/s.exec(file)?.[1] ?? '{}');
  try {
    return JSON.parse(text).log.keys.join('\n');
  } catch {
    return '';
  }
};

const LEVELS = {
  logged: 'The log has it. Without witnesses its operator could show somebody else another history.',
  witnessed: 'The log has it, and enough witnesses have seen the same log.',
};

const show = (kind, title, rows) => {
  const result = element('result');
  result.className = kind;
  const heading = document.createElement('h2');
  heading.textContent = title;
  const table = document.createElement('table');
  for (const [name, value] of rows) {
    const row = table.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = String(value);
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
  ['Entry', JSON.stringify(entry)],
];

/** The words of a review stand first: they are what its author wants to show. */
const rowsOfReview = (verified) => [
  ...Object.entries(verified.texts).map(([field, text]) => [`Published ${field}`, text]),
  ...rowsOfProof(verified),
];

const isReview = (text) => /^\s*\{/.test(text) && !text.includes('"format"') && text.includes('"texts"');

/** Verifies a file of any kind. Returns what it shows. */
const verify = async (text, policy) => {
  if (text.startsWith('c2sp.org/tlog-proof')) {
    const verified = await verifyProof(text, policy);
    return { ...verified, rows: rowsOfProof(verified) };
  }
  const isOfReview = isReview(text);
  const verified = await (isOfReview ? verifyReview : verifyPublication)(text, { policy });
  return { ...verified, rows: (isOfReview ? rowsOfReview : rowsOfPublication)(verified) };
};

const check = async (file, text) => {
  const own = element('own').checked;
  const policy = policyOf(own ? keysIn(text) : element('keys').value);
  if (!/^log /m.test(policy)) throw new Error('Write the keys of the log that you trust into the first field.');
  const verified = await verify(text, policy);
  const warning = 'By keys that the file names itself. A forger could have made all of it.';
  const level = own ? ['Not shown', warning] : ['Shown', LEVELS[verified.level]];
  show(own ? 'unsure' : 'good', own ? `${file}: whole, by its own keys` : `${file}: verified`, [
    level,
    ...verified.rows,
  ]);
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
