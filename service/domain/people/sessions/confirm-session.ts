import type { Tx } from '../../../db/open.ts';
import { ServiceError } from '../../errors.ts';
import { lockSession } from '../store/sessions.ts';

/**
 * Says, in the transaction that writes, that a session still goes on: whoever ended it must not find
 * that it added something to the person meanwhile. The person must be locked.
 *
 * @throws ServiceError UNAUTHORIZED
 */
export async function confirmSession(
  tx: Tx,
  session: { personId: string; sessionId: string },
): Promise<void> {
  if (!(await lockSession(tx, session))) throw new ServiceError('UNAUTHORIZED');
}
