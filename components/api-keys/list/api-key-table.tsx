'use client';

import { Pencil } from 'lucide-react';
import { useRef } from 'react';

import { Menu, MenuLink } from '#components/ui/overlays/menu.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import { RowName, SecondLine, WhenColumnHidden } from '#components/ui/data-display/table.tsx';
import { columnSort, type SortOrder } from '#components/ui/data-display/sort-order.ts';
import { Tag, TagList } from '#components/ui/data-display/tag.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import {
  apiKeyState,
  isEndedState,
  isExpiringSoon,
} from '#components/shell/states/api-key-state.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { TokenOfLeaver } from '#lib/contract/api-keys/shown-tokens.ts';
import type { CallsOfKey } from '#lib/contract/api-keys/usage.ts';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import { countOf } from '#lib/count.ts';
import { listNames } from '#lib/list-names.ts';
import { formatRemaining } from '#lib/time.ts';

import { apiKeyLinkId, apiKeyPath } from '../api-key-path.ts';
import { ApiKeyStatus } from '../api-key-status.tsx';
import { grantedScopes } from '../granted-scopes.ts';
import { KeyTypeLabel, keyTypeTable } from '../key-type.tsx';
import { MaskedToken } from '../masked-token.tsx';
import { NoUse } from '../last-use.tsx';
import { RequestSummary } from '#components/shell/requests/request-summary.tsx';
import { ApiKeyMenuItems } from '../actions/api-key-menu-items.tsx';
import { RotationMenuItem } from '../actions/rotation-menu-item.tsx';
import { keyLastUse } from '../token-last-use.ts';
import { CallsSparkline } from '../usage/calls-sparkline.tsx';
import type { KeyActions } from '../actions/use-api-key-actions.ts';
import type { SortColumn } from './select-api-keys.ts';
import { apiKeyColumns } from './api-key-columns.tsx';

type Context = {
  /** The calls of the last 24 hours by the uuid of their key. */
  calls: ReadonlyMap<string, CallsOfKey['hours']>;
  /** The tokens that are known to someone who left, by the UUID of their key. */
  tokensOfLeavers: ReadonlyMap<string, readonly TokenOfLeaver[]>;
  /** The person who is signed in. */
  personId: string;
  now: Date;
  actions: KeyActions;
  /** The ID of the link to the key that was just created; null if none was. */
  createdLinkId: string | null;
  /** The UUIDs of the selected keys; null if the person can do nothing with several keys. */
  selected: ReadonlySet<string> | null;
  onSelect: (apiKey: ApiKey, isSelected: boolean) => void;
};

type ApiKeyTableProps = Context & {
  apiKeys: readonly ApiKey[];
  accountName: string;
  sort: SortOrder<SortColumn>;
  onSort: (sort: SortOrder<SortColumn>) => void;
  isBusy: boolean;
};

export function ApiKeyTable({
  apiKeys,
  accountName,
  sort,
  onSort,
  isBusy,
  calls,
  tokensOfLeavers,
  personId,
  now,
  actions,
  createdLinkId,
  selected,
  onSelect,
}: ApiKeyTableProps) {
  const context = {
    calls,
    tokensOfLeavers,
    personId,
    now,
    actions,
    createdLinkId,
    selected,
    onSelect,
  };
  return (
    <DataTable
      caption={`API keys of ${accountName}`}
      columns={apiKeyColumns}
      cells={cells}
      sortOf={(column: SortColumn) =>
        columnSort(column, { order: sort, onSort, descendingFirst: ['last_used'] })
      }
      isBusy={isBusy}
      rows={apiKeys}
      context={context}
      rowProps={(apiKey) => ({
        key: apiKey.uuid,
        isEnded: isEnded(apiKey, context),
        ...(isNew(apiKey, context) && { className: '[&>:first-child]:before:bg-accent-soft' }),
        ...(selected?.has(apiKey.uuid) && { isSelected: true }),
        onPhone: isPlain(apiKey, context) ? withLastUse : undefined,
      })}
    />
  );
}

/** Whether the key was created just before the list was opened. */
function isNew(apiKey: ApiKey, { createdLinkId }: Context): boolean {
  return apiKeyLinkId(apiKey) === createdLinkId;
}

/** At most one key is new. */
const newMarkId = 'new-api-key';

/** On a phone, hide the last use unless the key is active. */
const withLastUse = { status: 'top-end', last_used: 'bottom-end' } as const;

