import { addManyAccounts } from '#service/testing/records/many-accounts.ts';
import { addPerson, addSupporter } from '#service/testing/records/people.ts';
import { addSessionsById, withSessionsById } from '#service/testing/sessions.ts';
import { TestApi } from '#service/testing/api.ts';
import { unlimited } from '#service/testing/unlimited.ts';
import { milliseconds, percentile } from '../measure.ts';
import type { Bench } from '../measure.ts';
import { openInstallation } from '../setup/installation.ts';

const accounts = 2000;

/** The text of the nth search of each kind. */
const searches: Record<string, (n: number) => string> = {
  'a word in every key': () => 'server',
  'an ID': (n) => String(1 + ((n * 7919) % (accounts * 25))),
  'an email address': (n) => `person2@account${1 + (n % accounts)}.a.example`,
  'part of every URL': () => 'https://',
  'an account': (n) => `${1 + (n % accounts)} a Ltd`,
  nothing: (n) => `no such thing ${n}`,
};

/** Searches at the support desk among 2,000 accounts. Each search is recorded. */
export const benchDesk: Bench = async (run) => {
  for (const engine of run.engines) {
    const installation = await openInstallation(engine);
    const { ctx } = installation;
    await addManyAccounts(ctx, { accounts, of: { keys: 25, webhooks: 2, people: 3 } });
    const { id: personId } = await addPerson(ctx, { name: 'Priya Nair' });
    await addSupporter(ctx, personId);
    await addSessionsById(ctx, [personId]);
    await installation.analyze();
    const person = new TestApi({ ...withSessionsById(ctx), limiter: unlimited }).as({ personId });
    for (const [kind, textOf] of Object.entries(searches)) {
      const rounds: number[][] = [[], [], []];
      for (const [round, tookMs] of rounds.entries()) {
        for (let n = 0; n < (run.isFull ? 40 : 10); n += 1) {
          const began = performance.now();
          const search = textOf(round * 40 + n);
          const { status } = await person.post('/api/dashboard/support-desk/searches', { search });
          if (status !== 200) throw new Error(`got ${status}`);
          tookMs.push(performance.now() - began);
        }
      }
      run.add(`desk: ${kind}, p95`, milliseconds({ pglite: 400, postgresql: 200 }), {
        engine,
        samples: rounds.map((tookMs) => ({ value: percentile(tookMs, 0.95) })),
      });
    }
    await installation.close();
  }
};
