import { statisticsWindows } from '#components/shell/chart/statistics-windows.ts';
import { Section } from '#components/shell/page/section.tsx';
import { buttonClass } from '#components/ui/buttons/button-class.ts';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import { type Columns, SecondLine } from '#components/ui/data-display/table.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { CallProblem } from '#lib/contract/api-keys/call-problems.ts';
import type { ApiKeyUsage, CallRefusal, KeyCaller } from '#lib/contract/api-keys/usage.ts';
import { formatCount } from '#lib/count.ts';
import { formatSpan } from '#lib/time.ts';
import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';
import { describeCounts, sumOfCounts } from './call-outcomes.ts';

type RefusalContext = {
  usage: ApiKeyUsage;
  apiKey: ApiKey;
  mayEdit: boolean;
  /** Undefined: the reader's own time zone. */
  zone: string | undefined;
};

/** The calls that did not succeed, by what would fix them. */
export function RefusalTable({ usage, apiKey, mayEdit, zone }: RefusalContext) {
  const context = { usage, apiKey, mayEdit, zone };
  return (
    <Section title="Failed calls, by what would fix them">
      {usage.refusals.length === 0 ? (
        <p className="text-ink-2">
          None in the last {statisticsWindows[usage.window].long}: every call succeeded.
        </p>
      ) : (
        <DataTable
          caption={`Calls of the last ${statisticsWindows[usage.window].long} that were refused, limited or invalid`}
          columns={refusalColumns}
          cells={refusalCells}
          rows={usage.refusals}
          context={context}
          rowProps={(refusal) => ({
            key: [
              refusal.reason,
              refusal.required_scope,
              refusal.address,
              refusal.token_last_four,
            ].join(' '),
          })}
        />
      )}
    </Section>
  );
}

const refusalColumns = [
  { id: 'fix', header: 'What would fix it', onPhone: 'main', cellClass: 'whitespace-normal' },
  { id: 'status', header: 'Status', width: 72, hideBelow: '740px' },
  { id: 'last', header: 'Last', width: 120, onPhone: 'bottom-end' },
  { id: 'calls', header: 'Calls', width: 72, isNumeric: true, onPhone: 'top-end' },
  { id: 'act', header: 'Action', isHeaderHidden: true, width: 132, onPhone: 'below' },
] as const satisfies Columns;

const refusalCells: Cells<typeof refusalColumns, CallRefusal, RefusalContext> = {
  fix: (refusal, context) => (
    <>
      <span className="font-medium">{titleOf(refusal, context)}</span>
      <span className="mt-0.5 block text-micro font-normal wrap-anywhere text-ink-3">
        <Circumstances refusal={refusal} />
      </span>
      <details className="mt-0.5 text-micro font-normal text-ink-3">
        <summary className="w-fit cursor-default">When</summary>
        <ul>
          {refusal.buckets.map(({ start, calls }) => (
            <li key={start}>
              {formatBucket(start, context)}: {formatCount(calls)}
            </li>
          ))}
        </ul>
      </details>
    </>
  ),
  status: ({ status }) => <Code>{status}</Code>,
  last: ({ last_at: at }) => <RelativeTime value={at} />,
  calls: ({ calls }) => formatCount(calls),
  act: (refusal, context) => <Fix refusal={refusal} context={context} />,
};

function formatBucket(start: string, { usage, zone }: RefusalContext): string {
  const from = new Date(start);
  return formatSpan(from, new Date(from.getTime() + usage.bucket_seconds * 1000), zone);
}

function titleOf(
  { reason, required_scope: scope, address }: CallRefusal,
  { usage }: RefusalContext,
) {
  const { api_key: room, account } = usage.headroom;
  if (reason === 'scope') {
    return (
      <>
        Needs <Code>{scope ?? 'another scope'}</Code>
      </>
    );
  }
  if (reason === 'network') {
    return (
      <>Needs {address === null ? 'other addresses' : <Code>{address}</Code>} among its networks</>
    );
  }
  if (reason === 'key_limit') {
    return `Needs fewer than ${formatCount(room.limit)} calls a minute, or a higher limit`;
  }
  if (reason === 'account_limit') {
    return `Needs fewer than ${formatCount(account.limit)} calls a minute of all keys together`;
  }
  return titles[reason] ?? 'Needs other rights';
}

const titles: Partial<Record<CallProblem, string>> = {
  token_ended: 'Needs the newest token',
  key_paused: 'Needs the key to be resumed',
  old_token: 'Needs the newest token to manage keys',
  own_limits: 'Needs a key with at least the same rights',
  self_rotation: 'Needs permission to rotate itself',
  people_only: 'Needs a person in the dashboard',
  creation_limit: 'Needs fewer new keys and webhooks an hour',
  operation_limit: 'Needs fewer calls of this operation',
  invalid_input: 'Needs valid input',
  idempotency_key: 'Needs another idempotency key',
  quota: 'Needs fewer keys or webhooks in the account',
  not_found: 'Needs a path or an ID that exists',
  method_not_allowed: 'Needs another HTTP method',
  payload_too_large: 'Needs a smaller body',
  unsupported_media_type: 'Needs a body in JSON',
  invalid_request: 'Needs a valid HTTP request',
  unavailable: 'Needs another try: the service was not available',
  internal_error: 'Needs a fix of the service',
};

