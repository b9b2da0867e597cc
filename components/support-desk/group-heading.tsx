import type { Ref } from 'react';
import { EmptyCells } from '#components/ui/data-display/data-table.tsx';
import type { Columns } from '#components/ui/data-display/table.tsx';

type GroupHeadingProps = {
  /** Can take the focus when a button of the group is removed. */
  ref?: Ref<HTMLTableCellElement>;
  label: string;
  count: string | number;
  columns: Columns;
};

/** The first row of a body of a table: the name of the group, and how many rows it has. */
export function GroupHeading({ ref, label, count, columns }: GroupHeadingProps) {
  // A cell that spans a hidden column would create it again, so these columns have their own cells.
  const hideable = columns.filter(({ hideBelow }) => hideBelow !== undefined);
  return (
    <tr role="row" className="max-sm:block">
      <th
        ref={ref}
        tabIndex={-1}
        role="rowheader"
        scope="rowgroup"
        colSpan={columns.length - hideable.length}
        className="border-b border-line pt-4 pb-1.5 text-left text-small font-medium text-ink outline-none max-sm:block"
      >
        {label} <span className="ml-1 font-normal text-ink-3">{count}</span>
      </th>
      <EmptyCells columns={hideable} />
    </tr>
  );
}
