import type { Context } from '../../../context.ts';
import type { SignedInPerson } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { findSession } from './find-session.ts';
import { deleteSession } from '../store/sessions.ts';

/** Ends the session of the call; the person's other sessions stay. */
export async function signOut(
  ctx: Context,
  person: SignedInPerson,
  sessionToken: string,
): Promise<void> {
  const { accountId, origin } = person;
  const session = await findSession(ctx, sessionToken);
  await ctx.db.transaction(async (tx) => {
    // If the session ended in the meantime, that is no error.
    if (session) await deleteSession(tx, session);
    if (accountId === null) return;
    const by = { kind: 'person', id: person.personId, name: person.personName } as const;
    await recordAudit(tx, {
      accountId,
      by,
      origin,
      action: 'session.ended',
      at: ctx.clock.now(),
      target: by,
    });
  });
}
