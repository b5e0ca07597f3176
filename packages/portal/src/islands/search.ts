/*
 * Suggestions while typing: an editable combobox with a list (WAI-ARIA Authoring Practices). The form works without it.
 */
import { groupWarnings } from '@broker-transparency/contract/score';
import type { Messages } from '../generated/messages.ts';
import { stripTurning } from '../html.ts';
import { wordFor } from '../words.ts';
import { createSuggestionCache, type SuggestedBroker, splitWords } from './search/narrow.ts';

/** Settings of the script from the page. */
interface SearchSettings {
  readonly api: string;
  readonly brokers: string;
  readonly all: string;
  /** The country that the reader has chosen. */
  readonly residence?: string;
  readonly colors: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<keyof Messages['find']['suggestions'], string>>;
}

/** Delay of a request after the last letter, in milliseconds. */
const PATIENCE_MS = 200;
/** Maximum number of suggestions. */
const MOST = 8;
/** Pause in seconds after too many requests, if the service names none. */
const PAUSE_SECONDS = 60;

const memory = createSuggestionCache();
let pausedUntil = 0;

const { lang } = document.documentElement;
const oneDecimal = new Intl.NumberFormat(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const regions = new Intl.DisplayNames(lang, { type: 'region', fallback: 'code' });

const createElement = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...content);
  return made;
};
/** Returns an element that keeps the direction of foreign text to itself. */
const createBdi = (text: string): HTMLElement => createElement('bdi', '', stripTurning(text));

const renderSuggestion = ({ colors, words }: SearchSettings, broker: SuggestedBroker): Node[] => {
  const { value } = broker.score;
  const isClone = broker.status === 'suspected_clone';
  const score = `${value === null ? '' : `${oneDecimal.format(value)} `}${wordFor(colors, broker.color)}`;
  const rated = createElement('span', 'rated', isClone ? '' : score);
  rated.dataset['color'] = broker.color;
  const under = createElement('span', 'under', createBdi(broker.legalName), `, ${regions.of(broker.country)}`);
  const { confirmed, unchecked } = groupWarnings(broker.warnings);
  if (isClone || confirmed.length > 0)
    under.append('. ', createElement('strong', 'alarm', isClone ? words.clone : words.warned));
  else if (unchecked.length > 0) under.append('. ', createElement('span', 'unconfirmed', words.unconfirmed));
  return [createElement('span', 'name', createBdi(broker.name)), rated, under];
};

/** Requests suggestions. Returns undefined if a later request replaced this one. */
const fetchSuggestions = async (
  settings: SearchSettings,
  query: string,
  signal: AbortSignal,
): Promise<SuggestedBroker[] | string | undefined> => {
  const { api, words } = settings;
  try {
    const response = await fetch(`${api}?${new URLSearchParams({ q: query })}`, { signal });
    if (response.status === 429) {
      pausedUntil = Date.now() + (Number(response.headers.get('Retry-After')) || PAUSE_SECONDS) * 1000;
      return words.busy;
    }
    if (!response.ok) return words.failed;
    return ((await response.json()) as { data: SuggestedBroker[] }).data;
  } catch {
    if (signal.aborted) return undefined;
    return navigator.onLine ? words.failed : words.offline;
  }
};

/** The list below a field, with the state that assistive technology reads. */
const createListbox = (input: HTMLInputElement, label: string) => {
  const list = createElement('ul', 'suggestions');
  const status = createElement('span', 'unseen');
  list.id = `${input.id}-suggestions`;
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', label);
  status.setAttribute('role', 'status');
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-expanded', 'false');
  input.setAttribute('aria-controls', list.id);
  input.parentElement?.append(list, status);
  list.addEventListener('mousedown', (event) => event.preventDefault()); // the field keeps the focus

  let chosen = -1;
  const select = (at: number): void => {
    const options = [...list.children];
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = at;
    const option = options[at];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  };
  return {
    isOpen: (): boolean => !list.hidden,
    isEmpty: (): boolean => list.children.length === 0,
    setOpen: (isOpen: boolean): void => {
      list.hidden = !isOpen;
      input.setAttribute('aria-expanded', String(isOpen));
      if (!isOpen) select(-1);
    },
    clear: (): void => {
      select(-1);
      list.replaceChildren();
    },
    add: (content: readonly Node[], take: () => void): void => {
      const option = createElement('li', '', ...content);
      option.id = `${list.id}-${list.children.length}`;
      option.setAttribute('role', 'option');
      option.setAttribute('aria-selected', 'false');
      option.addEventListener('click', take);
      list.append(option);
    },
    /** Selects the next or the last option. The field itself counts as one. */
    move: (step: 1 | -1): void => {
      const places = list.children.length + 1;
      select(((chosen + 1 + step + places) % places) - 1);
    },
    /** Takes the selected option. Returns false if there is none. */
    take: (): boolean => {
      const option = list.hidden ? undefined : (list.children[chosen] as HTMLElement | undefined);
      option?.click();
      return option !== undefined;
    },
    /** Shows a status. Faults are visible; the number of suggestions is for screen readers only. */
    showStatus: (text: string, isSeen = false): void => {
      status.className = isSeen ? 'said' : 'unseen';
      status.textContent = text;
    },
  };
};
type Listbox = ReturnType<typeof createListbox>;

