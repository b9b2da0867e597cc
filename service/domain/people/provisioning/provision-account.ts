import type { z } from 'zod';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type { provisionAccountInput } from '#lib/contract/people/provisioning.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { newToken } from '../../../tokens/token.ts';
import type { AccountId } from '../../account-id.ts';
import type { Origin, Provisioner } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import { ServiceError, invalid, notFound, problemsOf } from '../../errors.ts';
import { erasureCutoff } from '../accounts/deletion.ts';
import { addPerson } from '../add-person.ts';
import { createAccount } from '../members/create-account.ts';
import { refuseWeakPassword } from '../passwords/set-password.ts';
import { lockAccount, writeAccount } from '../store/accounts.ts';
import { insertMember, lockMembers } from '../store/members.ts';
import { confirmProvisioner, listProvisionedAccounts } from '../store/provisioners.ts';

/** How many accounts a provisioner can have at a time. */
export const maxProvisionedAccounts = 1000;

type Input = z.output<typeof provisionAccountInput>;

/**
 * Creates an account for a test, with its people and a full API key, all or nothing. Installation
 * support cannot open it, so it needs no attention at the support desk. Its people are signed in,
 * because sign-ins on new devices are limited for each address, from which a suite makes many.
 *
 * @throws ServiceError UNAUTHORIZED if the provisioner has ended; VALIDATION_ERROR for a password
 *   that is easy to guess, an email address that someone has, or one account too many
 */
export async function provisionAccount(
  ctx: Context,
  provisioner: Provisioner,
  { input, origin }: { input: Input; origin: Origin },
) {
  await refuseWeakPassword(input.password, { own: [], field: 'password' });
  const passwordHash = await ctx.auth.hashPassword(input.password);
  const token = newToken();
  const { people, ...account } = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const { provisionerId } = provisioner;
    await confirm(tx, { provisionerId, now });
    const deletedBy = erasureCutoff(now);
    const existing = await listProvisionedAccounts(tx, { provisionerId, deletedBy });
    if (existing.length >= maxProvisionedAccounts) {
      throw invalid(
        'name',
        `This provisioner has ${maxProvisionedAccounts} accounts, the maximum. Delete some first.`,
      );
    }
    const given = input.people.map((person) => ({ ...person, id: crypto.randomUUID() }));
    // In the same order everywhere: each locks its email address.
    for (const { id, name, email } of given.toSorted(byEmail)) {
      await addPerson(tx, { id, name, email, passwordHash, now });
    }
    const by = referenceOf(provisioner);
    const { name } = input;
    const owner = given.find(({ role }) => role === 'owner');
    if (!owner) throw new Error('the input has no owner');
    const accountId = await createAccount(tx, { name, owner, by, origin, now });
    for (const person of given) {
      if (person !== owner) await addMember(tx, { accountId, person, by, origin, now });
    }
    await writeAccount(tx, accountId, { provisionerId, allowsInstallationSupport: false });
    await runEffects(tx, ctx.effects.accountCreatedWithKey, { accountId, token, by, now });
    return { id: accountId, name, people: given, token };
  });
  const from = { ip: origin.ip, userAgent: null };
  return {
    ...account,
    people: await Promise.all(
      people.map(async ({ id, email, role }) => {
        const { sessionToken } = await ctx.auth.openSession({ personId: id, ...from });
        return { id, email, role, session_token: sessionToken };
      }),
    ),
  };
}

/** What else is wrong with a body whose password is accepted, for one response. */
export async function findProvisioningProblems(given: {
  password?: string | undefined;
}): Promise<ErrorDetails> {
  const { password } = given;
  if (password === undefined) return {};
  return await problemsOf(() => refuseWeakPassword(password, { own: [], field: 'password' }));
}

/**
 * Deletes an account of the provisioner, and the people who are in no other. From the commit on,
 * none of its keys works. Its rows are erased within the hour.
 *
 * @throws ServiceError NOT_FOUND for any other account
 */
export async function deleteProvisionedAccount(
  ctx: Context,
  provisioner: Provisioner,
  account: string,
): Promise<void> {
  const accountId = await ctx.db.transaction(async (tx) => {
    const { provisionerId } = provisioner;
    const now = ctx.clock.now();
    await confirm(tx, { provisionerId, now });
    const deletedBy = erasureCutoff(now);
    const existing = await listProvisionedAccounts(tx, { provisionerId, deletedBy });
    const own = existing.find((id) => id === account.toLowerCase());
    if (own === undefined) throw notFound();
    await deleteAccountOf(ctx, { tx, provisioner, accountId: own });
    return own;
  });
  for (const effect of ctx.effects.afterAccountDeleted) effect(ctx, { accountId });
}

async function confirm(
  tx: Tx,
  { provisionerId, now }: { provisionerId: string; now: Date },
): Promise<void> {
  if (await confirmProvisioner(tx, { id: provisionerId, now })) return;
  throw new ServiceError('UNAUTHORIZED');
}

/** Deletes an account so long ago that nobody can restore it, not even if its owner deleted it. */
export async function deleteAccountOf(
  ctx: Pick<Context, 'clock' | 'effects'>,
  { tx, provisioner, accountId }: { tx: Tx; provisioner: Provisioner; accountId: AccountId },
): Promise<void> {
  await lockMembers(tx, accountId);
  const { name, deletedAt } = await lockAccount(tx, accountId);
  const now = ctx.clock.now();
  const deletedBy = erasureCutoff(now);
  if (deletedAt && deletedAt <= deletedBy) return;
  await writeAccount(tx, accountId, { deletedAt: deletedBy });
  await runEffects(tx, ctx.effects.accountDeleted, { accountId });
  await recordAudit(tx, {
    accountId,
    by: referenceOf(provisioner),
    origin: null,
    action: 'account.deleted',
    at: now,
    target: { kind: 'account', id: accountId, name },
  });
}

async function addMember(
  tx: Tx,
  {
    accountId,
    person,
    by,
    origin,
    now,
  }: {
    accountId: AccountId;
    person: { id: string; name: string; email: string; role: Role };
    by: ActorReference;
    origin: Origin;
    now: Date;
  },
): Promise<void> {
  const { id, name, email, role } = person;
  await insertMember(tx, { accountId, personId: id, role, createdAt: now });
  await recordAudit(tx, {
    accountId,
    by,
    origin,
    action: 'member.added',
    at: now,
    target: { kind: 'person', id, name },
    changes: { email, role },
  });
}

function referenceOf({ provisionerName }: Provisioner): ActorReference {
  return { kind: 'system', id: null, name: `Provisioner ${provisionerName}` };
}

function byEmail(a: { email: string }, b: { email: string }): number {
  return a.email < b.email ? -1 : 1;
}
