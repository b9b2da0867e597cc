import { ServiceError } from '../../../domain/errors.ts';

/** A person only ever calls through a session. @throws ServiceError UNAUTHORIZED */
export function requiredSession(sessionToken: string | null): string {
  if (sessionToken === null) throw new ServiceError('UNAUTHORIZED');
  return sessionToken;
}
