import type { Context } from '../context.ts';
import { findCredentialByEmail } from '../db/stored-credential.ts';
import type { PersonCredential } from '../db/stored-credential.ts';
import type { Control } from 'conversation-service-playwright-kit';
import type { ControlledContext } from './controlled-context.ts';

type SessionCommands = Pick<Control, 'openSession' | 'useUpCalls'>;

/** The commands about people who sign in. */
export function sessionCommandsFor(ctx: ControlledContext): SessionCommands {
  return {
    async openSession({ email }) {
      const credential = await findCredential(ctx, email);
      const { personId } = credential;
      const from = { ip: '127.0.0.1', userAgent: null };
      const { sessionToken } = await ctx.auth.openSession({ personId, ...from });
      const { deviceToken } = ctx.deviceTokens.issue({ credential, device: null });
      return { sessionToken, deviceToken };
    },

    async useUpCalls({ email }) {
      const key = `person:${(await findCredential(ctx, email)).personId}`;
      while ((await ctx.limiter.consume([{ limit: 'call', key }])).allowed);
    },
  };
}

async function findCredential({ db }: Context, email: string): Promise<PersonCredential> {
  const found = await findCredentialByEmail(db, email);
  if (!found) throw new Error(`nobody signs in as ${email}`);
  return found;
}
