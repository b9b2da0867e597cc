import { hourMs } from '#lib/durations.ts';
import type { Context } from '../context.ts';
import { sessions } from '../db/schema/people/sessions.ts';

/**
 * The context with sessions for which nobody has to sign in: the session's token is the person's
 * id. Sessions of people who do sign in are valid as well.
 */
export function withSessionsById<Ctx extends Context>(ctx: Ctx): Ctx {
  return {
    ...ctx,
    auth: {
      ...ctx.auth,
      async session(personId) {
        const person = await ctx.db.query.people.findFirst({
          where: (people, { eq }) => eq(people.id, personId),
        });
        if (!person) return await ctx.auth.session(personId);
        const now = ctx.clock.now();
        return {
          sessionId: personId,
          personId,
          personName: person.name,
          email: person.email,
          createdAt: now,
          provedAt: now,
          chosenAccountId: null,
          expiresAt: new Date(now.getTime() + hourMs),
        };
      },
    },
  };
}

/** Adds the rows of such sessions, for acts that look them up. */
export async function addSessionsById(ctx: Context, personIds: readonly string[]): Promise<void> {
  const expiresAt = new Date(ctx.clock.now().getTime() + hourMs);
  await ctx.db
    .insert(sessions)
    .values(personIds.map((id) => ({ id, token: id, userId: id, expiresAt })))
    .onConflictDoNothing();
}
