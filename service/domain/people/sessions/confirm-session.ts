import type { Tx } from '../../../db/open.ts';
import { ServiceError } from '../../errors.ts';
import { lockSession } from '../store/sessions.ts';

/**
 * Checks, in the transaction that writes, that a session has not ended: after somebody ended it, it
 * must not change anything about the person.
 *
 * @throws ServiceError UNAUTHORIZED
 */
export async function confirmSession(
  tx: Tx,
  session: { personId: string; sessionId: string },
): Promise<void> {
  if (!(await lockSession(tx, session))) throw new ServiceError('UNAUTHORIZED');
}
