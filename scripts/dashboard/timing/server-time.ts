import { Agent, get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Figure } from './figures.ts';
import { medianOf } from './figures.ts';
import type { MeasuredDashboard } from './measured-dashboard.ts';
import { measuredPages } from './measured-pages.ts';

const maxMs = 15;
/** Until then, V8 is still optimizing code. */
const warmUps = 150;
const measured = 25;

/** How long the service takes for a page, from the request to the last byte of the response. */
export async function measureServerTime(dashboard: MeasuredDashboard): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true });
  const figures: Figure[] = [];
  for (const page of measuredPages(dashboard)) {
    const request = { agent, address: dashboard.address(page), cookie: dashboard.cookie };
    for (let time = 0; time < warmUps; time += 1) await timePage(request);
    const times: number[] = [];
    for (let time = 0; time < measured; time += 1) times.push(await timePage(request));
    const what = page.replace(/[0-9a-f-]{36}/, '…');
    figures.push({ what, value: medianOf(times), max: maxMs, unit: 'ms' });
  }
  agent.destroy();
  return figures;
}

type PageRequest = { agent: Agent; address: string; cookie: string };

/** In milliseconds. */
export async function timePage({ agent, address, cookie }: PageRequest): Promise<number> {
  const began = performance.now();
  const sent = get(address, { agent, headers: { Cookie: cookie, Accept: 'text/html' } });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200)
    throw new Error(`${address} got the status ${response.statusCode}.`);
  return performance.now() - began;
}
