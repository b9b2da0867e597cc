import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';

export type BannerProps = {
  tone?: 'plain' | 'warn' | 'bad';
  /** Replaces the tone's icon. */
  icon?: ReactNode;
  /** A bold sentence. */
  title: ReactNode;
  /** Details in small text. */
  children?: ReactNode;
  /** One button, or nothing if the person can do nothing. */
  action?: ReactNode;
  /** `alert` only if work is being lost; `none` if another live region announces it. */
  role?: 'status' | 'alert' | 'none' | undefined;
  className?: string | undefined;
};

/** A message about a page or section. Messages about a control are next to the control. */
export function Banner({
  tone = 'plain',
  icon,
  title,
  children,
  action,
  role = 'status',
  className,
}: BannerProps) {
  return (
    <div
      role={role === 'none' ? undefined : role}
      className={cn(
        'flex flex-wrap gap-x-2.5 gap-y-2 rounded-3 border py-[11px] pr-3 pl-3.5',
        children === undefined ? 'items-start sm:items-center' : 'items-start',
        tones[tone],
        className,
      )}
    >
      <span aria-hidden className="mt-0.5">
        {icon ?? icons[tone]}
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium text-ink wrap-anywhere">{title}</p>
        {children !== undefined && (
          <div className="text-small text-pretty wrap-anywhere text-ink-2">{children}</div>
        )}
      </div>
      {Boolean(action) && <div className="my-[3px] max-sm:w-full max-sm:*:w-full">{action}</div>}
    </div>
  );
}

const tones = {
  plain: 'border-line-strong bg-surface [&>span>svg]:text-ink-3',
  warn: 'border-[color-mix(in_oklch,var(--warn-mark)_45%,transparent)] bg-warn-soft [&>span>svg]:text-warn',
  bad: 'border-[color-mix(in_oklch,var(--bad-mark)_40%,transparent)] bg-bad-soft [&>span>svg]:text-bad',
};

const icons = { plain: <Info />, warn: <TriangleAlert />, bad: <CircleAlert /> };
