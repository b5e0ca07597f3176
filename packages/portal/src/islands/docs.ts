import MiniSearch from 'minisearch';

/** A place of the documentation, in the service's list. */
interface Heading {
  readonly id: number;
  readonly title: string;
  readonly page: string;
  readonly path: string;
}

/** Maximum number of suggestions while typing. */
const MOST = 8;

const form = document.querySelector<HTMLFormElement>('form.docs-search');
const input = form?.querySelector('input');
const target = document.getElementById('docs-found');

const readIndex = async (address: string): Promise<MiniSearch<Heading>> => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the list of headings is answered by ${answer.status}`);
  const index = new MiniSearch<Heading>({ fields: ['title', 'page'], storeFields: ['title', 'page', 'path'] });
  index.addAll((await answer.json()) as Heading[]);
  return index;
};

const entry = ({ title, page, path }: Heading): HTMLLIElement => {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const where = document.createElement('span');
  link.href = path;
  link.textContent = title;
  where.className = 'soft';
  where.textContent = page;
  item.append(link, ' ', where);
  return item;
};

if (form && input && target) {
  let index: Promise<MiniSearch<Heading>> | undefined;
  const list = document.createElement('ul');
  list.className = 'plain';
  list.lang = 'en';
  target.setAttribute('aria-live', 'polite');
  target.append(list);
  const load = (): Promise<MiniSearch<Heading>> => {
    index ??= readIndex(form.dataset['headings'] ?? '').catch((error) => {
      index = undefined; // the next key retries; the form works meanwhile
      throw error;
    });
    return index;
  };
  const suggest = async (): Promise<void> => {
    const { value } = input;
    const found =
      value.trim() === '' ? [] : (await load()).search(value, { prefix: true, fuzzy: 0.15, combineWith: 'AND' });
    if (input.value === value)
      list.replaceChildren(...found.slice(0, MOST).map((one) => entry(one as unknown as Heading)));
  };
  input.addEventListener('focus', () => load().catch(() => undefined));
  input.addEventListener('input', () => suggest().catch(() => list.replaceChildren()));
}
