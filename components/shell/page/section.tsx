import type { ReactNode } from 'react';

type SectionProps = {
  /** For links to this section. */
  id?: string;
  title: ReactNode;
  /** One small button next to the heading. */
  action?: ReactNode;
  children: ReactNode;
};

/** A section of a page. Its heading can take the focus when a focused control is removed. */
export function Section({ id, title, action, children }: SectionProps) {
  return (
    <section id={id} className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 tabIndex={-1} className="w-fit text-heading">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}
