import { type ReactNode, useId } from 'react';

/** Shows in sentences what the values of a form mean. Its parts are `SummaryItem`s. */
export function FormSummary({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <aside
      aria-labelledby={id}
      className="self-start border-line text-small text-ink-2 max-[64rem]:border-t max-[64rem]:pt-5 min-[64rem]:sticky min-[64rem]:top-9 min-[64rem]:border-l min-[64rem]:pl-6"
    >
      <h2 id={id} className="mb-2 text-body font-medium text-ink">
        {title}
      </h2>
      <ul className="grid gap-2">{children}</ul>
    </aside>
  );
}

export function SummaryItem({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[0.875rem_minmax(0,1fr)] gap-x-2.5 text-pretty">
      <span aria-hidden className="mt-[3px] text-ink-3 [&>svg]:icon-14">
        {icon}
      </span>
      <span>{children}</span>
    </li>
  );
}
