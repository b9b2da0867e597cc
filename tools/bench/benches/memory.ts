import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { pace } from '../load/calls.ts';
import { mebibytes, residentMiB, watchMemory } from '../measure.ts';
import type { Bench } from '../measure.ts';
import { startReceiver } from '../setup/receiver.ts';
import { fillAccount, installService } from '../setup/service.ts';

/** V8 returns memory that it has not needed for eight seconds or longer. */
const restMs = 20_000;

/** The memory of the service after its start, and while it receives 60 messages a second. */
export const benchMemory: Bench = async (run) => {
  const receiver = await startReceiver();
  for (const engine of run.engines) {
    const installed = await installService(engine);
    // A process of its own fills the account: its compiled code and caches do not count.
    const first = await installed.start();
    const { conversationIds } = await fillAccount(
      { origin: first.origin, token: installed.token },
      { receiver, keys: 1, webhooks: 10, conversations: 1 },
    );
    await first.stop();

    if (engine === 'postgresql') {
      const service = await installed.start({ roles: 'api,worker' });
      await pause(restMs);
      run.add('memory: roles api and worker', mebibytes(180), {
        engine,
        samples: [{ value: residentMiB(service.pid) }],
      });
      await service.stop();
    }
    const service = await installed.start({ hasPages: true });
    const page = await fetch(`${service.origin.replace('127.0.0.1', 'localhost')}/sign-in`);
    if (!(await page.text()).endsWith('</html>')) throw new Error(`got ${page.status}`);
    await pause(restMs);
    run.add('memory: after a page view', mebibytes({ pglite: 400, postgresql: 250 }), {
      engine,
      samples: [{ value: residentMiB(service.pid) }],
    });
    const largestDuring = async (minutes: number) => {
      const memory = watchMemory(service.pid);
      const pool = new Pool(service.origin, { connections: 32 });
      await pace({ perSecond: 60, seconds: 60 * minutes }, async () => {
        const response = await pool.request({
          path: `/api/v1/conversations/${conversationIds[0]}/messages`,
          method: 'POST',
          headers: {
            Authorization: `Bearer ${installed.token}`,
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({ author: 'agent', text: 'Your order is on its way.' }),
        });
        const text = await response.body.text();
        if (response.statusCode !== 201) throw new Error(text);
      });
      await pool.close();
      return memory.stop().max;
    };
    const warmed = await largestDuring(run.isFull ? 2 : 0.5);
    run.add('memory: at 60 messages a second', mebibytes({ pglite: 500 }), {
      engine,
      samples: [{ value: warmed }],
    });
    if (run.isFull) {
      const value = Math.max(0, (await largestDuring(10)) - warmed);
      run.add('memory: growth in ten minutes more', mebibytes(32), {
        engine,
        samples: [{ value }],
      });
    }
    await service.stop();
    await installed.remove();
  }
  receiver.stop();
};
