import { randomUUID } from 'node:crypto';
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
        // PostgreSQL refuses texts with NUL.
        const person = personId.includes('\0')
          ? undefined
          : await ctx.db.query.people.findFirst({
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
          isReplaced: false,
        };
      },
    },
  };
}

/** Adds the rows of such sessions, for acts that look them up. */
export async function addSessionsById(ctx: Context, personIds: readonly string[]): Promise<void> {
  await ctx.db
    .insert(sessions)
    .values(personIds.map((personId) => sessionRow(ctx, { id: personId, personId })))
    .onConflictDoNothing();
}

/** Adds a session of the person; returns its id, which is its token too. */
export async function addSession(
  ctx: Context,
  { personId, chosenAccountId }: { personId: string; chosenAccountId?: string | null },
): Promise<string> {
  const id = randomUUID();
  await ctx.db.insert(sessions).values({ ...sessionRow(ctx, { id, personId }), chosenAccountId });
  return id;
}

function sessionRow({ auth, clock }: Context, { id, personId }: { id: string; personId: string }) {
  const now = clock.now();
  const digest = auth.digestOf(id);
  return { id, digest, personId, createdAt: now, lastUsedAt: now, provedAt: now };
}
