import { Ban, CalendarDays, Check, Globe, Infinity as Endless } from 'lucide-react';
import type { ReactNode } from 'react';

import { ExactTime } from '#components/ui/data-display/time.tsx';
import { effectiveScopes, type Scope, scopeTable } from '#lib/contract/scopes.ts';

import { isInNetworks, parseNetwork } from './network.ts';

type KeyAccessSummaryProps = {
  /** The key has every scope, including future ones. */
  includesFutureScopes: boolean;
  scopes: readonly Scope[];
  expiresAt: Date | null | undefined;
  networks: readonly string[];
  /** The person's own IP address; null if it is not known. */
  ownAddress: string | null;
};

/** Summarizes in sentences what the form's current values mean. */
export function KeyAccessSummary(props: KeyAccessSummaryProps) {
  return (
    <aside
      aria-label="What this key can do"
      className="border-line max-[64rem]:border-t max-[64rem]:pt-5 min-[64rem]:sticky min-[64rem]:top-9 min-[64rem]:self-start min-[64rem]:border-l min-[64rem]:pl-6"
    >
      <h2 className="mb-2 font-medium">What this key can do</h2>
      <ul className="grid gap-2 text-small text-ink-2">
        {props.includesFutureScopes ? (
          <SummaryItem icon={<Check />}>Everything, also what is added later</SummaryItem>
        ) : (
          <Scopes scopes={props.scopes} />
        )}
        <Lifetime expiresAt={props.expiresAt} />
        <SummaryItem icon={<Globe />}>
          {describeNetworks(props.networks, props.ownAddress)}
        </SummaryItem>
      </ul>
    </aside>
  );
}

function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  const effective = effectiveScopes(scopes);
  if (effective.length === 0)
    return <SummaryItem icon={<Ban />}>Nothing yet. Tick a scope.</SummaryItem>;
  const missing = areas.filter(({ pattern }) => !effective.some((scope) => pattern.test(scope)));
  return (
    <>
      {effective.map((scope) => (
        <SummaryItem key={scope} icon={<Check />}>
          {scopeTable[scope].label}
        </SummaryItem>
      ))}
      {missing.length > 0 && (
        <SummaryItem icon={<Ban />}>
          Nothing about {joinWithOr(missing.map(({ label }) => label))}
        </SummaryItem>
      )}
    </>
  );
}

const areas = [
  { label: 'conversations', pattern: /^(conversations|messages):/ },
  { label: 'webhooks', pattern: /^(webhooks|events):/ },
  { label: 'keys', pattern: /^api-keys:/ },
  { label: 'the audit log', pattern: /^audit-log:/ },
];

function Lifetime({ expiresAt }: { expiresAt: Date | null | undefined }) {
  if (expiresAt === undefined) return null;
  if (expiresAt === null) return <SummaryItem icon={<Endless />}>Without an end date</SummaryItem>;
  return (
    <SummaryItem icon={<CalendarDays />}>
      Until <ExactTime form="day" value={expiresAt.toISOString()} />
    </SummaryItem>
  );
}

function describeNetworks(written: readonly string[], ownAddress: string | null): string {
  const networks = written.filter((text) => parseNetwork(text).kind === 'network');
  if (networks.length === 0) return 'From any address';
  const from = `From ${networks.length} ${networks.length === 1 ? 'network' : 'networks'}.`;
  if (ownAddress === null) return from;
  const where = networks.length === 1 ? 'it' : 'them';
  const isIn = isInNetworks(ownAddress, networks);
  return `${from} Your address, ${ownAddress}, is ${isIn ? '' : 'not '}in ${where}.`;
}

function joinWithOr(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function SummaryItem({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[0.875rem_minmax(0,1fr)] gap-x-2.5 text-pretty">
      <span aria-hidden className="mt-[3px] text-ink-3 [&>svg]:icon-14">
        {icon}
      </span>
      <span>{children}</span>
    </li>
  );
}
