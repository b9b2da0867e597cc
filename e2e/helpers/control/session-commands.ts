import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { hourMs } from '#lib/durations.ts';
import type { Context } from '#service/context.ts';
import { credentials } from '#service/db/schema/people/credentials.ts';
import { people } from '#service/db/schema/people/people.ts';
import { sessions } from '#service/db/schema/people/sessions.ts';
import type { Control } from './control.ts';
import type { ControlledContext } from './controlled-context.ts';

type SessionCommands = Pick<Control, 'openSession' | 'useUpCalls'>;

const sessionLastsMs = 12 * hourMs;

/** The commands about people who sign in. */
export function sessionCommandsFor(ctx: ControlledContext): SessionCommands {
  return {
    async openSession({ email }) {
      const credential = await findCredential(ctx, email);
      const token = await ctx.auth.newStoredToken();
      const createdAt = ctx.clock.now();
      // better-auth compares it with the system's time, which the clock may be behind.
      const begins = Math.max(createdAt.getTime(), Date.now());
      await ctx.db.insert(sessions).values({
        id: randomUUID(),
        token,
        userId: credential.personId,
        ipAddress: '127.0.0.1',
        createdAt,
        updatedAt: createdAt,
        expiresAt: new Date(begins + sessionLastsMs),
      });
      const { sessionToken } = await ctx.auth.cookieOf({ token, createdAt });
      const { deviceToken } = ctx.deviceTokens.issue({ credential, device: null });
      return { sessionToken, deviceToken };
    },

    async useUpCalls({ email }) {
      const key = `person:${(await findCredential(ctx, email)).personId}`;
      while ((await ctx.limiter.consume([{ limit: 'call', key }])).allowed);
    },
  };
}

async function findCredential(
  { db }: Context,
  email: string,
): Promise<{ personId: string; passwordHash: string }> {
  const [found] = await db
    .select({ personId: people.id, passwordHash: credentials.password })
    .from(people)
    .innerJoin(credentials, eq(credentials.userId, people.id))
    .where(eq(people.email, email));
  if (!found?.passwordHash) throw new Error(`nobody signs in as ${email}`);
  return { ...found, passwordHash: found.passwordHash };
}
