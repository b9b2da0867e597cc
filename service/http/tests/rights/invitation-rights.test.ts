import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { invitations } from '../../../db/schema/people/members.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { createInvitation } from '../../../domain/people/invitations/create-invitation.ts';
import type { TestAccount } from '../../../testing/api.ts';
import { addMember, addPerson } from '../../../testing/records/people.ts';
import { addSessionsById } from '../../../testing/sessions.ts';
import { useApi } from '../../../testing/use-api.ts';

/** The acts on an invitation, in the order of the outcomes below. */
const acts = [
  'read it',
  'accept it as someone new',
  'join as the invited person',
  'join as someone else',
  'renew it',
  'revoke it',
] as const;

type Act = (typeof acts)[number];
type Outcome = 'done' | 403 | 404 | 422;

/** Listed by hand. An owner of the account from whose page they call renews and revokes. */
const table: [invitation: keyof typeof make, ...outcomes: Outcome[]][] = [
  ['that is good', 'done', 'done', 'done', 403, 'done', 'done'],
  ['that has expired', 422, 422, 422, 422, 'done', 'done'],
  ['that was revoked', 422, 422, 422, 422, 404, 404],
  ['that was accepted', 422, 422, 422, 422, 404, 404],
  ['that was renewed, by its first link', 422, 422, 422, 422, 'done', 'done'],
  ['by someone who was removed since', 422, 422, 422, 422, 404, 404],
  ['by an admin who became support since', 422, 422, 422, 422, 404, 404],
  // Its link is as good as any other; only the owners of that account can renew and revoke it.
  ['of another account', 'done', 'done', 'done', 403, 404, 404],
  ['of an account that is being deleted', 422, 422, 422, 422, 404, 404],
  ['that nobody made', 422, 422, 422, 422, 404, 404],
];

type Made = { uuid: string; token: string };

/** Each creates an invitation of an email address. */
const make = {
  'that is good': async (email: string) => await invite(account, email),

  'that has expired': async (email: string) => {
    const made = await invite(account, email);
    const expiresAt = ctx.clock.now();
    await ctx.db.update(invitations).set({ expiresAt }).where(eq(invitations.uuid, made.uuid));
    return made;
  },

  'that was revoked': async (email: string) => {
    const made = await invite(account, email);
    await asOwner('DELETE', `invitations/${made.uuid}`);
    return made;
  },

  'that was accepted': async (email: string) => {
    const made = await invite(account, email);
    const { personId } = await existing(email);
    const body = { invitation_token: made.token };
    const joined = await call({ personId }, ['POST', 'invitations/join', body]);
    expect(joined.status).toBe(201);
    await asOwner('DELETE', `members/${personId}`);
    return made;
  },

  'that was renewed, by its first link': async (email: string) => {
    const made = await invite(account, email);
    await asOwner('POST', `invitations/${made.uuid}/renew`);
    return made;
  },

  'by someone who was removed since': async (email: string) => {
    const inviter = await addAdmin();
    const made = await invite(account, email, inviter);
    await asOwner('DELETE', `members/${inviter.personId}`);
    return made;
  },

  'by an admin who became support since': async (email: string) => {
    const inviter = await addAdmin();
    const made = await invite(account, email, inviter);
    await asOwner('PATCH', `members/${inviter.personId}`, { role: 'support' });
    return made;
  },

  'of another account': async (email: string) => await invite(await api.account(), email),

  'of an account that is being deleted': async (email: string) => {
    const other = await api.account();
    const made = await invite(other, email);
    const deletedAt = ctx.clock.now();
    await ctx.db.update(accounts).set({ deletedAt }).where(eq(accounts.id, other.id));
    return made;
  },

  'that nobody made': async () => ({ uuid: crypto.randomUUID(), token: 'x'.repeat(43) }),
};

const { ctx, api, account, owner } = useApi();

describe.each(table)('an invitation %s', (kind, ...outcomes) => {
  test.each(acts.map((act, place) => [act, outcomes[place]] as const))(
    'lets people %s: %s',
    async (act, outcome) => {
      ctx.clock.advance(hourMs);
      const email = `${crypto.randomUUID()}@example.com`;
      expect(await outcomeOf(act, await make[kind](email), email)).toBe(outcome);
    },
  );
});

async function outcomeOf(act: Act, { uuid, token }: Made, email: string): Promise<unknown> {
  const link = { invitation_token: token };
  const password = 'a staple that nobody knows';
  const asked = {
    'read it': () => call(null, ['POST', 'invitations/check', link]),
    'accept it as someone new': () =>
      call(null, ['POST', 'invitations/accept', { ...link, name: 'Mika', password }]),
    'join as the invited person': async () =>
      await call(await existing(email), ['POST', 'invitations/join', link]),
    'join as someone else': async () =>
      await call(await existing(`other-${email}`), ['POST', 'invitations/join', link]),
    'renew it': () => asOwner('POST', `invitations/${uuid}/renew`),
    'revoke it': () => asOwner('DELETE', `invitations/${uuid}`),
  };
  const { status } = await asked[act]();
  return status < 300 ? 'done' : status;
}

async function call(
  person: Pick<PersonActor, 'personId'> | null,
  [method, path, body]: [string, string, unknown?],
) {
  const caller = person ? api.as(person) : api.asNobody();
  return await caller.call(method, `/api/dashboard/${path}`, { body });
}

async function asOwner(method: string, path: string, body?: unknown) {
  const by = { ...owner, pageOf: account.id };
  return await api.as(by).call(method, `/api/dashboard/${path}`, { body });
}

async function invite(to: TestAccount, email: string, by?: PersonActor): Promise<Made> {
  const inviter = by ?? (await to.member('owner'));
  const { uuid, link } = await createInvitation(ctx, inviter, { email, role: 'viewer' });
  return { uuid, token: link?.split('#')[1] ?? '' };
}

/** A person with this email who belongs to no account; they are added if nobody has the email. */
async function existing(email: string): Promise<{ personId: string }> {
  const found = await ctx.db.query.people.findFirst({ where: (people) => eq(people.email, email) });
  const personId = (found ?? (await addPerson(ctx, { email }))).id;
  await addSessionsById(ctx, [personId]);
  return { personId };
}

async function addAdmin(): Promise<PersonActor> {
  const { id: personId, name: personName, email } = await addPerson(ctx);
  await addMember(ctx, { accountId: account.id, personId, role: 'admin' });
  return { ...owner, personId, personName, email, role: 'admin' };
}
