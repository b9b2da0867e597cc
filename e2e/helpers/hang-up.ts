import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
// oxlint-disable-next-line no-restricted-imports -- at which moment a client hangs up is what varies
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Sends this many requests of every kind to the dashboard, and hangs up on each at a different
 * moment.
 */
export async function hangUpOnPages(origin: string, count: number): Promise<void> {
  const actions = await listActions();
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  async function proceed(): Promise<void> {
    for (const number of numbers) await hangUp(origin, number, actions);
  }
  await Promise.all(Array.from({ length: 16 }, proceed));
}

const methods = ['GET', 'POST', 'TRACE', 'DELETE', 'POST', 'HEAD', 'POST', 'PATCH', 'OPTIONS'];
const paths = [
  '/',
  '/sign-in',
  '/set-up',
  '/settings/api-keys',
  '/a/7/settings/api-keys',
  '/a/7/data/listApiKeys',
  '/nothing',
  '/%',
  '/_next/image?url=%2Ficon.svg&w=64&q=75',
];
const bodies = [
  '',
  '["x"]',
  '['.repeat(5000),
  '--b\r\nContent-Disposition: form-data; name="0"\r\n\r\n[',
];
const types = ['text/plain', 'multipart/form-data; boundary=b', 'application/json'];
/** By how many bytes a body is shorter than its header says. */
const shortBy = [0, 0, 100];

async function hangUp(origin: string, number: number, actions: readonly string[]): Promise<void> {
  const { hostname: host, port } = new URL(origin);
  const pick = <Value>(values: readonly Value[], turn: number): Value | undefined =>
    values[Math.floor(number * turn) % values.length];
  const body = pick(bodies, 0.7) ?? '';
  const head = [
    `${pick(methods, 1)} ${pick(paths, 1.3)} HTTP/1.1`,
    `Host: ${host}:${port}`,
    'Sec-Fetch-Site: same-origin',
    `Content-Type: ${pick(types, 0.3)}`,
    `Content-Length: ${body.length + (pick(shortBy, 0.9) ?? 0)}`,
    ...(number % 2 === 0 ? [`Next-Action: ${pick(actions, 1)}`] : []),
    ...(number % 5 === 0 ? ['RSC: 1', 'Next-Router-State-Tree: none'] : []),
  ];
  const socket = connect({ host, port: Number(port) });
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await pause(number % 40);
  socket.resetAndDestroy();
}

async function listActions(): Promise<string[]> {
  const manifest = new URL('../../.next/server/server-reference-manifest.json', import.meta.url);
  const { node } = JSON.parse(await readFile(manifest, 'utf8')) as { node: object };
  return Object.keys(node);
}
