import { hourMs } from '#lib/durations.ts';
import type { Context } from '../context.ts';
import { sessions } from '../db/schema/people/sessions.ts';
import type { PersonActor } from '../domain/actor.ts';
import type { Answer, TestApi } from './api.ts';

/**
 * The context with sessions that nobody has to sign in for: a session's token is the person's id.
 * Sessions of people who do sign in are known as well.
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

/** The rows of such sessions, for acts that look for them. */
export async function addSessionsById(ctx: Context, personIds: readonly string[]): Promise<void> {
  const expiresAt = new Date(ctx.clock.now().getTime() + hourMs);
  await ctx.db
    .insert(sessions)
    .values(personIds.map((id) => ({ id, token: id, userId: id, expiresAt })))
    .onConflictDoNothing();
}

/**
 * What the dashboard's server sends for a person, with `withSessionsById`, from a page of the account
 * `pageOf` or from one of none.
 */
export async function callAs(
  api: TestApi,
  { personId, pageOf }: Pick<PersonActor, 'personId'> & { pageOf?: string | undefined },
  [method, path, body]: [method: string, path: string, body?: unknown],
): Promise<Answer> {
  return await api.call(method, path, {
    token: api.ctx.dashboardCredential ?? '',
    headers: {
      'X-Dashboard-Session': personId,
      ...(pageOf !== undefined && { 'X-Dashboard-Account': pageOf }),
    },
    ...(body !== undefined && { body }),
  });
}
