import type { Context } from '../../../context.ts';
import { ServiceError } from '../../errors.ts';
import { findSession } from './find-session.ts';

/**
 * The id of the session with which a person calls.
 * @throws ServiceError UNAUTHORIZED if it has ended
 */
export async function currentSessionId(ctx: Context, sessionToken: string): Promise<string> {
  const session = await findSession(ctx, sessionToken);
  if (!session) throw new ServiceError('UNAUTHORIZED');
  return session.sessionId;
}
