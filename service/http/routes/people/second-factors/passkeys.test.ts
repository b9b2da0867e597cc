import { describe, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import type { Resource } from '../../../../testing/api.ts';
import { SoftwareAuthenticator } from '../../../../testing/software-authenticator.ts';
import { TestPerson, usePerson, auditedActions } from '../../../../testing/http/test-person.ts';

const { ctx, account, person } = usePerson('owner', { isSignedIn: true });

describe('a passkey', () => {
  test('is required after the password, and signs in', async () => {
    const passkey = await person.addPasskey('Laptop');
    const pending = await person.beginSignIn();
    expect(pending.kinds).toEqual(['passkey', 'recovery_code']);
    const signed = await person.signedFor(pending, passkey);
    expect((await person.finish(pending, { passkey: signed })).status).toBe(201);
    expect(await person.factors()).toMatchObject({
      passkeys: [{ name: 'Laptop', last_used_at: expect.any(String) as unknown }],
    });
  });

  test('signs each challenge once', async () => {
    const passkey = await person.addPasskey();
    const pending = await person.beginSignIn();
    const signed = await person.signedFor(pending, passkey);
    expect((await person.finish(pending, { passkey: signed })).status).toBe(201);
    const again = await person.beginSignIn();
    expect(detailsOf(await person.finish(again, { passkey: signed }))).toHaveProperty('passkey');
  });

  test.each([
    ['another page signed', 'https://elsewhere.example'],
    ['another port signed', 'https://service.example:8443'],
  ])('is refused if %s', async (_what, page) => {
    const passkey = await person.addPasskey();
    const pending = await person.beginSignIn();
    const signed = await person.signedFor(pending, passkey, page);
    expect((await person.finish(pending, { passkey: signed })).status).toBe(422);
  });

  test('is refused if its owner gave no fingerprint, face or PIN', async () => {
    const passkey = await person.addPasskey();
    passkey.verifiesUser = false;
    const pending = await person.beginSignIn();
    const signed = await person.signedFor(pending, passkey);
    expect((await person.finish(pending, { passkey: signed })).status).toBe(422);
  });

  test('of someone else is refused, also with a challenge for its owner', async () => {
    const theirs = await person.addPasskey();
    const theirSigned = await person.signedFor(await person.beginSignIn(), theirs);
    const other = await TestPerson.signedIn(ctx, { accountId: account.id, role: 'viewer' });
    await other.addPasskey();
    const pending = await other.beginSignIn();
    expect((await other.finish(pending, { passkey: theirSigned })).status).toBe(422);
    expect(
      (await other.finish(pending, { passkey: await other.signedFor(pending, theirs) })).status,
    ).toBe(422);
  });

  test('can be renamed, and is added once', async () => {
    const authenticator = await person.addPasskey('Laptop');
    const [{ uuid }] = (await person.factors()).passkeys as [{ uuid: string }];
    const renamed = await person.patch(`/api/dashboard/second-factors/passkeys/${uuid}`, {
      name: 'Phone',
    });
    expect(dataOf(renamed)).toMatchObject({ name: 'Phone' });
    expect(await auditedActions(ctx, account.id)).toContain('person.second_factor_renamed');
    expect((await person.createPasskey(authenticator)).status).toBe(422);
  });

  test('accepts no challenge that was made for another purpose', async () => {
    const passkey = await person.addPasskey();
    const forAdding = dataOf<Resource & { rp: { id: string } }>(
      await person.post('/api/dashboard/second-factors/passkeys/options'),
    );
    const { rp } = forAdding;
    const signed = passkey.get({
      options: { ...forAdding, rpId: rp.id },
      origin: ctx.config.publicUrl.origin,
    });
    const pending = await person.beginSignIn();
    expect(detailsOf(await person.finish(pending, { passkey: signed }))).toHaveProperty('passkey');

    const forUse = dataOf(await person.post('/api/dashboard/session/proof/passkey-options'));
    const options = { ...forUse, rp };
    const made = new SoftwareAuthenticator().create({
      options,
      origin: ctx.config.publicUrl.origin,
    });
    const body = { name: 'Theirs', passkey: made };
    expect((await person.post('/api/dashboard/second-factors/passkeys', body)).status).toBe(422);
  });

  test('accepts only the person’s own challenge, within five minutes', async () => {
    const options = dataOf(await person.post('/api/dashboard/second-factors/passkeys/options'));
    ctx.clock.advance(5 * minuteMs);
    const late = new SoftwareAuthenticator().create({
      options,
      origin: ctx.config.publicUrl.origin,
    });
    const body = { name: 'Late', passkey: late };
    expect((await person.post('/api/dashboard/second-factors/passkeys', body)).status).toBe(422);
  });

  test('needs a host name: a service with an address alone says so', async () => {
    const config = { ...ctx.config, publicUrl: new URL('http://192.0.2.7:3000') };
    const there = new TestPerson({ ...ctx, config }, person);
    there.session = person.session;
    const response = await there.post('/api/dashboard/second-factors/passkeys/options');
    expect(detailsOf(response)).toEqual({
      passkey: ['Passkeys need a host name. Your administrator can set one as PUBLIC_URL.'],
    });
  });
});
