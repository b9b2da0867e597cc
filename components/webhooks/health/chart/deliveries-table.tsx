// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { DeliveriesTableProps } from './deliveries-table-numbers.tsx';

export function DeliveriesTable(props: DeliveriesTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="mt-1 grid grid-cols-[minmax(0,1fr)] text-small text-ink-3">
      <details
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
        className="group col-start-1 row-start-1"
      >
        <summary className="flex min-h-control-small w-fit cursor-default list-none items-center gap-1 rounded-2 pr-1.5 select-none hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className="icon-14 group-open:rotate-90" />
          Show as a table
        </summary>
        <Numbers shouldLoad={isOpen} {...props} />
      </details>
      <p className="col-start-1 row-start-1 flex min-h-control-small items-center self-start justify-self-end max-xl:row-start-2 max-xl:min-h-0 max-xl:justify-self-start">
        Counted by creation time, including tests. Deliveries that succeeded after a retry count as
        delivered and as retried.
      </p>
    </div>
  );
}

const Numbers = lazyComponent(
  async () => (await import('./deliveries-table-numbers.tsx')).DeliveriesTableNumbers,
);
