import { ServiceError } from '../../../domain/errors.ts';

/** People always call with a session. @throws ServiceError UNAUTHORIZED */
export function requiredSession(sessionToken: string | null): string {
  if (sessionToken === null) throw new ServiceError('UNAUTHORIZED');
  return sessionToken;
}
