// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import type { ReactNode } from 'react';

/** Figures side by side; on a phone in two rows. Apart from `Figure`, which skeletons do not need. */
export function FigureRow({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-4 gap-y-5 *:min-w-0 *:border-l *:border-line *:py-0.5 *:pr-2 *:pl-5 *:first:border-l-0 *:first:pl-0 max-sm:grid-cols-2 max-sm:*:odd:border-l-0 max-sm:*:odd:pl-0">
      {children}
    </dl>
  );
}
