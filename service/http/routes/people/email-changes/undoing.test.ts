import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { emailChanges } from '../../../../db/schema/people/people.ts';
import { deleteExpiredLinks } from '../../../../domain/people/open-link.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import {
  useEmailChanges,
  chosen,
  newAddress,
  spentConfirmation,
  spentRevocation,
} from '../../../../testing/http/email-change-world.ts';

const { ctx, world } = useEmailChanges();

describe('the previous address undoes the change', () => {
  test('once it is done: it is the email again, sessions end, and a new password must be chosen', async () => {
    const { email, revokeToken } = await world.changed();
    const thief = await world.openSession(email);
    expect(dataOf(await world.checkRevocation(revokeToken))).toMatchObject({
      email: world.ann.email,
      new_email: email,
      is_changed: true,
    });
    const response = await world.revoke(revokeToken);
    expect(dataOf(response)).toMatchObject({ email: world.ann.email });
    expect(await world.emailOf(world.ann.id)).toBe(world.ann.email);
    for (const session of [world.ann.session, thief]) {
      expect((await world.as({ session }).get('/api/dashboard/session')).status).toBe(401);
    }
    for (const address of [email, world.ann.email]) {
      expect((await world.signIn(address)).status).toBe(422);
    }
    expect((await world.choosePassword(dataOf(response)['reset_token'])).status).toBe(200);
    expect((await world.signIn(world.ann.email, chosen)).status).toBe(201);
    expect((await world.signIn(email, chosen)).status).toBe(422);
  });

  test('before it is confirmed: it is cancelled, and the rest is the same', async () => {
    const { confirmToken, revokeToken } = await world.asked();
    expect(dataOf(await world.checkRevocation(revokeToken))).toMatchObject({ is_changed: false });
    expect((await world.revoke(revokeToken)).status).toBe(200);
    expect(detailsOf(await world.confirm(confirmToken))).toEqual(spentConfirmation);
    expect((await world.as(world.ann).get('/api/dashboard/session')).status).toBe(401);
    expect((await world.signIn(world.ann.email)).status).toBe(422);
  });

  test('whatever a thief with the session and the password did in the meantime', async () => {
    const first = await world.asked();
    await world.cancel();
    const second = await world.asked();
    await world.confirm(second.confirmToken);
    // They change the password, ask for yet another address, and for a link to reset the password.
    await world.changePassword();
    expect((await world.ask(newAddress())).status).toBe(422);
    await world.api.asNobody().post('/api/dashboard/password-reset', { email: second.email });
    const reset = /reset-password#([\w-]{43})/.exec(
      world.mailsTo(second.email).at(-1)?.text ?? '',
    )?.[1];

    ctx.clock.advance(6 * dayMs);
    expect((await world.revoke(first.revokeToken)).status).toBe(200);
    expect(await world.emailOf(world.ann.id)).toBe(world.ann.email);
    expect((await world.choosePassword(reset)).status).toBe(422);
    expect((await world.signIn(second.email, chosen)).status).toBe(422);
    expect((await world.signIn(world.ann.email, chosen)).status).toBe(422);
  });

  test('for 7 days after the change, however late it was confirmed, to the millisecond', async () => {
    const { confirmToken, revokeToken } = await world.asked();
    ctx.clock.advance(dayMs - 1);
    await world.confirm(confirmToken);
    ctx.clock.advance(7 * dayMs - 1);
    await deleteExpiredLinks(ctx);
    expect((await world.checkRevocation(revokeToken)).status).toBe(200);
    ctx.clock.advance(1);
    expect(detailsOf(await world.checkRevocation(revokeToken))).toEqual(spentRevocation);
    expect(detailsOf(await world.revoke(revokeToken))).toEqual(spentRevocation);
    await deleteExpiredLinks(ctx);
    expect(await ctx.db.$count(emailChanges, eq(emailChanges.personId, world.ann.id))).toBe(0);
  });

  test('once, even by two concurrent calls', async () => {
    const { revokeToken } = await world.changed();
    const responses = await Promise.all([world.revoke(revokeToken), world.revoke(revokeToken)]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 422]));
  });

  test('while it is being confirmed: in either order, it is the email in the end', async () => {
    const { confirmToken, revokeToken } = await world.asked();
    await Promise.all([world.confirm(confirmToken), world.revoke(revokeToken)]);
    expect(await world.emailOf(world.ann.id)).toBe(world.ann.email);
    expect((await world.signIn(world.ann.email)).status).toBe(422);
  });

  test('not for an earlier change whose 7 days are over', async () => {
    const first = await world.changed();
    ctx.clock.advance(7 * dayMs);
    world.ann = { ...world.ann, email: first.email, session: await world.openSession(first.email) };
    const second = await world.changed();
    expect(detailsOf(await world.revoke(first.revokeToken))).toEqual(spentRevocation);
    expect(await world.emailOf(world.ann.id)).toBe(second.email);
  });
});
