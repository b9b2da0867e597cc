import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import { dayMs } from '#lib/durations.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { people } from '../../../../db/schema/people/people.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { mailUnconfirmedTokens } from '../../../../domain/api-keys/rotation/mail-unconfirmed-tokens.ts';
import type { CreatedKey } from '../../../../testing/api-keys/key-calls.ts';
import { lastFour, statusesOf, useToken } from '../../../../testing/api-keys/tokens.ts';
import { useUnconfirmedTokens, named } from '../../../../testing/api-keys/unconfirmed-tokens.ts';
import { failingFirst } from '../../../../testing/databases/failing-transactions.ts';

const { ctx, api, tokens, account, owner, admin } = useUnconfirmedTokens();

describe('a day later', () => {
  test('a person who turned such emails off gets none, and the dashboard still shows it', async () => {
    const turnedOffMails: MailPreference[] = ['api_keys'];
    await ctx.db.update(people).set({ turnedOffMails }).where(eq(people.id, admin.personId));
    const made = await tokens.create(admin);
    ctx.clock.advance(dayMs);
    await mailUnconfirmedTokens(ctx);
    expect(mailsTo(admin)).toEqual([]);
    expect(await tokens.newestOf(made.id)).toMatchObject({
      unconfirmed: { shown_to: named(admin) },
    });
  });

  test('the person who was shown a token gets one email', async () => {
    const made = await tokens.create(admin, { name: 'Billing sync' });
    ctx.clock.advance(dayMs - 1);
    await mailUnconfirmedTokens(ctx);
    expect(mailsTo(admin)).toEqual([]);
    ctx.clock.advance(1);
    await mailUnconfirmedTokens(ctx);
    await mailUnconfirmedTokens(ctx);

    const mails = mailsTo(admin);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe(
      'Nobody confirmed having the token of the API key "Billing sync"',
    );
    expect(mails[0]?.text).toContain(lastFour(made.token));
    expect(mails[0]?.text).toContain(`/a/${account.id}/settings/api-keys/${made.id}`);
    expect(await statusesOf(api, [made.token])).toEqual([200]);
  });

  test.each([
    ['admin', null, /lets you say that you have it, or be shown a new one\./],
    ['support', ['webhooks:read'], /lets you say that you have it, or be shown a new one\./],
    ['support', null, /lets you say that you have it\. For a new one, ask an owner or an admin\./],
    ['viewer', null, /no longer lets you confirm .+ Ask an owner or an admin\./],
  ] as const)(
    'the email offers only what they may do as %s of a key with the scopes %j',
    async (role, scopes, offer) => {
      const made = await tokens.create(admin, {
        type: scopes ? 'limited' : 'full',
        ...(scopes && { scopes }),
      });
      const membership = eq(members.personId, admin.personId);
      await ctx.db.update(members).set({ role }).where(membership);
      await passADay();
      expect(mailsTo(admin)[0]?.text).toMatch(offer);
      expect(mailsTo(admin)[0]?.text).toContain(lastFour(made.token));
    },
  );

  test('the person who replaced it gets another email about the new token', async () => {
    const made = await tokens.create(admin);
    await passADay();
    await tokens.replace(admin, made.id, made.token);
    await passADay();
    expect(mailsTo(admin)).toHaveLength(2);
  });

  test('if an email cannot be sent, those about other tokens are, and it follows later', async () => {
    // Emails about the tokens of earlier tests go first.
    await passADay();
    await tokens.create(admin);
    await tokens.create(admin);
    ctx.clock.advance(dayMs);
    ctx.expectErrors(/^the email about an unconfirmed token could not be sent yet$/);
    await mailUnconfirmedTokens({ ...ctx, db: failingFirst(ctx.db, 1) });
    expect(mailsTo(admin)).toHaveLength(1);
    await mailUnconfirmedTokens(ctx);
    expect(mailsTo(admin)).toHaveLength(2);
  });

  test.each([
    ['it was used', async ({ token }: CreatedKey) => await useToken(api, token)],
    [
      'it was confirmed',
      async ({ id, token }: CreatedKey) => await tokens.confirm(admin, id, token),
    ],
    ['its key was rotated', async ({ id }: CreatedKey) => await tokens.rotate(owner, id)],
    [
      'its key was revoked',
      async ({ id }: CreatedKey) => await owner.delete(`/api/v1/api-keys/${id}`),
    ],
    [
      'they left the account',
      async () => await ctx.db.delete(members).where(eq(members.personId, admin.personId)),
    ],
  ])('no email is sent if %s', async (_, happen) => {
    const made = await tokens.create(admin);
    await happen(made);
    await passADay();
    expect(mailsTo(admin)).toEqual([]);
  });
});

async function passADay(): Promise<void> {
  ctx.clock.advance(dayMs);
  await mailUnconfirmedTokens(ctx);
}

function mailsTo({ email }: PersonActor) {
  return ctx.mails.filter(({ to }) => to === email);
}
