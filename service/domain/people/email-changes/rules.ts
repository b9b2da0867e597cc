import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';

/** The same error for a wrong, used, cancelled, replaced and expired link. */
export function invalidConfirmationError(): ServiceError {
  return invalid(
    'confirm_token',
    'This link is no longer valid. Request the change again on your profile page.',
  );
}

/** The same error for a wrong, used and expired link. */
export function invalidRevocationError(): ServiceError {
  return invalid(
    'revoke_token',
    'This link is no longer valid. If someone else uses your sign-in, ask your administrator for help.',
  );
}

export function emailTakenError(email: string): ServiceError {
  return invalid(
    'revoke_token',
    `${email} now belongs to another person, so the change cannot be undone. Ask your administrator for help.`,
  );
}
