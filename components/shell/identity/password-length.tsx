import { Check } from 'lucide-react';
import { countOf } from '#lib/count.ts';

/** The minimum length that the contract's `newPassword` requires. */
export const minPasswordLength = 12;

/** What is wrong with a new password; null if nothing is. */
export function newPasswordError(typed: string): string | null {
  return typed.length < minPasswordLength ? `Use at least ${minPasswordLength} characters.` : null;
}

/** How many characters a new password still needs. Screen readers hear only that it is enough. */
export function PasswordLength({ length }: { length: number }) {
  const isEnough = length >= minPasswordLength;
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
            ? `${minPasswordLength} characters or more.`
            : describeMissing(minPasswordLength - length)}
        </span>
      )}
    </>
  );
}

function describeMissing(count: number): string {
  return countOf(count, 'more character');
}
