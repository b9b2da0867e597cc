// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import type { ReactNode } from 'react';
import { NoValue } from '#components/ui/data-display/no-value.tsx';
import type { HealthFigure } from './calculate-health-figures.ts';

export function HealthFigures({ figures }: { figures: readonly HealthFigure[] }) {
  return (
    <FigureRow>
      {figures.map(({ label, value, note }) => (
        <div key={label}>
          <dt className="text-micro font-medium text-ink-3">{label}</dt>
          <dd className="mt-1 text-figure">
            {value === null ? <NoValue /> : <Value>{value}</Value>}
          </dd>
          <dd className="mt-0.5 text-micro text-ink-3">{note}</dd>
        </div>
      ))}
    </FigureRow>
  );
}

/** Side by side; on a phone in two rows. */
export function FigureRow({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-4 gap-y-5 *:min-w-0 *:border-l *:border-line *:py-0.5 *:pr-2 *:pl-5 *:first:border-l-0 *:first:pl-0 max-sm:grid-cols-2 max-sm:*:odd:border-l-0 max-sm:*:odd:pl-0">
      {children}
    </dl>
  );
}

function Value({ children }: { children: string }) {
  return children.split(' ').map((word, index) =>
    units.has(word) ? (
      <small key={index} className="text-body font-normal tracking-normal text-ink-3">
        {' '}
        {word}
      </small>
    ) : (
      <span key={index}>{index === 0 ? word : ` ${word}`}</span>
    ),
  );
}

const units = new Set(['%', 'ms', 's', 'min', 'h']);
