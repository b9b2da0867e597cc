#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { listen, ListenError } from './listen.ts';

const usage = `Usage: conversation-service listen --webhook <id> --to <url>

Forwards the events of a webhook to a server that the service cannot reach, such as
http://localhost:4000, with the headers and the signature of a delivery.

  --webhook <id>       the ID or UUID of the webhook; it may be inactive
  --to <url>           where to send each event
  --url <url>          the service; default: MESSAGING_URL, or http://localhost:3000
  --token-file <file>  the token of an API key with the scope events:listen;
                       default: MESSAGING_API_KEY
  --allow-remote       allows a --to that is not on this machine`;

main().catch((error: unknown) => {
  // A TypeError is that of `parseArgs`.
  const isExpected = error instanceof ListenError || error instanceof TypeError;
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      webhook: { type: 'string' },
      to: { type: 'string' },
      url: { type: 'string' },
      'token-file': { type: 'string' },
      'allow-remote': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { webhook, to, 'token-file': tokenFile } = values;
  if (values.help || positionals.join(' ') !== 'listen' || !webhook || !to) {
    console[values.help ? 'log' : 'error'](usage);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const baseUrl = values.url ?? process.env['MESSAGING_URL'] ?? 'http://localhost:3000';
  refuseOtherUrl('The service', baseUrl);
  refuseOtherUrl('--to', to);
  if (!values['allow-remote'] && !isLoopback(to)) {
    throw new ListenError(
      `${to} is not on this machine. To send events with their content there, add --allow-remote.`,
    );
  }
  const token = tokenFile ? readToken(tokenFile) : process.env['MESSAGING_API_KEY'];
  if (!token) throw new ListenError('Set MESSAGING_API_KEY, or name a file with --token-file.');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  await listen({
    baseUrl,
    token,
    webhook,
    to,
    print: (line) => console.log(line),
    signal: stop.signal,
  });
}

function refuseOtherUrl(name: string, url: string): void {
  // Without a scheme, `localhost:4000` is a URL with the scheme `localhost`.
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return;
  throw new ListenError(`${name} needs a URL such as http://localhost:4000, not ${url}.`);
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ListenError(`The token cannot be read: ${(error as Error).message}`);
  }
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8);
  loopback.addAddress('::1', 'ipv6');
  const version = isIP(host);
  if (version === 0) return host === 'localhost' || host.endsWith('.localhost');
  return loopback.check(host, version === 6 ? 'ipv6' : 'ipv4');
}
