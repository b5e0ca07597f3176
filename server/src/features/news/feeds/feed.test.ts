import { expect, test } from 'vitest';
import { DomainError } from '../../../platform/domain-error.ts';
import { parseFeeds } from './feed.ts';

const feed = { url: 'https://news.example/rss', source: 'Example Gazette', language: 'en', category: 'market' };
const text = (...feeds: unknown[]) => JSON.stringify(feeds);

test('reads valid feeds', () => {
  const full = {
    ...feed,
    url: 'https://x.example/',
    severity: 'serious',
    licence: 'OGL 3.0',
    attribution: 'By X',
    hosts: ['regulator.example', 'xn--mnchen-3ya.example'],
    authority: true,
    regulator: 'fca',
  };
  const filled = { ...feed, severity: 'info', hosts: [], authority: false };
  expect(parseFeeds(`\uFEFF${text(feed, full)}`)).toEqual([filled, full]);
});

test.each([
  ['', 'is not JSON'],
  ['[\n{"url": x}\n]', 'is not JSON: Unexpected token'],
  ['{}', 'the file: must be a list of feeds'],
  ['[]', 'the file: must have at least one feed'],
  [text(feed, feed), 'feed 2, url: must not repeat an earlier feed'],
  [text({ ...feed, url: 'file:///etc/passwd' }), 'feed 1, url: must be an absolute http or https address'],
  [text({ ...feed, url: 'https://user:pw@news.example/' }), 'feed 1, url: must be an absolute http or https address'],
  [text(feed, { ...feed, url: 'https://b.example/', language: 'English' }), 'feed 2, language: must be a BCP 47 tag'],
  [text({ ...feed, category: 'gossip' }), 'feed 1, category: Invalid option: expected one of "warning"|'],
  [text({ ...feed, license: 'x' }), 'feed 1: Unrecognized key: "license"'],
  [text({ ...feed, source: undefined }), 'feed 1, source: '],
  [text({ ...feed, severity: 'serious' }), 'feed 1, severity: must be info, or the feed must have "authority": true'],
  [text({ ...feed, regulator: 'fca' }), 'feed 1, regulator: needs "authority": true'],
  [text({ ...feed, authority: 'yes' }), 'feed 1, authority: must be true or false'],
  [text({ ...feed, hosts: 'a.example' }), 'feed 1, hosts: '],
  ...['https://a.example', 'a.example:443', 'a.example/x', 'A.example', 'münchen.example', 'com', '.com', 'a.example.']
    .concat(['u@a.example', '', '*.a.example', '1.2.3'])
    .map((host): [string, string] => [
      text({ ...feed, hosts: ['b.example', host] }),
      'feed 1, hosts, 2: must be a host name',
    ]),
])('refuses %j: %s', (json, message) => {
  const parse = () => parseFeeds(json);
  expect(parse).toThrow(DomainError);
  expect(parse).toThrow(message);
});

test('names every fault', () => {
  expect(() => parseFeeds(text({ ...feed, url: 1, language: 2 }))).toThrow(/^feed 1, url: .*; feed 1, language: /);
});
