import { describe, expect, test } from 'vitest';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { codeOf } from '../../../../testing/records/second-factors.ts';
import {
  TestPerson,
  usePerson,
  auditedActions,
  tokenIn,
} from '../../../../testing/http/test-person.ts';

const { ctx, account, person } = usePerson('owner', { isSignedIn: true });

describe('an authenticator app', () => {
  test('is in use once one of its codes was given, and creates ten recovery codes once', async () => {
    const { key, uri } = await person.startApp();
    expect(uri).toContain(`secret=${key}`);
    expect(await person.factors()).toMatchObject({ app: null, recovery_codes: null });
    expect((await person.signIn()).status).toBe(201);

    expect(detailsOf(await person.confirmApp('000 000'))).toHaveProperty('code');
    const confirmed = await person.confirmApp(codeOf(key, ctx.clock.now()));
    expect(confirmed.status).toBe(201);
    const codes = dataOf<{ recovery_codes: string[] }>(confirmed).recovery_codes;
    expect(new Set(codes).size).toBe(10);
    expect(await person.factors()).toMatchObject({
      app: { last_used_at: expect.any(String) as unknown },
      recovery_codes: { left: 10, total: 10 },
    });
    expect((await person.post('/api/dashboard/second-factors/app')).status).toBe(422);
    expect(await auditedActions(ctx, account.id)).toContain('person.second_factor_added');
    expect(ctx.mails.map(({ subject }) => subject)).toContain('An authenticator app was added');
  });

  test('can get a new key until it is in use, which makes the previous one invalid', async () => {
    const { key: first } = await person.startApp();
    const { key: second } = await person.startApp();
    expect((await person.confirmApp(codeOf(first, ctx.clock.now()))).status).toBe(422);
    expect((await person.confirmApp(codeOf(second, ctx.clock.now()))).status).toBe(201);
  });

  test('can be turned on with at most twenty wrong codes an hour, and any number of right ones', async () => {
    await person.startApp();
    for (let wrong = 0; wrong < 19; wrong += 1) {
      expect((await person.confirmApp('000 000')).status).toBe(422);
    }
    const { key } = await person.startApp();
    expect((await person.confirmApp(codeOf(key, ctx.clock.now()))).status).toBe(201);
    expect((await person.delete('/api/dashboard/second-factors/app')).status).toBe(204);
    await person.startApp();
    expect((await person.confirmApp('000 000')).status).toBe(422);
    expect((await person.confirmApp('000 000')).status).toBe(429);
  });

  test('is required after the password, and each of its codes counts once', async () => {
    const app = await person.addApp();
    const pending = await person.beginSignIn();
    expect(pending.kinds).toEqual(['app', 'recovery_code']);
    const code = app.code();
    const signedIn = await person.finish(pending, { code });
    expect(signedIn.status).toBe(201);
    expect(await person.isSignedIn(tokenIn(signedIn))).toBe(true);
    const again = await person.beginSignIn();
    expect(detailsOf(await person.finish(again, { code }))).toEqual({
      code: ['This code is wrong or was already used. Wait for the next one.'],
    });
    ctx.clock.advance(30_000);
    expect((await person.finish(again, { code: app.code() })).status).toBe(201);
  });

  test('accepts one of two concurrent uses of one code', async () => {
    const app = await person.addApp();
    const pendings = [await person.beginSignIn(), await person.beginSignIn()];
    const code = app.code();
    const responses = await Promise.all(
      pendings.map((pending) => person.finish(pending, { code })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
  });

  test('accepts codes of the previous and the next time step, and no others', async () => {
    const app = await person.addApp();
    const at = (ms: number) => codeOf(app.key, new Date(ctx.clock.now().getTime() + ms));
    for (const far of [-61_000, 61_000]) {
      expect((await person.finish(await person.beginSignIn(), { code: at(far) })).status).toBe(422);
    }
    expect((await person.finish(await person.beginSignIn(), { code: at(-30_000) })).status).toBe(
      201,
    );
    expect((await person.finish(await person.beginSignIn(), { code: at(30_000) })).status).toBe(
      201,
    );
  });
});

describe('a recovery code', () => {
  test('signs in once, however it is typed; an email says how many are left', async () => {
    const [first = ''] = (await person.addApp()).recoveryCodes;
    const typed = first.toUpperCase().replaceAll('-', ' ');
    expect((await person.finish(await person.beginSignIn(), { recovery_code: typed })).status).toBe(
      201,
    );
    const again = await person.finish(await person.beginSignIn(), { recovery_code: first });
    expect(detailsOf(again)).toHaveProperty('recovery_code');
    expect(await person.factors()).toMatchObject({ recovery_codes: { left: 9 } });
    expect(ctx.mails.map(({ subject }) => subject)).toContain('A recovery code was used');
    expect(await auditedActions(ctx, account.id)).toContain('person.recovery_code_used');
  });

  test('is void once new ones are created', async () => {
    const { recoveryCodes } = await person.addApp();
    const made = await person.post('/api/dashboard/second-factors/recovery-codes');
    const [fresh = ''] = dataOf<{ recovery_codes: string[] }>(made).recovery_codes;
    const [old = ''] = recoveryCodes;
    const pending = await person.beginSignIn();
    expect((await person.finish(pending, { recovery_code: old })).status).toBe(422);
    expect((await person.finish(pending, { recovery_code: fresh })).status).toBe(201);
  });

  test('of another person is refused', async () => {
    const [theirs = ''] = (await person.addApp()).recoveryCodes;
    const other = await TestPerson.signedIn(ctx, { accountId: account.id, role: 'viewer' });
    await other.addApp();
    const response = await other.finish(await other.beginSignIn(), { recovery_code: theirs });
    expect(response.status).toBe(422);
  });
});
