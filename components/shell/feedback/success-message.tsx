import { Check } from 'lucide-react';
import type { ReactNode } from 'react';

/** Shows that a form succeeded. Keep it mounted: screen readers announce what is added to it. */
export function SuccessMessage({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="flex gap-2 text-pretty empty:hidden">
      {children !== null && (
        <>
          <Check aria-hidden className="mt-0.5 text-ok-mark" />
          <span>{children}</span>
        </>
      )}
    </p>
  );
}
