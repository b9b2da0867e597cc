import { Pool } from 'undici';
import { signMessage } from '#service/domain/webhooks/secret/sign.ts';
import { importSecret, newSecret } from '#service/domain/webhooks/secret/secret.ts';
import { pace } from '../load/calls.ts';
import { alternate, milliseconds, perSecond } from '../measure.ts';
import type { Bench } from '../measure.ts';
import { openInstallation, payloadOf } from '../setup/installation.ts';
import { startReceiver } from '../setup/receiver.ts';
import type { Receiver } from '../setup/receiver.ts';

/** From before a message is written until the whole request has arrived at the receiver. */
export const benchLatency: Bench = async (run) => {
  const receiver = await startReceiver();
  const raw = openRawPool(receiver, 32);
  const warmUp = { perSecond: 100, seconds: 4 };
  await pace(warmUp, (number) => raw.post(number));
  for (const engine of run.engines) {
    const installation = await openInstallation(engine);
    const account = await installation.addAccount();
    await account.addWebhook(`${receiver.origin}/hook`, 'message.created');
    const worker = installation.startWorker();
    const warmed = await pace(warmUp, (number) => account.writeMessage(number));
    await receiver.arrived(warmed.size, '/hook');
    await installation.analyze();
    for (const [name, rate, target] of [
      ['50/s', 50, { pglite: 20, postgresql: 6 }],
      ['200/s', 200, { pglite: 30, postgresql: 10 }],
      ['1,000/s', 1000, { postgresql: 40 }],
    ] as const) {
      const load = { perSecond: rate, seconds: (run.isFull ? 8 : 3) * (rate > 500 ? 0.5 : 1) };
      const latencyOf = async (path: string, act: (number: number) => Promise<unknown>) => {
        await receiver.take();
        return await receiver.p99(path, await pace(load, act));
      };
      const samples = await alternate(3, {
        yardstick: () => latencyOf('/raw', (number) => raw.post(number)),
        measure: () => latencyOf('/hook', (number) => account.writeMessage(number)),
      });
      run.add(`latency: ${name}, p99`, milliseconds(target), {
        engine,
        samples: samples((ms) => ms),
      });
    }
    await worker.stop();
    await installation.close();
  }
  await raw.close();
  receiver.stop();
};

/** Delivers a backlog, from the start of the worker until every result is written. */
export const benchDrain: Bench = async (run) => {
  const total = run.isFull ? 20_000 : 5000;
  const receiver = await startReceiver();
  /** The rate of an act that sends all, and the processor time of this process for each. */
  const rateOf = async (act: () => Promise<void>) => {
    await receiver.take();
    const [began, usedBefore] = [performance.now(), process.cpuUsage()];
    await act();
    const { user, system } = process.cpuUsage(usedBefore);
    const rate = (total * 1000) / (performance.now() - began);
    return { perSecond: rate, processorUs: (user + system) / total };
  };
  const sendRaw = () =>
    rateOf(async () => {
      const raw = openRawPool(receiver, 32);
      let left = total;
      const post = async () => {
        while (left-- > 0) await raw.post(left);
      };
      await Promise.all(Array.from({ length: 32 }, post));
      await raw.close();
    });
  for (const engine of run.engines) {
    for (const [name, webhooks] of [
      ['1 webhook', 1],
      ['10 webhooks', 10],
      ['100 webhooks', 100],
    ] as const) {
      const installation = await openInstallation(engine);
      const account = await installation.addAccount();
      for (let made = 1; made <= webhooks; made += 1) {
        await account.addWebhook(`${receiver.origin}/hook-${made}`, 'conversation.closed');
      }
      const drain = async () => {
        await account.addBacklog(total / webhooks);
        await installation.analyze();
        await account.wake();
        return await rateOf(async () => {
          const worker = installation.startWorker();
          await receiver.arrived(total);
          await worker.stop();
        });
      };
      // In the first four drains of a process, V8 optimizes code: each is faster than the last.
      for (let time = 0; time < (webhooks === 1 ? 4 : 1); time += 1) await drain();
      const samples = await alternate(3, { yardstick: sendRaw, measure: drain });
      run.add(`drain: ${name}`, perSecond({ pglite: 0.35, postgresql: 0.5 }), {
        engine,
        samples: samples((rate) => rate.perSecond),
        processor: samples((rate) => rate.processorUs),
      });
      await installation.close();
    }
  }
  receiver.stop();
};

/** The yardstick: signed requests with the same bodies to the same receiver, and no other work. */
function openRawPool({ origin }: Receiver, connections: number) {
  const pool = new Pool(origin, { connections });
  const secret = importSecret(newSecret());
  return {
    async post(number: number): Promise<void> {
      const body = JSON.stringify(payloadOf(number));
      const messageId = `msg_${crypto.randomUUID()}`;
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        'Content-Type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signMessage({ messageId, timestamp, body }, [secret]),
      };
      await (await pool.request({ path: '/raw', method: 'POST', headers, body })).body.dump();
    },
    close: () => pool.close(),
  };
}
