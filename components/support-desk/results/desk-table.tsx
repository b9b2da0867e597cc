import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { buttonClass } from '#components/ui/buttons/button-class.ts';
import { type Cells, DataRows, EmptyCells } from '#components/ui/data-display/data-table.tsx';
import {
  type Columns,
  RowName,
  SecondLine,
  TableBody,
  TableFrame,
} from '#components/ui/data-display/table.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { FoundIn } from '#lib/contract/support-desk/support-desk.ts';
import { GroupHeading } from '../group-heading.tsx';
import { Highlighted } from './highlighted.tsx';

/** A row of the table: an account, or something in an account. */
export type DeskResult = {
  /** Unique in its group. */
  key: string;
  account: FoundIn;
  isAccount?: boolean;
  icon: ReactNode;
  name: string;
  /** The page that the name leads to; if its account asks for a reason, that page does so first. */
  path: string;
  /** Highlighted in the name. */
  search: string;
  second?: ReactNode;
  isSecondMono?: boolean;
  state?: ReactNode;
  lastUse?: ReactNode;
  expires?: ReactNode;
  isEnded?: boolean;
  /** What the person can do. Without it, a link leads where the name does. */
  action?: ReactNode;
  /** Whether the action leads elsewhere, so that a phone shows it too. */
  hasOtherAction?: boolean;
};

type Narrow = ((account: FoundIn) => void) | null;

export type DeskGroup = {
  label: string;
  results: readonly DeskResult[];
  /** Adds more results to the group. Undefined: there are no more. */
  more?: { isPending: boolean; disabledReason: string | undefined; onShow: () => void } | undefined;
};

type DeskTableProps = {
  caption: string;
  groups: readonly DeskGroup[];
  /** Searches only in one account from now on; null where results cannot be narrowed. */
  onNarrow: Narrow;
};

/** The table of all results. Each group is a body of it. */
export function DeskTable({ caption, groups, onNarrow }: DeskTableProps) {
  return (
    <TableFrame caption={caption} columns={columns}>
      {groups.map((group) => (
        <ResultGroup key={group.label} group={group} onNarrow={onNarrow} />
      ))}
    </TableFrame>
  );
}

const columns = [
  { id: 'result', header: 'Result', onPhone: 'main' },
  { id: 'account', header: 'Account', width: 160, hideBelow: '880px' },
  { id: 'state', header: 'State', width: 160, onPhone: 'top-end' },
  { id: 'last_used', header: 'Last used', width: 110, onPhone: 'bottom-end' },
  { id: 'expires', header: 'Expires', width: 100, hideBelow: '740px' },
  {
    id: 'action',
    header: 'What you can do',
    isHeaderHidden: true,
    width: 150,
    cellClass: 'text-right',
  },
] as const satisfies Columns;

const withAction = { action: 'below' } as const;

const cells: Cells<typeof columns, DeskResult, Narrow> = {
  result: (result, narrow) => (
    <>
      <RowName>
        {/* What kind of thing the result is; its group says it in words. */}
        <span aria-hidden className="mr-2 inline-block align-[-0.15em] text-ink-3 [&>svg]:icon-14">
          {result.icon}
        </span>
        <a
          href={result.path}
          // Without another action, a press anywhere on the row reaches it on a phone.
          className={result.hasOtherAction ? undefined : 'max-sm:press-row'}
        >
          <Highlighted text={result.name} search={result.search} />
        </a>
      </RowName>
      {result.second !== undefined && (
        <SecondLine mono={result.isSecondMono ?? false} className="pl-5.5">
          {result.second}
        </SecondLine>
      )}
      {/* The account, where there is no room for its column. */}
      {!result.isAccount && (
        <span className="mt-0.5 hidden pl-5.5 text-micro wrap-anywhere text-ink-2 @max-[55rem]:block">
          <AccountName account={result.account} narrow={narrow} />
          {result.account.needs_reason && <span className="text-ink-3"> · reason required</span>}
        </span>
      )}
    </>
  ),
  account: ({ account, isAccount }, narrow) =>
    isAccount ? (
      narrow && (
        <button
          type="button"
          className="text-ink-2 hover:underline"
          onClick={() => narrow(account)}
        >
          Search only here
        </button>
      )
    ) : (
      <>
        <span className="block truncate" title={account.name}>
          <AccountName account={account} narrow={narrow} />
        </span>
        {account.needs_reason && <SecondLine>Reason required</SecondLine>}
      </>
    ),
  state: ({ state }) => state,
  last_used: ({ lastUse }) => lastUse,
  expires: ({ expires }) => expires,
  action: ({ action, path, name }) => action ?? <OpenLink href={path} of={name} />,
};

