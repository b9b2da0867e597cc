import { useQuery } from '@tanstack/react-query';
import { type Cells, DataRows } from '#components/ui/data-display/data-table.tsx';
import {
  type Columns,
  DataTableSkeleton,
  RowName,
  SecondLine,
  TableBody,
  TableFrame,
} from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useEstimatedNow } from '#components/ui/rendering/use-now.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { Attention, AttentionItem } from '#lib/contract/support-desk/attention.ts';
import { accountPath } from '#lib/paths/account-path.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { attentionQuery } from '#lib/queries/requests.ts';
import { formatRemaining } from '#lib/time.ts';
import { DeskReadFailure } from '../desk-read-failure.tsx';
import { GroupHeading } from '../group-heading.tsx';
import { OpenLink } from '../results/desk-table.tsx';
import { describeAttention } from './describe-attention.tsx';

/** What someone should look at in all accounts that the person can open, most urgent first. */
export function NeedsAttention({ personId }: { personId: string }) {
  const read = useQuery({
    ...attentionQuery(personId),
    refetchInterval: pageRefetchInterval,
  });
  const { data, error } = read;
  return (
    <section aria-labelledby="needs-attention" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="needs-attention" tabIndex={-1} className="sr-only">
        Needs attention
      </h2>
      <DeskReadFailure what="What needs attention" read={read} />
      {data === undefined && !error && (
        <DataTableSkeleton caption="Loading what needs attention" columns={columns} rows={3} />
      )}
      {data && (isQuiet(data) ? <Quiet attention={data} /> : <AttentionTable attention={data} />)}
    </section>
  );
}

type Urgency = 'now' | 'today' | 'this_week';

const urgencies: readonly { urgency: Urgency; label: string }[] = [
  { urgency: 'now', label: 'Now' },
  { urgency: 'today', label: 'Today' },
  { urgency: 'this_week', label: 'This week' },
];

function isQuiet(attention: Attention): boolean {
  return urgencies.every(({ urgency }) => attention[urgency].items.length === 0);
}

function Quiet({ attention }: { attention: Attention }) {
  return (
    <div className="flex gap-3 border-y border-line py-5">
      <span aria-hidden className="mx-1 mt-1.5 size-2 shrink-0 rounded-full bg-ok-mark" />
      <div>
        <p className="font-medium">Nothing needs attention</p>
        <p className="text-pretty text-ink-2">
          No webhook is failing, no report or request is open, no key expires within 7 days, and no
          email was refused. As of <ExactTime form="clock" value={attention.as_of} />.
        </p>
      </div>
    </div>
  );
}

function AttentionTable({ attention }: { attention: Attention }) {
  return (
    <div>
      <TableFrame caption="What needs attention, most urgent first" columns={columns}>
        {urgencies.map(({ urgency, label }) => {
          const { items, total } = attention[urgency];
          if (items.length === 0) return null;
          return (
            <TableBody key={urgency}>
              <GroupHeading
                label={label}
                count={total > items.length ? `${items.length} of ${total}` : total}
                columns={columns}
              />
              <DataRows
                columns={columns}
                cells={cells}
                rows={items}
                context={urgency}
                rowProps={(item) => ({ key: keyOf(item) })}
              />
            </TableBody>
          );
        })}
      </TableFrame>
      <p className="mt-4 text-small text-ink-3">
        As of <ExactTime form="clock" value={attention.as_of} />. To open an account that you do not
        belong to, you give the reason first.
      </p>
    </div>
  );
}

function keyOf(item: AttentionItem): string {
  const { page } = describeAttention(item);
  return [item.kind, item.account.id, page, 'id' in item ? item.id : ''].join(' ');
}

/** The groups say enough to those who see them. */
const hidden = { isHeaderHidden: true, headerClass: 'h-0 border-b-0' };

const columns = [
  { id: 'what', header: 'What', ...hidden, onPhone: 'main', skeleton: [240, 320] },
  {
    id: 'account',
    header: 'Account',
    ...hidden,
    width: 164,
    hideBelow: '740px',
    skeleton: [110],
  },
  { id: 'when', header: 'Since or until', ...hidden, width: 124, skeleton: [70, 90] },
  {
    id: 'act',
    header: 'What you can do',
    ...hidden,
    width: 144,
    cellClass: 'text-right',
    onPhone: 'below',
    skeleton: [110],
  },
] as const satisfies Columns;

const cells: Cells<typeof columns, AttentionItem, Urgency> = {
  what: (item, urgency) => {
    const { icon, title, detail, page } = describeAttention(item);
    return (
      <span className="flex gap-3">
        <span aria-hidden className={cn('mt-0.5', toneOf(item, urgency))}>
          {icon}
        </span>
        <span className="min-w-0">
          <RowName className="whitespace-normal wrap-anywhere">
            <a href={accountPath(item.account.id, page)}>{title}</a>
          </RowName>
          {detail !== null && (
            <SecondLine className="whitespace-normal wrap-anywhere text-ink-2">{detail}</SecondLine>
          )}
          {/* Where there is no room for the column, except on a phone. */}
          <span className="mt-0.5 hidden text-micro text-ink-3 @max-[46.25rem]:block max-sm:hidden!">
            {item.account.name}
          </span>
        </span>
      </span>
    );
  },
  account: ({ account }) => (
    <>
      <span className="block truncate" title={account.name}>
        {account.name}
      </span>
      {account.needs_reason && <SecondLine>Reason required</SecondLine>}
    </>
  ),
  when: (item) => (
    <>
      <Span item={item} />
      <SecondLine>
        <ExactTime form="short" value={momentOf(item)} />
      </SecondLine>
    </>
  ),
  act: (item) => {
    const { act, page, name } = describeAttention(item);
    return (
      <span className="flex items-center justify-end gap-4">
        <span className="min-w-0 flex-1 pl-7 text-left text-small text-ink-2 sm:hidden">
          <span className="block truncate">{item.account.name}</span>
          <span className="text-ink-3">
            <Span item={item} /> · <ExactTime form="short" value={momentOf(item)} />
          </span>
        </span>
        <OpenLink href={accountPath(item.account.id, page)} of={name}>
          {act}
        </OpenLink>
      </span>
    );
  },
};

/** Only what is urgent is colored. */
function toneOf({ kind }: AttentionItem, urgency: Urgency): string {
  if (urgency === 'this_week') return 'text-ink-3';
  return kind === 'leak_reported' || kind === 'webhook_deactivated'
    ? 'text-bad-mark'
    : 'text-warn-mark';
}

function momentOf(item: AttentionItem): string {
  return item.kind === 'key_expiring' ? item.expires_at : item.since;
}

/** How long ago it began, or how soon it ends. */
function Span({ item }: { item: AttentionItem }) {
  const now = useEstimatedNow();
  const moment = new Date(momentOf(item));
  const text =
    item.kind === 'key_expiring'
      ? `in ${formatRemaining(moment, now)}`
      : formatRemaining(now, moment);
  return (
    <span suppressHydrationWarning className="whitespace-nowrap">
      {text}
    </span>
  );
}
