import type { ReactNode } from 'react';

/** What kind of thing a result is; its group says it in words. */
export function ResultIcon({ icon }: { icon: ReactNode }) {
  return (
    <span aria-hidden className="mr-2 inline-block align-[-0.15em] text-ink-3 [&>svg]:icon-14">
      {icon}
    </span>
  );
}
