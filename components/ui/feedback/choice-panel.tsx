import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type ChoicePanelProps = {
  /** A bold sentence. */
  title: string;
  /** The facts, in small text. */
  lead: ReactNode;
  /** Each a `Choice`. */
  children?: ReactNode;
};

/** Shows that something needs a decision, and lists what can be decided. */
export function ChoicePanel({ title, lead, children }: ChoicePanelProps) {
  return (
    <section
      aria-label={title}
      className="overflow-hidden rounded-3 border border-[color-mix(in_oklch,var(--warn-mark)_45%,transparent)] bg-surface"
    >
      <div className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 bg-warn-soft px-3.5 py-3">
        <TriangleAlert aria-hidden className="mt-0.5 text-warn" />
        <div className="min-w-0">
          <h2 className="text-body font-medium text-ink">{title}</h2>
          <div className="text-small text-pretty wrap-anywhere text-ink-2">{lead}</div>
        </div>
      </div>
      {children}
    </section>
  );
}

type ChoiceProps = {
  /** When it is the right choice: "The token is lost". */
  title: string;
  /** What it does. */
  children: ReactNode;
  /** One button. */
  action: ReactNode;
};

export function Choice({ title, children, action }: ChoiceProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2 border-t border-line py-3 pr-3.5 pl-10 max-sm:pl-3.5">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="text-body font-medium text-ink">{title}</h3>
        <p className="text-small text-pretty text-ink-2">{children}</p>
      </div>
      <div className="sm:w-40 max-sm:w-full *:w-full">{action}</div>
    </div>
  );
}
