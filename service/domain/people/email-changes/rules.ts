import { invalid } from '../../errors.ts';
import type { ServiceError } from '../../errors.ts';

/** The same error for a wrong, used, cancelled, replaced and expired link. */
export function invalidConfirmationError(): ServiceError {
  return invalid(
    'confirm_token',
    'This link is no longer valid. Ask for the change again on your profile page.',
  );
}

/** The same error for a wrong, used and expired link. */
export function invalidRevocationError(): ServiceError {
  return invalid(
    'revoke_token',
    'This link is no longer valid. If somebody else uses your sign-in, ask whoever runs this service for help.',
  );
}

export function emailTakenError(email: string): ServiceError {
  return invalid(
    'revoke_token',
    `${email} belongs to another person now, so the change cannot be undone. Ask whoever runs this service for help.`,
  );
}
