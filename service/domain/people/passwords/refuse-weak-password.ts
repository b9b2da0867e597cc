import { findPasswordWeakness } from '../../../auth/password-weakness.ts';
import { invalid } from '../../errors.ts';

/**
 * @throws ServiceError VALIDATION_ERROR with the reason, under `field`, if the password is easy to
 *   guess
 */
export async function refuseWeakPassword(
  password: string,
  { own, field }: { own: readonly string[]; field: string },
): Promise<void> {
  const weakness = await findPasswordWeakness(password, own);
  if (weakness !== null) throw invalid(field, weakness);
}
