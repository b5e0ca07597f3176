import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseVerifierKey, type VerifierKey } from '@broker-transparency/log';
import { InvalidArgumentError } from 'commander';
import { hasItsId, type LogKey, parseLogKey } from '../../ledger/log/keys.ts';
import { createClock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readPrivate } from '../../platform/private-file.ts';
import type { ProberListenAddress } from '../../prober/listen.ts';
import { readConfig } from '../config.ts';
import { defineCommand } from './define-command.ts';
import { interruptible } from './interrupt.ts';
import { print } from './output.ts';

/** The options of the command line. */
interface ProbeOptions {
  readonly service: string;
  readonly key: string;
  readonly dir: string;
  readonly enterpriseKey?: string;
  readonly logKey?: readonly VerifierKey[];
  readonly canary?: number | true;
  readonly listen?: ProberListenAddress;
  readonly webhookUrl?: string;
  readonly once?: boolean;
}

/** Minutes between two canaries, unless the operator of the service agreed on others. */
const CANARY_MINUTES = 5;

const parseService = (text: string): string => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new InvalidArgumentError('Give the address of the service, such as https://ratings.example.');
  return url.href.replace(/\/+$/, '');
};

const parseHook = (text: string): string => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !url.pathname.endsWith('/webhook'))
    throw new InvalidArgumentError(
      'Give the address at which the service reaches it, such as https://probe.example/webhook.',
    );
  return url.href;
};

const parseListen = (text: string): ProberListenAddress => {
  const [, v6, name, port] = /^(?:\[([0-9a-f:]+)\]|([^:\s[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError('Give host and port, such as 127.0.0.1:9464 or [::]:9464.');
  return { host, port: Number(port) };
};

const parseMinutes = (text: string): number => {
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (minutes < 1 || minutes > 1440) throw new InvalidArgumentError('Give a number of minutes from 1 to 1440.');
  return minutes;
};

const addLogKey = (text: string, before: readonly VerifierKey[] = []): readonly VerifierKey[] => {
  try {
    const key = parseVerifierKey(text);
    if (hasItsId(key) && key.name.includes('/')) return [...before, key];
  } catch {
    // said below
  }
  throw new InvalidArgumentError("Give the log's verifier key, name+id+base64, as admin log new-key printed it.");
};

const readProberKey = async (file: string): Promise<LogKey> => {
  try {
    const key = parseLogKey(await readPrivate(file));
    if (/^[a-z0-9]([a-z0-9.-]{0,38}[a-z0-9])?$/.test(key.name)) return key;
    throw new SyntaxError(`${key.name} is not the name of a prober; admin prober new-key makes a key`);
  } catch (error) {
    throw new DomainError('unreadable_file', `--key ${file}: ${(error as Error).message}`, { cause: error });
  }
};

/** A key of a customer as `enterprise issue-key` prints it. Credentials of systemd have a mode of their own. */
const readToken = async (file: string): Promise<string> => {
  try {
    if (((await stat(file)).mode & 0o007) !== 0) throw new SyntaxError(`others can read it; run chmod 600 ${file}`);
    const token = (await readFile(file, 'utf8')).trim();
    if (/^\S{1,400}$/.test(token)) return token;
    throw new SyntaxError('it must hold one key, as enterprise issue-key prints it');
  } catch (error) {
    throw new DomainError('unreadable_file', `--enterprise-key ${file}: ${(error as Error).message}`, { cause: error });
  }
};

/** Requires the options that others need. @throws DomainError that names the missing option */
const requireTogether = ({ webhookUrl, listen, enterpriseKey, canary, once }: ProbeOptions): void => {
  const refuse = (why: string): never => {
    throw new DomainError('invalid_setting', why);
  };
  if (webhookUrl !== undefined && (listen === undefined || enterpriseKey === undefined || canary === undefined))
    refuse('--webhook-url needs --listen, --enterprise-key and --canary: webhooks about its own canaries are awaited');
  if (once && (listen !== undefined || webhookUrl !== undefined))
    refuse('--once ends after a minute, so it takes neither --listen nor --webhook-url');
};

const probe = async (env: NodeJS.ProcessEnv, options: ProbeOptions): Promise<void> => {
  requireTogether(options);
  const clock = createClock(readConfig(env).clock);
  const { key: keyFile, enterpriseKey: tokenFile, canary, once = false } = options;
  const key = await readProberKey(keyFile);
  const enterpriseKey = tokenFile === undefined ? undefined : await readToken(tokenFile);
  const { createMinutePace, createSinglePace, runProber } = await import('../../prober/prober.ts');
  const given = {
    service: options.service,
    key,
    dir: resolve(options.dir),
    enterpriseKey,
    logKeys: options.logKey ?? [],
    canaryEvery: canary === true ? CANARY_MINUTES : canary,
    listenAt: options.listen,
    webhookUrl: options.webhookUrl,
    clock,
    tell: print,
  };
  if (once) await runProber(given, createSinglePace(clock));
  else await interruptible((signal) => runProber(given, createMinutePace(clock, signal)));
};

export const probeCommands = [
  defineCommand({
    words: 'admin probe',
    rights: { open: true },
    options: {
      service: {
        value: '<url>',
        what: 'address of the service, as callers use it',
        parse: parseService,
        required: true,
      },
      key: { value: '<file>', what: 'its own key, by which it signs; admin prober new-key makes one', required: true },
      dir: { value: '<folder>', what: 'folder for its results, which nothing else uses', required: true },
      enterpriseKey: {
        value: '<file>',
        what: 'key of a customer, to measure the enterprise API and the feed too',
      },
      logKey: {
        value: '<key>',
        what: "the log's verifier key: then it checks the log; for each key of the log",
        parse: addLogKey,
      },
      canary: {
        value: '[minutes]',
        what: `write a canary every so many minutes (${CANARY_MINUTES}), as registered`,
        parse: parseMinutes,
      },
      listen: {
        value: '<host:port>',
        what: 'serve /status/, /results/ and /metrics, and receive webhooks',
        parse: parseListen,
      },
      webhookUrl: {
        value: '<url>',
        what: 'address by which the service reaches its /webhook, to measure webhooks',
        parse: parseHook,
      },
      once: 'measure the current minute, deliver, and end',
    },
    example: '--service https://ratings.example --key frankfurt-1.key --dir /var/lib/probe --listen 127.0.0.1:9464',
    run: ({ env }, options) => probe(env, options),
  }),
];