/** The name of a result's account. A press searches for the same words in this account only. */
function AccountName({ account, narrow }: { account: FoundIn; narrow: Narrow }) {
  if (narrow === null) return account.name;
  return (
    <button
      type="button"
      title={`Search only in ${account.name}`}
      // Above the link that covers the whole row on a phone.
      className="relative z-1 max-w-full truncate text-left hover:underline"
      onClick={() => narrow(account)}
    >
      <span className="sr-only">Search only in </span>
      {account.name}
    </button>
  );
}

/**
 * When a result was last used. On a phone the column has no header, so the cell says what the time
 * means.
 * @param act what never happened: "sent". Left out for a key, of which only successful calls count.
 */
export function LastUse({ value, act }: { value: string | null; act?: string }) {
  if (value !== null) return <RelativeTime value={value} />;
  return (
    <span className="whitespace-normal text-ink-3">
      {act === undefined ? (
        'No successful call'
      ) : (
        <>
          Never<span className="sm:hidden"> {act}</span>
        </>
      )}
    </span>
  );
}

type OpenLinkProps = {
  href: string;
  /** What it opens, for screen readers. */
  of: string;
  icon?: ReactNode;
  children?: ReactNode;
};

/** Leads out of the desk, by a full page load: the frame of the account comes with it. */
export function OpenLink({ href, of, icon, children = 'Open' }: OpenLinkProps) {
  return (
    <a href={href} className={cn(buttonClass({ size: 'small' }), 'max-sm:h-11')}>
      {icon}
      {children}
      <span className="sr-only"> {of}</span>
    </a>
  );
}

/** The results of one kind, if there are any. */
function ResultGroup({ group, onNarrow }: { group: DeskGroup; onNarrow: Narrow }) {
  const { label, results, more } = group;
  const hasMore = more !== undefined;
  const heading = useRef<HTMLTableCellElement>(null);
  const wasPressed = useRef(false);
  const keepFocus = useEffectEvent(() => {
    if (wasPressed.current && document.activeElement === document.body) heading.current?.focus();
  });
  // The pressed button is removed with the last results.
  useEffect(() => keepFocus(), [hasMore]);
  if (results.length === 0) return null;

  function showMore() {
    wasPressed.current = true;
    more?.onShow();
  }

  return (
    <TableBody>
      <GroupHeading
        ref={heading}
        label={label}
        count={hasMore ? `the first ${results.length}` : results.length}
        columns={columns}
      />
      <DataRows
        columns={columns}
        cells={cells}
        rows={results}
        context={onNarrow}
        // A row of one line would be too low for a finger.
        rowProps={({ key, isEnded = false, hasOtherAction }) => ({
          key,
          isEnded,
          onPhone: hasOtherAction ? withAction : undefined,
          className: 'max-sm:min-h-11',
        })}
      />
      {more && (
        <tr role="row" className="max-sm:block">
          <td role="cell" colSpan={spanned.length} className="py-2 max-sm:block">
            <Button
              size="small"
              pending={more.isPending}
              disabledReason={more.disabledReason}
              onClick={showMore}
            >
              Show more<span className="sr-only"> {label.toLowerCase()}</span>
            </Button>
          </td>
          <EmptyCells columns={hideable} />
        </tr>
      )}
    </TableBody>
  );
}

/** A cell that spans a hidden column would create it again, so these columns have their own cells. */
const [spanned, hideable] = [
  columns.filter((column) => !('hideBelow' in column)),
  columns.filter((column) => 'hideBelow' in column),
];
