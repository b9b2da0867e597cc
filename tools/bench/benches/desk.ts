import { sql } from 'drizzle-orm';
import type { Context } from '#service/context.ts';
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

/**
 * What needs attention in 1,000 accounts with 100,000 webhooks, for someone who gave a reason in
 * each: every 20th webhook fails and every 100th was deactivated, every 10th key expires within 7
 * days, every 5th account has an open request and a report of a leak, and every 10th a member whose
 * address is refused.
 */
export const benchAttention: Bench = async (run) => {
  for (const engine of run.engines) {
    const installation = await openInstallation(engine);
    const { ctx } = installation;
    await addManyAccounts(ctx, { accounts: 1000, of: { keys: 10, webhooks: 100, people: 3 } });
    const { id: personId } = await addPerson(ctx, { name: 'Priya Nair' });
    await addSupporter(ctx, personId);
    await addSessionsById(ctx, [personId]);
    await addTrouble(ctx, personId);
    await installation.analyze();
    const person = new TestApi({ ...withSessionsById(ctx), limiter: unlimited }).as({ personId });
    const samples = [];
    for (let round = 0; round < 3; round += 1) {
      const tookMs = [];
      for (let n = 0; n < (run.isFull ? 40 : 10); n += 1) {
        const began = performance.now();
        const { status } = await person.get('/api/dashboard/support-desk/attention');
        if (status !== 200) throw new Error(`got ${status}`);
        tookMs.push(performance.now() - began);
      }
      samples.push({ value: percentile(tookMs, 0.95) });
    }
    run.add('attention: 100,000 webhooks, p95', milliseconds({ postgresql: 200 }), {
      engine,
      samples,
    });
    await installation.close();
  }
};

async function addTrouble({ db, clock }: Context, personId: string): Promise<void> {
  const now = sql`${clock.now().toISOString()}::timestamptz`;
  const ago = sql`${now} - interval '1 hour' - number * interval '1 second'`;
  await db.execute(sql`
    update lanes set failure_count = 9, failing_since = ${now} - webhook_id * interval '1 second'
    where webhook_id % 20 = 0`);
  await db.execute(sql`
    update webhooks set is_active = false, inactive_reason = 'failing',
      inactive_since = ${now} - id * interval '1 second'
    where id % 100 = 1`);
  await db.execute(sql`
    insert into attempts (account_id, webhook_id, event_id, number, started_at, duration_ms,
      waited_ms, url, status_code, request_headers, response_body)
    select account_id, webhook_id, number, 1, ${ago}, 9, 9, '', 503, '{}', 'The warehouse is closed.'
    from lanes, generate_series(1, 9) as number where webhook_id % 20 = 0 or webhook_id % 100 = 1`);
  await db.execute(sql`
    insert into deliveries
      (account_id, webhook_id, event_id, event_type, status, due_at, created_at, attempt_count)
    select account_id, webhook_id, number, 'message.created', 'pending', ${ago}, ${ago}, 1
    from lanes, generate_series(1, 50) as number where webhook_id % 20 = 0`);
  await db.execute(sql`
    update api_keys set expires_at = ${now} + (id % 7) * interval '1 day' + interval '1 hour'
    where id % 10 = 1`);
  await db.execute(sql`
    insert into rotation_requests (account_id, act, api_key_id, requested_by_id, member_id, reason,
      state, created_at, expires_at)
    select distinct on (account_id, reason) account_id, 'rotate', api_keys.id, ${personId}::text,
      person_id, reason, 'open', ${now}, ${now} + interval '72 hours'
    from members join api_keys using (account_id), (values ('lost'), ('leaked')) as reasons (reason)
    where role = 'owner' and revoked_at is null and api_keys.id % 50 < 10`);
  await db.execute(sql`
    insert into sent_notices (account_id, kind, subject_id, occasion, person_id, created_at, tries,
      undeliverable_since, refusal)
    select account_id, 'api_key.unused', 'key', number, person_id, ${now}, 7, ${ago},
      '{"code":550,"text":"Mailbox unavailable"}'
    from members, generate_series(1, 3) as number where person_id like '%-1' and person_id < '1a'`);
  await db.execute(sql`
    insert into support_visits (account_id, person_id, session_id, reason, opened_at, ends_at)
    select id, ${personId}::text, ${personId}::text, 'Ticket 1', ${now}, ${now} + interval '12 hours'
    from accounts`);
}
