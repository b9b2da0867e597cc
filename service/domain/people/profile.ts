import type { z } from 'zod';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type {
  MailPreferences,
  updateMailPreferencesInput,
} from '#lib/contract/people/mail-preferences.ts';
import { keysOf } from '#lib/object-keys.ts';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../actor.ts';
import { ServiceError } from '../errors.ts';
import { recordInAccounts } from './record-in-accounts.ts';
import { confirmSession, currentSessionId } from './sessions/find-session.ts';
import { findPersonById, lockPerson, updatePerson } from './store/people.ts';

/**
 * Changes the actor's name in all of their accounts. The same name again changes nothing and is not
 * audited.
 *
 * @throws ServiceError UNAUTHORIZED if the person is gone or the session of the call ended in the
 *   meantime
 */
export async function renamePerson(
  ctx: Context,
  actor: PersonActor,
  { name, sessionToken }: { name: string; sessionToken: string },
): Promise<{ name: string }> {
  const { personId, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  await ctx.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (!person) throw new ServiceError('UNAUTHORIZED');
    await confirmSession(tx, { personId, sessionId });
    if (person.name === name) return;
    const now = ctx.clock.now();
    await updatePerson(tx, personId, { name, updatedAt: now });
    await recordInAccounts(tx, {
      person: { id: personId, name },
      origin,
      action: 'person.renamed',
      now,
      changes: { name, previous_name: person.name },
    });
  });
  return { name };
}

/**
 * Which of the emails that can be turned off the actor gets.
 *
 * @throws ServiceError UNAUTHORIZED if the person is gone
 */
export async function getMailPreferences(
  ctx: Context,
  { personId }: PersonActor,
): Promise<MailPreferences> {
  const person = await findPersonById(ctx.db, personId);
  if (!person) throw new ServiceError('UNAUTHORIZED');
  return describeMailPreferences(person.turnedOffMails);
}

/**
 * Turns emails on or off for the actor, in all of their accounts. Preferences that are not named
 * stay as they are. A call that changes nothing is not audited.
 *
 * @throws ServiceError UNAUTHORIZED if the person is gone or the session of the call ended in the
 *   meantime
 */
export async function updateMailPreferences(
  ctx: Context,
  actor: PersonActor,
  {
    change,
    sessionToken,
  }: { change: z.output<typeof updateMailPreferencesInput>; sessionToken: string },
): Promise<MailPreferences> {
  const { personId, origin } = actor;
  const sessionId = await currentSessionId(ctx, sessionToken);
  return await ctx.db.transaction(async (tx) => {
    const person = await lockPerson(tx, personId);
    if (!person) throw new ServiceError('UNAUTHORIZED');
    await confirmSession(tx, { personId, sessionId });
    const before = describeMailPreferences(person.turnedOffMails);
    const names = keysOf(before);
    const turnedOffMails = names.filter((name) => !(change[name] ?? before[name]));
    const after = describeMailPreferences(turnedOffMails);
    const changed = names.filter((name) => after[name] !== before[name]);
    if (changed.length === 0) return before;
    const now = ctx.clock.now();
    await updatePerson(tx, personId, { turnedOffMails, updatedAt: now });
    await recordInAccounts(tx, {
      person: { id: personId, name: person.name },
      origin,
      action: 'person.mail_preferences_changed',
      now,
      changes: Object.fromEntries(changed.map((name) => [name, after[name]])),
    });
    return after;
  });
}

/** What someone turned off, as the dashboard shows it. */
function describeMailPreferences(turnedOff: readonly MailPreference[]): MailPreferences {
  return {
    api_keys: !turnedOff.includes('api_keys'),
    webhooks: !turnedOff.includes('webhooks'),
    rotation_requests: !turnedOff.includes('rotation_requests'),
    new_members: !turnedOff.includes('new_members'),
  };
}