function Circumstances({ refusal }: { refusal: CallRefusal }) {
  const { token_last_four: lastFour, last_address: address, method, path } = refusal;
  if (lastFour !== null) {
    return (
      <>
        <MaskedToken lastFour={lastFour} form="short" /> has ended. <Code>{address}</Code> still
        uses it.
      </>
    );
  }
  return (
    <>
      <Code>{path === null ? `${method}, no such path` : `${method} ${shortPath(path)}`}</Code>
      {refusal.address === null && (
        <>
          {' '}
          from <Code>{address}</Code>
        </>
      )}
      .
    </>
  );
}

/** A path without what all public paths begin with. */
function shortPath(path: string): string {
  return path.replace(/^\/api\/v1/, '');
}

function Fix({ refusal, context }: { refusal: CallRefusal; context: RefusalContext }) {
  const edit = editActs[refusal.reason];
  if (edit !== undefined && context.mayEdit) {
    return (
      <ButtonLink size="small" block href={`${apiKeyPath(context.apiKey)}/edit`}>
        {edit}
      </ButtonLink>
    );
  }
  if (!explained.has(refusal.reason)) return null;
  return (
    <a
      href={`/docs/errors/${refusal.reason}`}
      className={buttonClass({ size: 'small', block: true })}
    >
      Open docs<span className="sr-only">: {refusal.reason}</span>
    </a>
  );
}

const editActs: Partial<Record<CallProblem, string>> = {
  key_limit: 'Change limit',
  network: 'Add network',
  scope: 'Add scope',
  self_rotation: 'Edit key',
};

/** The reasons that have a page. */
const explained: ReadonlySet<CallProblem> = new Set([
  'scope',
  'network',
  'old_token',
  'own_limits',
  'self_rotation',
  'people_only',
  'invalid_input',
  'idempotency_key',
  'quota',
  'key_limit',
  'account_limit',
  'creation_limit',
  'operation_limit',
]);

/** Who calls, with which token. */
export function CallerTable({ usage }: { usage: ApiKeyUsage }) {
  const { long, short } = statisticsWindows[usage.window];
  return (
    <Section id="callers" title="Callers">
      <DataTable
        caption={`Callers of the last ${long}`}
        columns={callerColumns.map((column) =>
          column.id === 'calls' ? { ...column, header: `Calls, ${short}` } : column,
        )}
        cells={callerCells}
        lines="one"
        rows={usage.callers}
        context={null}
        rowProps={({ address, user_agent: agent, token }) => ({
          key: `${address} ${agent} ${token.last_four}`,
        })}
      />
      {usage.other_callers > 0 && (
        <p className="text-small text-ink-3">
          And {formatCount(usage.other_callers)} calls of others. Of each hour, the first 50 callers
          are told apart.
        </p>
      )}
    </Section>
  );
}

const callerColumns = [
  { id: 'address', header: 'Address', width: 150, onPhone: 'main' },
  { id: 'agent', header: 'User agent', hideBelow: '560px' },
  { id: 'token', header: 'Token', width: 116, hideBelow: '560px' },
  { id: 'first', header: 'First seen', width: 120, hideBelow: '740px' },
  { id: 'last', header: 'Last seen', width: 120, onPhone: 'bottom-end' },
  { id: 'calls', header: 'Calls', width: 84, isNumeric: true, onPhone: 'top-end' },
] as const satisfies Columns;

const callerCells: Cells<typeof callerColumns, KeyCaller, null> = {
  address: ({ address, user_agent: agent, token }) => (
    <>
      <Code>{address}</Code>
      <span className="hidden max-sm:block">
        <SecondLine>
          {agent ?? 'No user agent'}
          {token.state === 'newest' ? '' : ` · ${token.state} token`}
        </SecondLine>
      </span>
    </>
  ),
  agent: ({ user_agent: agent }) => (
    <span title={agent ?? undefined} className="block truncate">
      {agent ?? <span className="text-ink-3">None</span>}
    </span>
  ),
  token: ({ token }) => (
    <>
      <MaskedToken lastFour={token.last_four} form="short" />
      {token.state !== 'newest' && <span className="text-ink-3"> {token.state}</span>}
    </>
  ),
  first: ({ first_seen_at: at }) => <ExactTime form="short" value={at} />,
  last: ({ last_seen_at: at }) => <RelativeTime value={at} />,
  calls: ({ calls }) => formatCount(calls),
};

export function RouteTable({ usage }: { usage: ApiKeyUsage }) {
  return (
    <Section title="Routes">
      <DataTable
        caption={`Routes called in the last ${statisticsWindows[usage.window].long}`}
        columns={routeColumns}
        cells={routeCells}
        lines="one"
        rows={usage.routes}
        context={null}
        rowProps={({ method, path }) => ({ key: `${method} ${path}` })}
      />
    </Section>
  );
}

const routeColumns = [
  { id: 'route', header: 'Route', onPhone: 'main' },
  { id: 'outcomes', header: 'Outcomes', hideBelow: '560px', onPhone: 'bottom-end' },
  { id: 'calls', header: 'Calls', width: 84, isNumeric: true, onPhone: 'top-end' },
] as const satisfies Columns;

const routeCells: Cells<typeof routeColumns, ApiKeyUsage['routes'][number], null> = {
  route: ({ method, path }) => (
    <span translate="no" className="code block truncate" title={path ?? undefined}>
      {method} {path === null ? '(no such path)' : shortPath(path)}
    </span>
  ),
  outcomes: (counts) => <span className="text-ink-2">{describeCounts(counts)}</span>,
  calls: (counts) => formatCount(sumOfCounts(counts)),
};
