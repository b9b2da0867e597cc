import { Check } from 'lucide-react';

/** The one rule for a new password (the contract's `newPassword`). */
export const MIN_PASSWORD_LENGTH = 12;

/** How far a new password is from long enough. Spoken once it is; the way there is seen only. */
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
            : `${MIN_PASSWORD_LENGTH - length} more`}
        </span>
      )}
    </>
  );
}
