import { describe, expect, test } from 'vitest';
import { parseConnection } from './connection.rule.ts';
import { toMailOutcome } from './smtp.ts';

describe('the connection to the mail server', () => {
  test.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTLS: true }],
    ['smtp://u%40x:p%2Fw@mail.example:25', { port: 25, requireTLS: true, auth: { user: 'u@x', pass: 'p/w' } }],
    ['smtps://mail.example', { port: 465, secure: true }],
    ['smtp://127.0.0.1:1025', { port: 1025, ignoreTLS: true }],
    ['smtp://localhost', { port: 587, ignoreTLS: true }],
    ['smtp://[::1]:25', { host: '::1', ignoreTLS: true }],
    ['smtp://127.0.0.1.evil.example', { requireTLS: true }],
  ])('%s', (url, expected) => {
    const connection = parseConnection(url);
    expect(connection).toMatchObject(expected);
    expect(connection.tls).toMatchObject({ rejectUnauthorized: true, minVersion: 'TLSv1.2' });
    expect('requireTLS' in connection || connection.secure === true || 'ignoreTLS' in connection).toBe(true);
  });
});

const error = (fields: object) => Object.assign(new Error('failed'), fields);

describe('what came of a mail', () => {
  test.each([
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 no' }, 'refused'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451, response: '451 later' }, 'later'],
    [{ code: 'EMESSAGE', command: 'DATA', responseCode: 554, response: '554 spam' }, 'refused'],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550, response: '550 who are you' }, 'unreachable'],
    [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, response: '535 wrong' }, 'unreachable'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421, response: '421 closing' }, 'unreachable'],
    [{ code: 'ECONNECTION', command: 'CONN' }, 'unreachable'],
    [{ code: 'ETLS', command: 'STARTTLS' }, 'unreachable'],
    [{ code: 'EENVELOPE', command: 'API' }, 'refused'],
  ])('%j is %s', (fields, outcome) => {
    expect(toMailOutcome(error(fields)).outcome).toBe(outcome);
  });

  test('a reply is one line that a terminal can show', () => {
    const sent = toMailOutcome(error({ command: 'DATA', responseCode: 550, response: '550-a\r\n550 b\u001B[31m' }));
    expect(sent).toEqual({ outcome: 'refused', code: 550, problem: '550-a 550 b [31m' });
  });
});