const cells: Cells<typeof apiKeyColumns, ApiKey, Context> = {
  name: (apiKey, context) => (
    <span className="flex items-start gap-2.5">
      <SelectBox apiKey={apiKey} context={context} />
      <span className="min-w-0">
        <RowName>
          <PageLink
            id={apiKeyLinkId(apiKey)}
            href={apiKeyPath(apiKey)}
            title={apiKey.name}
            aria-describedby={isNew(apiKey, context) ? newMarkId : undefined}
          >
            {apiKey.name}
          </PageLink>
        </RowName>
        <SecondLine>
          {isNew(apiKey, context) && (
            <span id={newMarkId} className="mr-1.5">
              <Tag mono={false}>New</Tag>
            </span>
          )}
          <MaskedToken lastFour={apiKey.last_four} form="fit" />
          <WhenColumnHidden hideBelow="960px">
            {' '}
            · {keyTypeTable[apiKey.type].label}
          </WhenColumnHidden>
        </SecondLine>
        {apiKey.tags.length > 0 && (
          <span className="mt-1 block max-sm:hidden">
            <TagList values={apiKey.tags} shown={2} mono={false} />
          </span>
        )}
      </span>
    </span>
  ),
  type: ({ type }) => <KeyTypeLabel type={type} />,
  scopes: ({ scopes }) =>
    scopes.length === allScopes.length ? (
      <span className="text-ink-2">All scopes</span>
    ) : (
      // Without those that another one includes.
      <TagList values={grantedScopes(scopes).map(({ scope }) => scope)} />
    ),
  calls: ({ uuid }, { calls }) => <CallsSparkline hours={calls.get(uuid) ?? []} />,
  last_used: (apiKey) =>
    apiKey.last_used_at === null ? (
      <NoUse unusedTokens={keyLastUse(apiKey).unusedTokens} />
    ) : (
      <>
        <RelativeTime value={apiKey.last_used_at} />
        {apiKey.last_used_ip !== null && (
          <SecondLine mono className="max-sm:hidden">
            {apiKey.last_used_ip}
          </SecondLine>
        )}
      </>
    ),
  expires: (apiKey, context) => <Expiry apiKey={apiKey} context={context} />,
  status: (apiKey, context) => <StatusAndRequests apiKey={apiKey} context={context} />,
  actions: (apiKey, context) => (
    <span className="-my-1 block">
      <Actions apiKey={apiKey} context={context} />
    </span>
  ),
};

function isEnded(apiKey: ApiKey, { now }: Context): boolean {
  return isEndedState(apiKeyState(apiKey, now));
}

/** Whether the status needs only one line. */
function isPlain(apiKey: ApiKey, { now, actions }: Context): boolean {
  return apiKeyState(apiKey, now) === 'active' && actions.openRequestsFor(apiKey).length === 0;
}

type PartProps = { apiKey: ApiKey; context: Context };

function SelectBox({ apiKey, context }: PartProps) {
  const { selected, onSelect } = context;
  if (selected === null) return null;
  // The names stay in one column.
  if (isEnded(apiKey, context)) return <span className="w-4 shrink-0 print:hidden" />;
  return (
    // The area that can be pressed is larger than the box.
    <label className="-m-3.5 flex p-3.5 print:hidden">
      <input
        type="checkbox"
        className="tick-box"
        aria-label={`Select ${apiKey.name}, …${apiKey.last_four}`}
        checked={selected.has(apiKey.uuid)}
        onChange={(event) => onSelect(apiKey, event.target.checked)}
      />
    </label>
  );
}

function Expiry({ apiKey, context }: PartProps) {
  const { expires_at: end } = apiKey;
  const { now } = context;
  if (end === null) return <span className="text-ink-3">Never</span>;
  return (
    <>
      <ExactTime form="day" value={end} />
      {!isEnded(apiKey, context) && (
        <SecondLine className={cn(isExpiringSoon(apiKey, now) && 'text-warn')}>
          in {formatRemaining(new Date(end), now)}
        </SecondLine>
      )}
    </>
  );
}

function StatusAndRequests({ apiKey, context }: PartProps) {
  const { expires_at: end } = apiKey;
  const { now, personId, actions, tokensOfLeavers } = context;
  const state = apiKeyState(apiKey, now);
  const leavers = tokensOfLeavers.get(apiKey.uuid)?.map(({ person }) => person.name);
  // The most urgent comes first.
  const requests = actions.openRequestsFor(apiKey);
  const [request, ...more] = requests;
  return (
    <>
      <ApiKeyStatus apiKey={apiKey} now={now} />
      {!isEndedState(state) &&
        state !== 'expiring' &&
        end !== null &&
        isExpiringSoon(apiKey, now) && (
          <WhenColumnHidden hideBelow="1080px">
            <SecondLine className="pl-[21px] text-warn max-sm:pl-0">
              Expires in {formatRemaining(new Date(end), now)}
            </SecondLine>
          </WhenColumnHidden>
        )}
      {leavers && (
        <SecondLine className="pl-[21px] whitespace-normal text-warn max-sm:pl-0">
          Known to {listNames([...new Set(leavers)], { most: 1 })}, who left
        </SecondLine>
      )}
      {request && !isEndedState(state) && (
        <SecondLine className="pl-[21px] whitespace-normal max-sm:pl-0">
          <span className="max-sm:hidden">
            <RequestSummary form="short" request={request} personId={personId} />
            {more.length > 0 && `, and ${countOf(more.length, 'other request')}`}
          </span>
          <span className="sm:hidden">
            {more.length > 0 ? countOf(requests.length, 'request') : 'Rotation requested'}
          </span>
        </SecondLine>
      )}
    </>
  );
}

function Actions({ apiKey, context }: PartProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  const { actions } = context;
  const hasEnded = isEnded(apiKey, context);
  return (
    <Menu label={`Actions for ${apiKey.name}`} triggerRef={trigger}>
      {!hasEnded && <RotationMenuItem apiKey={apiKey} actions={actions} opener={trigger} />}
      {actions.mayEdit && !hasEnded && (
        <MenuLink icon={<Pencil />} href={`${apiKeyPath(apiKey)}/edit`}>
          Edit key
        </MenuLink>
      )}
      <ApiKeyMenuItems apiKey={apiKey} actions={actions} isEnded={hasEnded} opener={trigger} />
    </Menu>
  );
}
