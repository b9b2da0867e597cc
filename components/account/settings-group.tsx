import type { ReactNode } from 'react';
import { cn } from '#lib/class-names/cn.ts';

type SettingsGroupProps = {
  /** For links to this group. */
  id?: string;
  title: string;
  /** What the settings are about, or for whom. */
  description: ReactNode;
  tone?: 'danger';
  children: ReactNode;
};

/** A group of related settings, with its heading on the left, or above them on a narrow page. */
export function SettingsGroup({ id, title, description, tone, children }: SettingsGroupProps) {
  return (
    <section id={id} className={columns}>
      <div>
        <h2 tabIndex={-1} className={cn('w-fit font-medium', tone === 'danger' && 'text-bad')}>
          {title}
        </h2>
        <p className="mt-0.5 text-small text-pretty text-ink-3">{description}</p>
      </div>
      <div className={fields}>{children}</div>
    </section>
  );
}

/** The buttons that save the groups above, below a line of their own. */
export function SettingsFooter({ children }: { children: ReactNode }) {
  return (
    <div className={columns}>
      <div className={cn(fields, '@min-[46.25rem]:col-start-2')}>{children}</div>
    </div>
  );
}

const columns =
  'grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-4 border-t border-line py-6 @min-[46.25rem]:grid-cols-[14rem_minmax(0,35rem)]';
const fields = 'grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5';
