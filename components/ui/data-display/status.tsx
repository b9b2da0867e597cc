import {
  Ban,
  CircleDashed,
  CirclePause,
  CircleX,
  Clock,
  ClockAlert,
  OctagonX,
  RotateCw,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';

/** The icon of a status, by its meaning. */
export type StatusMark =
  | 'ok'
  | 'warning'
  | 'rotating'
  | 'expiring'
  | 'waiting'
  | 'open'
  | 'paused'
  | 'stopped'
  | 'unfinished'
  | 'failed'
  | 'ended';

type StatusProps = {
  mark: StatusMark;
  children: ReactNode;
  /** A second line, below the label. */
  sub?: ReactNode;
  /** A label in the normal text color next to a colored icon. */
  tone?: 'ink';
  className?: string;
};

/** A status as icon and label. It never depends on icon or color alone. */
export function Status({ mark, children, sub, tone, className }: StatusProps) {
  const look = looks[mark];
  return (
    <span className={cn('inline-block max-w-full align-top', className)}>
      <span
        className={cn(
          'inline-flex items-center gap-[7px] align-top whitespace-nowrap',
          tone === 'ink' ? 'text-ink' : look.word,
        )}
      >
        <span
          aria-hidden
          className={cn('grid size-3.5 place-items-center [&>svg]:icon-14', look.color)}
        >
          {look.mark}
        </span>
        {children}
      </span>
      {sub !== undefined && (
        <span className="mt-0.5 block pl-[21px] text-micro max-sm:truncate max-sm:pl-0 text-ink-3">
          {sub}
        </span>
      )}
    </span>
  );
}

const looks: Record<StatusMark, { mark: ReactNode; color: string; word: string }> = {
  ok: {
    mark: <span data-mark className="size-2 rounded-full bg-ok-mark" />,
    color: '',
    word: 'text-ink',
  },
  warning: { mark: <TriangleAlert />, color: 'text-warn-mark', word: 'text-warn' },
  rotating: { mark: <RotateCw />, color: 'text-accent', word: 'text-accent-ink' },
  expiring: { mark: <ClockAlert />, color: 'text-warn-mark', word: 'text-warn' },
  waiting: { mark: <Clock />, color: 'text-warn-mark', word: 'text-warn' },
  open: { mark: <Clock />, color: 'text-ink-3', word: 'text-ink' },
  paused: { mark: <CirclePause />, color: '', word: 'text-ink-3' },
  stopped: { mark: <OctagonX />, color: 'text-bad-mark', word: 'text-bad' },
  unfinished: { mark: <CircleDashed />, color: 'text-accent', word: 'text-accent-ink' },
  failed: { mark: <CircleX />, color: 'text-bad-mark', word: 'text-bad' },
  ended: { mark: <Ban />, color: '', word: 'text-ink-3' },
};
