import { Check } from 'lucide-react';

import { countOf } from '#lib/count.ts';

/** The minimum length that the contract's `newPassword` requires. */
export const MIN_PASSWORD_LENGTH = 12;

/** What is wrong with a new password; null if nothing is. */
export function newPasswordError(typed: string): string | null {
  return typed.length < MIN_PASSWORD_LENGTH
    ? `Use at least ${MIN_PASSWORD_LENGTH} characters.`
    : null;
}

/**
 * Shows how many characters a new password still needs. Screen readers announce only that it is
 * long enough.
 */
export function PasswordLength({ length }: { length: number }) {
  const isEnough = length >= MIN_PASSWORD_LENGTH;
  return (
    <>
      <span role="status" className="flex items-center gap-1.5 empty:hidden">
        {isEnough && (
          <>
            <Check aria-hidden className="icon-14 text-ok-mark" />
            Long enough
          </>
        )}
      </span>
      {!isEnough && (
        <span aria-hidden={length > 0}>
          {length === 0
            ? `${MIN_PASSWORD_LENGTH} characters or more.`
            : describeMissing(MIN_PASSWORD_LENGTH - length)}
        </span>
      )}
    </>
  );
}

function describeMissing(count: number): string {
  return countOf(count, 'more character');
}
