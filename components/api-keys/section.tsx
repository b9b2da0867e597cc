import type { ReactNode } from 'react';

type SectionProps = { title: string; children: ReactNode };

/** A part of the key's page. Its heading can take the focus of a control that has left. */
export function Section({ title, children }: SectionProps) {
  return (
    <section className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
      <h2 tabIndex={-1} className="w-fit text-heading">
        {title}
      </h2>
      {children}
    </section>
  );
}