/** Moves in the list by the keyboard. A handler returns false if the key means nothing now. */
const createKeys = (list: Listbox, close: () => void): Readonly<Record<string, (event: KeyboardEvent) => boolean>> => ({
  ArrowDown: ({ altKey }) => {
    if (list.isEmpty()) return false;
    const wasOpen = list.isOpen();
    list.setOpen(true);
    if (wasOpen || !altKey) list.move(1);
    return true;
  },
  ArrowUp: ({ altKey }) => {
    if (!list.isOpen()) return false;
    if (altKey) list.setOpen(false);
    else list.move(-1);
    return true;
  },
  Enter: list.take,
  Escape: () => {
    const wasOpen = list.isOpen();
    close();
    return wasOpen;
  },
});

/** Returns a query with the country that the reader has chosen. */
const formatQuery = ({ residence }: SearchSettings, query: Readonly<Record<string, string>> = {}): string => {
  const parameters = new URLSearchParams({ ...query, ...(residence !== undefined && { residence }) });
  return parameters.size === 0 ? '' : `?${parameters}`;
};

const attach = (input: HTMLInputElement): void => {
  const settings = JSON.parse(input.dataset['suggest'] ?? '') as SearchSettings;
  const { words } = settings;
  const fills = input.dataset['fill'] !== undefined;
  const list = createListbox(input, words.list);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking: AbortController | undefined;

  const stopAsking = (): void => {
    clearTimeout(timer);
    asking?.abort();
    list.showStatus('');
  };
  const close = (): void => {
    stopAsking();
    list.setOpen(false);
  };
  const createSelectHandler = (slug: string, name: string) => (): void => {
    close();
    if (fills) input.value = name;
    else location.assign(settings.brokers + slug + formatQuery(settings));
  };
  const showBrokers = (brokers: readonly SuggestedBroker[], query: string): void => {
    list.clear();
    for (const broker of brokers.slice(0, MOST)) {
      // A name that several brokers share leads to a choice; the slug does not.
      const isAlone = brokers.filter(({ name }) => name === broker.name).length === 1;
      list.add(
        renderSuggestion(settings, broker),
        createSelectHandler(broker.slug, isAlone ? broker.name : broker.slug),
      );
    }
    if (!fills && brokers.length > 0) {
      const all = words.all.replace('{q}', () => query);
      list.add([createElement('span', 'name', all)], () =>
        location.assign(settings.all + formatQuery(settings, { q: query })),
      );
    }
    list.setOpen(brokers.length > 0);
  };
  /** A fault is shown only where no suggestions are. */
  const showFault = (text: string): void => {
    if (!list.isOpen()) list.showStatus(text, true);
  };

  const showSuggestions = async (query: string): Promise<void> => {
    if (Date.now() < pausedUntil) {
      showFault(words.busy);
      return;
    }
    asking = new AbortController();
    const answered = await fetchSuggestions(settings, query, asking.signal);
    if (answered === undefined || input.value.trim() !== query || document.activeElement !== input) return;
    if (typeof answered === 'string') {
      showFault(answered);
      return;
    }
    memory.keep(query, answered);
    showBrokers(answered, query);
    const count = Math.min(answered.length, MOST);
    list.showStatus(count === 0 ? words.none : words.count.replace('{n}', String(count)));
  };

  input.addEventListener('input', () => {
    stopAsking();
    const query = input.value.trim();
    if (splitWords(query).length === 0) {
      list.setOpen(false);
      return;
    }
    const known = memory.find(query);
    if (known) showBrokers(known.brokers, query);
    else list.setOpen(false);
    if (known?.isAnswer) list.showStatus(words.count.replace('{n}', String(Math.min(known.brokers.length, MOST))));
    else timer = setTimeout(() => showSuggestions(query), PATIENCE_MS);
  });

  const keys = createKeys(list, close);
  input.addEventListener('keydown', (event) => {
    if (!event.isComposing && keys[event.key]?.(event)) event.preventDefault();
  });
  input.addEventListener('blur', close);
};

for (const input of document.querySelectorAll<HTMLInputElement>('input[data-suggest]')) attach(input);
