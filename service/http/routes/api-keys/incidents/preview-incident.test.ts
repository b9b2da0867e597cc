import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs } from '#lib/durations.ts';
import { tokenCalls } from '../../../../db/schema/api-keys/api-key-tokens.ts';
import { advanceIncidents } from '../../../../domain/api-keys/incident/advance-incidents.ts';
import { useIncidents } from '../../../../testing/api-keys/incidents.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';

const { ctx, incidents, account, owner } = useIncidents();

describe('the calls that would end', () => {
  test('are the hourly rate of the last full hour and this one, and the calls of the last day', async () => {
    await toNextHour();
    const key = await account.key({ name: 'Busy' });
    for (let made = 0; made < 6; made += 1) await incidents.use(key);
    ctx.clock.advance(hourMs + 30 * minuteMs);
    for (let made = 0; made < 3; made += 1) await incidents.use(key);
    const preview = async () => await incidents.preview({ act: 'pause' });
    expect(await preview()).toMatchObject({
      keys: [{ calls_per_hour: 6, calls_last_day: 9, is_in_use: true }],
      counted: { until: ctx.clock.apiTime(), hour_from: ctx.clock.apiTime(-90 * minuteMs) },
    });
    // Nine calls in an hour and a half are six an hour; the first six leave the hour, and later the
    // day.
    ctx.clock.advance(hourMs);
    expect((await preview()).keys).toMatchObject([
      { calls_per_hour: 2, calls_last_day: 9, is_in_use: false },
    ]);
    ctx.clock.advance(23 * hourMs);
    expect((await preview()).keys).toMatchObject([{ calls_per_hour: 0, calls_last_day: 3 }]);
  });

  test('are not stated for a time before counting began', async () => {
    await ctx.calls.flush();
    await ctx.db.delete(tokenCalls);
    await toNextHour();
    ctx.clock.advance(20 * minuteMs);
    await incidents.use(await account.key({ name: 'First of all' }));
    expect(await incidents.preview({ act: 'pause' })).toMatchObject({
      keys: [{ calls_per_hour: 1 }],
      counted: {
        hour_from: ctx.clock.apiTime(-20 * minuteMs),
        day_from: ctx.clock.apiTime(-20 * minuteMs),
      },
    });
  });

  test('are all calls of a key with whichever token, or later those with the newest in a grace period', async () => {
    await toNextHour();
    const key = await account.key({ name: 'Rotating' });
    await incidents.use(key);
    const newer = await incidents.rotate(key);
    for (let made = 0; made < 2; made += 1) await incidents.use({ token: newer });
    await account.key({ name: 'Idle' });
    const allNow = {
      keys: [
        { name: 'Idle', live_tokens: 1, tokens_ending_now: 1, calls_ending_now: 0 },
        { name: 'Rotating', live_tokens: 2, tokens_ending_now: 2, calls_ending_now: 3 },
      ],
      totals: {
        keys: 2,
        skipped: 0,
        live_tokens: 3,
        tokens_ending_now: 3,
        tokens_ending_later: 0,
        calls_ending_now: 3,
        calls_ending_later: 0,
        calls_last_day: 3,
        keys_in_use: 1,
      },
    };
    expect(await incidents.preview({ act: 'revoke' })).toMatchObject(allNow);
    expect(await incidents.preview({ act: 'pause' })).toMatchObject(allNow);
    expect(await incidents.preview({ act: 'rotate' })).toMatchObject(allNow);
    // The older token ends when it would have ended anyway.
    const { totals } = await incidents.preview({ act: 'rotate', grace_period_seconds: 3600 });
    expect(totals).toMatchObject({
      live_tokens: 3,
      tokens_ending_now: 0,
      tokens_ending_later: 2,
      calls_ending_now: 0,
      calls_ending_later: 2,
      calls_last_day: 2,
    });
  });

  test('are shown without changing anything, or asking for a proof', async () => {
    const key = await account.key({ name: 'Untouched' });
    await incidents.preview({ act: 'revoke' });
    await incidents.preview({ act: 'rotate' });
    await advanceIncidents(ctx);
    expect(await incidents.use(key)).toBe(200);
    expect(await incidents.auditedOf('Untouched')).toEqual(['api_key.created']);
  });

  test('count each key once, however its UUID is spelled', async () => {
    const { uuid } = await account.key({ name: 'Server' });
    const previewed = async (keys: string[]) =>
      await owner.post('/api/dashboard/incident-preview', { act: 'revoke', keys });
    expect(detailsOf(await previewed([uuid, uuid.toUpperCase()]))).toEqual({
      keys: ['List each key only once.'],
    });
    expect(dataOf(await previewed([uuid.toUpperCase()]))).toMatchObject({
      keys: [{ uuid }],
      totals: { keys: 1 },
    });
  });
});

async function toNextHour(): Promise<void> {
  ctx.clock.advance(hourMs - (ctx.clock.now().getTime() % hourMs));
}
