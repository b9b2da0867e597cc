import { setTimeout as wait } from 'node:timers/promises';
import { Agent, get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Figure } from './figures.ts';
import { medianOf, percentileOf } from './figures.ts';
import type { MeasuredDashboard } from './measured-dashboard.ts';
import { timePage } from './server-time.ts';

const callsPerSecond = 100;
const pagesPerSecond = 5;
const phaseMs = 5000;
const rounds = 3;

/** How many times longer the slowest API calls take while people open pages. */
export async function measureApiBesidePages(dashboard: MeasuredDashboard): Promise<Figure[]> {
  const ratios: number[] = [];
  // Idle and busy phases alternate, so that a machine that becomes slower affects both.
  for (let round = 0; round < rounds; round += 1) {
    const idle = await callsFor(phaseMs, { dashboard, pages: 0 });
    const busy = await callsFor(phaseMs, { dashboard, pages: pagesPerSecond });
    ratios.push(percentileOf(busy, 0.99) / percentileOf(idle, 0.99));
  }
  const what = `p99 of GET /api-key at ${callsPerSecond}/s, beside ${pagesPerSecond} pages a second / alone`;
  return [{ what, value: medianOf(ratios), max: 3, unit: 'times' }];
}

type Phase = { dashboard: MeasuredDashboard; pages: number };

/** How many milliseconds each call took; a call begins when it is due, even if others hang. */
async function callsFor(ms: number, { dashboard, pages }: Phase): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const opened = ['webhooks', 'api-keys', 'team', 'security', `webhooks/${dashboard.webhook.uuid}`];
  const calls: Promise<number>[] = [];
  const shown: Promise<number>[] = [];
  const began = performance.now();
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - began) {
    while (calls.length < (elapsed / 1000) * callsPerSecond) calls.push(timeCall(dashboard, agent));
    while (shown.length < (elapsed / 1000) * pages) {
      const address = dashboard.address(opened[shown.length % opened.length] ?? '');
      shown.push(timePage({ agent, address, cookie: dashboard.cookie }));
    }
    await wait(1);
  }
  const [times] = await Promise.all([Promise.all(calls), Promise.all(shown)]);
  agent.destroy();
  return times;
}

async function timeCall({ origin, token }: MeasuredDashboard, agent: Agent): Promise<number> {
  const began = performance.now();
  const headers = { Authorization: `Bearer ${token}` };
  const sent = get(`${origin}/api/v1/api-key`, { agent, headers });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`A call got the status ${response.statusCode}.`);
  return performance.now() - began;
}
