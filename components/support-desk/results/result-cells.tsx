import type { ReactNode } from 'react';

import { buttonClass } from '#components/ui/buttons/button-class.ts';
import { Cell, RowName, SecondLine } from '#components/ui/data-display/table.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { FoundIn } from '#lib/contract/support-desk/support-desk.ts';

import { Highlighted } from './highlighted.tsx';
import { AccountName } from './narrow-search.tsx';

/** What kind of thing a result is; its group says it in words. */
export function ResultIcon({ icon }: { icon: ReactNode }) {
  return (
    <span aria-hidden className="mr-2 inline-block align-[-0.15em] text-ink-3 [&>svg]:icon-14">
      {icon}
    </span>
  );
}

type ResultHeadProps = {
  account: FoundIn;
  icon: ReactNode;
  name: string;
  /** The page that the name leads to. */
  path: string;
  /** Highlighted in the name. */
  search: string;
  /** A second line. */
  second?: ReactNode;
  isSecondMono?: boolean;
  /** Whether the row has an action that leads elsewhere. */
  hasAction?: boolean;
};

/** How every row begins: what the result is, and in which account. */
export function ResultHead({
  account,
  icon,
  name,
  path,
  search,
  second,
  isSecondMono = false,
  hasAction = false,
}: ResultHeadProps) {
  return (
    <>
      <Cell isRowHeader onPhone="main">
        <RowName>
          <ResultIcon icon={icon} />
          <a href={path} className={hasAction ? undefined : pressRowOnPhone}>
            <Highlighted text={name} search={search} />
          </a>
        </RowName>
        {second !== undefined && (
          <SecondLine mono={isSecondMono} className="pl-5.5">
            {second}
          </SecondLine>
        )}
        <AccountLine account={account} />
      </Cell>
      <AccountCell account={account} />
    </>
  );
}

/** In which account a result is, and whether opening that asks for a reason. */
function AccountCell({ account }: { account: FoundIn }) {
  return (
    <Cell hideBelow="880px">
      <span className="block truncate" title={account.name}>
        <AccountName account={account} />
      </span>
      {account.needs_reason && <SecondLine>Reason required</SecondLine>}
    </Cell>
  );
}

/** The same below the name, where there is no room for a column. */
function AccountLine({ account }: { account: FoundIn }) {
  return (
    <span className="mt-0.5 hidden pl-5.5 text-micro wrap-anywhere text-ink-2 @max-[55rem]:block">
      <AccountName account={account} />
      {account.needs_reason && <span className="text-ink-3"> · reason required</span>}
    </span>
  );
}

/**
 * When a result was last used. On a phone the column has no header, so the cell says what the time
 * means.
 */
export function LastUseCell({
  value,
  act,
  children,
}: {
  value: string | null;
  /** What never happened: "sent". Left out for a key, of which only successful calls count. */
  act?: string;
  /** A second line. */
  children?: ReactNode;
}) {
  return (
    <Cell onPhone="bottom-end">
      {value === null ? (
        <span className="whitespace-normal text-ink-3">
          {act === undefined ? (
            'No successful call'
          ) : (
            <>
              Never<span className="sm:hidden"> {act}</span>
            </>
          )}
        </span>
      ) : (
        <RelativeTime value={value} />
      )}
      {children}
    </Cell>
  );
}

type ActionCellProps = {
  /** False if the name leads to the same page: on a phone the whole row then does. */
  onPhone?: boolean;
  children: ReactNode;
};

/** On a phone below the result, in its whole width. */
export function ActionCell({ onPhone = true, children }: ActionCellProps) {
  return (
    <Cell
      className={cn('text-right', onPhone && 'max-sm:col-span-full max-sm:mt-2.5 max-sm:block!')}
    >
      {children}
    </Cell>
  );
}

/** For the name in a row without an action: on a phone, a press anywhere on the row reaches it. */
export const pressRowOnPhone = 'max-sm:press-row';

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
