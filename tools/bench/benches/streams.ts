import { setTimeout as pause } from 'node:timers/promises';
import { dataOf, TestAccount, TestApi } from '#service/testing/api.ts';
import type { TestKey } from '#service/testing/api.ts';
import { addAccount } from '#service/testing/records/people.ts';
import { unlimited } from '#service/testing/unlimited.ts';
import { milliseconds, percentile } from '../measure.ts';
import type { Bench } from '../measure.ts';
import { openInstallation } from '../setup/installation.ts';

const idleStreams = 100;
const streamsOfAccount = 5;
const eventsPerSecond = 200;

/** Streams of events: a hundred on which nothing happens, and one on which much happens. */
export const benchStreams: Bench = async (run) => {
  const seconds = run.isFull ? 30 : 10;
  for (const engine of run.engines) {
    const installation = await openInstallation(engine);
    const api = new TestApi({ ...installation.ctx, limiter: unlimited });
    const open: Stream[] = [];
    for (let made = 0; made < idleStreams; made += streamsOfAccount) {
      const account = new TestAccount(api, await addAccount(installation.ctx));
      const { id } = await account.webhook();
      const key = await account.key();
      for (let each = 0; each < streamsOfAccount; each += 1)
        open.push(await Stream.open(api, key, id));
    }
    const idle = open.map((stream) => stream.read(() => undefined));
    const samples: { value: number }[] = [];
    for (let round = 0; round < 3; round += 1) {
      const before = process.cpuUsage();
      await pause(seconds * 1000);
      const { user, system } = process.cpuUsage(before);
      samples.push({ value: (user + system) / 1000 / seconds });
    }
    run.add(`streams: ${idleStreams} idle, processor time in a second`, milliseconds(250), {
      engine,
      samples,
    });
    await Promise.all(open.map((stream) => stream.close()));
    await Promise.all(idle);

    const account = new TestAccount(api, await addAccount(installation.ctx));
    const { id } = await account.webhook();
    const key = await account.key();
    const rounds: number[][] = [];
    for (let round = 0; round < 3; round += 1)
      rounds.push(await measureBusy({ api, key, id, seconds }));
    run.add(
      `streams: ${eventsPerSecond} events a second, p95 until they arrive`,
      milliseconds(1000),
      {
        engine,
        samples: rounds.map((tookMs) => ({ value: percentile(tookMs, 0.95) })),
      },
    );
    await installation.close();
  }
};

/** How long each event took from the call that causes it until it arrived. */
async function measureBusy(given: {
  api: TestApi;
  key: TestKey;
  id: number;
  seconds: number;
}): Promise<number[]> {
  const { api, key, id, seconds } = given;
  const opened = await key.post('/api/v1/conversations', { subject: 'Busy' });
  const path = `/api/v1/conversations/${dataOf(opened).id}/messages`;
  const stream = await Stream.open(api, key, id);
  const count = seconds * eventsPerSecond;
  const tookMs: number[] = [];
  const begunAt: number[] = [];
  const reading = stream.read((number) => tookMs.push(performance.now() - (begunAt[number] ?? 0)));
  const start = performance.now();
  const calls: Promise<{ status: number }>[] = [];
  for (let number = 0; number < count; number += 1) {
    const early = start + (number * 1000) / eventsPerSecond - performance.now();
    if (early > 1) await pause(early);
    begunAt[number] = performance.now();
    calls.push(key.post(path, { author: 'bot', text: String(number) }));
  }
  const refused = (await Promise.all(calls)).filter(({ status }) => status !== 201);
  if (refused.length > 0) throw new Error(`${refused.length} of ${count} calls were refused`);
  const deadline = performance.now() + 30_000;
  while (tookMs.length < count) {
    if (performance.now() > deadline)
      throw new Error(`${tookMs.length} of ${count} events arrived`);
    await pause(20);
  }
  await stream.close();
  await reading;
  return tookMs;
}

class Stream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  static async open(api: TestApi, key: TestKey, webhook: number): Promise<Stream> {
    const response = await api.app.request(`/api/v1/webhooks/${webhook}/feed`, {
      headers: { Authorization: `Bearer ${key.token}`, 'x-client-address': '203.0.113.7' },
    });
    if (!response.ok) throw new Error(await response.text());
    return new Stream(response);
  }

  private constructor({ body }: Response) {
    this.#reader = body?.getReader();
  }

  /** Reads to the end, and passes on the number that is the text of each message. */
  async read(take: (number: number) => void): Promise<void> {
    for (;;) {
      const { done, value } = (await this.#reader?.read()) ?? { done: true };
      if (done) return;
      const [, data] = /\ndata: (.*)\n/.exec(new TextDecoder().decode(value)) ?? [];
      if (data === undefined) continue;
      const { body } = JSON.parse(data) as { body: string };
      const event = dataOf<{ message: { text: string } }>({ body: JSON.parse(body) });
      take(Number(event.message.text));
    }
  }

  async close(): Promise<void> {
    await this.#reader?.cancel();
  }
}
