// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { cn } from '#lib/class-names/cn.ts';
import { NoValue } from './no-value.tsx';

export type FigureProps = {
  label: string;
  /** Number and unit, with a space between; null if there is nothing to count. */
  value: string | null;
  note: string;
  isWarning?: boolean;
};

export function Figure({ label, value, note, isWarning = false }: FigureProps) {
  return (
    <div>
      <dt className="text-micro font-medium text-ink-3">{label}</dt>
      <dd className={cn('mt-1 text-figure', isWarning && 'text-warn')}>
        {value === null ? <NoValue /> : <Value>{value}</Value>}
      </dd>
      <dd className={cn('mt-0.5 text-micro', isWarning ? 'text-warn' : 'text-ink-3')}>{note}</dd>
    </div>
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
