import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';

export const setUpTokenMinutes = 60;

/** The same error for a wrong, used, replaced and expired token. */
export function invalidSetUpTokenError(): ServiceError {
  return invalid(
    'set_up_token',
    'This link is no longer valid. Start the service again: npm start prints a new one.',
  );
}

export function alreadySetUpError(): ServiceError {
  return invalid('set_up_token', 'The service is already set up. Sign in instead.');
}
