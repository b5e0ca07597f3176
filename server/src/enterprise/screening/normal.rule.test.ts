import { expect, test } from 'vitest';
import { hostOf } from '../../matching/domains.rule.ts';
import { plainNumber } from '../../matching/identifiers.rule.ts';
import { hostsAbove, normalName, plainLabel } from './normal.rule.ts';

test.each([
  ['Alpha Markets Ltd', 'alpha markets ltd', 'alphamarkets'],
  ['ALPHA MARKETS LIMITED', 'alpha markets limited', 'alphamarkets'],
  ['Älpha-Markets GmbH & Co. KG', 'alpha markets gmbh and co kg', 'alphamarkets'],
  ['Alpha Märkets, S.A.', 'alpha markets sa', 'alphamarkets'],
  ['Alpha Markets S. à r.l.', 'alpha markets sarl', 'alphamarkets'],
  ['Alpha (Cyprus) Pty. Ltd.', 'alpha cyprus pty ltd', 'alphacyprus'],
  ['Alpha sp. z o.o.', 'alpha sp zoo', 'alpha'],
  ["O'Alpha Inc.", 'oalpha inc', 'oalpha'],
  ['Alpha Co Ltd LLC', 'alpha co ltd llc', 'alpha'],
  ['AG', 'ag', 'ag'],
  ['SA Limited', 'sa limited', 'sa'],
  ['Łódź Straße A/S', 'lodz strasse as', 'lodzstrasse'],
  ['アルファ', 'アルファ', 'アルファ'],
  ['!!!', '', ''],
])('the name %s is %s, and %s without its legal form', (name, whole, compact) => {
  expect(normalName(name)).toMatchObject({ whole, compact });
});

test.each([
  ['alpha.example', 'alpha.example'],
  ['https://www.Alpha.example:8443/login?x=1#y', 'alpha.example'],
  ['http://user@trade.alpha.example', 'trade.alpha.example'],
  ['WWW2.ALPHA.EXAMPLE.', 'alpha.example'],
  ['älpha.example', 'xn--lpha-koa.example'],
  ['//alpha.example/x', 'alpha.example'],
  ['localhost', undefined],
  ['127.0.0.1', undefined],
  ['not a domain', undefined],
  ['http://', undefined],
])('the domain %s is %s', (domain, host) => {
  expect(hostOf(domain)).toBe(host);
});

test.each([
  ['alpha.example', 'alpha', ['alpha.example']],
  ['trade.alpha.co.uk', 'alpha', ['trade.alpha.co.uk', 'alpha.co.uk', 'co.uk']],
  ['com.example', 'com', ['com.example']],
])('of %s the owner chose %s', (host, label, above) => {
  expect(plainLabel(host)).toBe(label);
  expect(hostsAbove(host)).toEqual(above);
});

test.each([
  ['FRN 123-456', 'FRN123456'],
  ['123 456', '123456'],
  ['cif–12/3', 'CIF123'],
  ['１２３', '123'],
  ['--', ''],
])('the number %s is %s', (number, normal) => {
  expect(plainNumber(number)).toBe(normal);
});
