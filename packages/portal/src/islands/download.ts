/**
 * The script of the page for downloads. It sends the key only in a header and only to this service. The key is in no
 * address, history or storage, so it is gone when the page is closed.
 */
import { find } from '../browser/dom.ts';

/** A file of a snapshot, as the list tells of it. The site knows no part for customers, so it says which fields it reads. */
interface SnapshotFile {
  readonly name: string;
  readonly kind: string;
  readonly content: string;
  readonly format: string;
  readonly compression: string;
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

const say = (text: string): void => {
  find('state').textContent = text;
};

const ask = async (path: string): Promise<Response> => {
  const key = find<HTMLInputElement>('key').value.trim();
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`/enterprise/v1${path}`, { headers, cache: 'no-store', credentials: 'omit' });
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as { readonly detail?: string };
  throw new Error(problem.detail ?? `The service answers ${answer.status}.`);
};

const save = async (path: string, name: string): Promise<void> => {
  say(`Downloading ${name} …`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await (await ask(path)).blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  say(`${name} is downloaded.`);
};

const run = (work: () => Promise<void>) => (): void => {
  work().catch((error: Error) => say(error.message));
};

const createRow = (snapshot: number, file: SnapshotFile): HTMLTableRowElement => {
  const row = document.createElement('tr');
  const { name, kind, content, format, compression, lines, bytes, sha256 } = file;
  const texts = [kind, content, `${format}, ${compression}`, String(lines), `${Math.ceil(bytes / 1000)} kB`, sha256];
  for (const text of texts) row.insertCell().textContent = text;
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Download';
  const path = `/snapshots/${snapshot}/files/${encodeURIComponent(name)}`;
  button.addEventListener(
    'click',
    run(() => save(path, name)),
  );
  row.insertCell().append(button);
  return row;
};

const list = run(async () => {
  say('Asking …');
  find('table').hidden = true;
  const { data } = (await (await ask('/snapshots')).json()) as {
    readonly data: readonly { readonly number: number }[];
  };
  const [newest] = data;
  if (!newest) return say('There is no snapshot yet.');
  const manifest = (await (await ask(`/snapshots/${newest.number}`)).json()) as {
    readonly number: number;
    readonly time: string;
    readonly files: readonly SnapshotFile[];
  };
  find('files').replaceChildren(...manifest.files.map((file) => createRow(manifest.number, file)));
  find('table').hidden = false;
  say(`Snapshot ${manifest.number} of ${manifest.time}.`);
});

find('list').addEventListener('click', list);
find('key').addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') list();
});
