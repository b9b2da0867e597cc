import { Ban, CalendarDays, Check, Globe, Infinity as Endless } from 'lucide-react';
import { FormSummary, SummaryItem } from '#components/shell/form/form-summary.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { effectiveScopes, type Scope, scopeTable } from '#lib/contract/api-keys/scopes.ts';
import { countOf } from '#lib/count.ts';
import { type ApiKeyDraft, draftScopes } from './api-key-draft.ts';
import { expiresAt } from './fields/expiry.ts';
import { isInNetworks, parseNetwork } from './fields/network.ts';

type KeyAccessSummaryProps = {
  draft: ApiKeyDraft;
  now: Date;
  /** The person's own IP address; null if it is not known. */
  ownAddress: string | null;
};

/** Summarizes in sentences what the form's current values mean. */
export function KeyAccessSummary({ draft, now, ownAddress }: KeyAccessSummaryProps) {
  return (
    <FormSummary title="What this key can do">
      {draft.type === 'full' && draft.hasAllScopes ? (
        <SummaryItem icon={<Check />}>Everything, including scopes added later</SummaryItem>
      ) : (
        <Scopes scopes={draftScopes(draft)} />
      )}
      <Lifetime end={expiresAt(draft.expires_at, now)} />
      <SummaryItem icon={<Globe />}>
        {describeNetworks(
          draft.allowed_cidrs.map(({ text }) => text),
          ownAddress,
        )}
      </SummaryItem>
    </FormSummary>
  );
}

function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  const effective = effectiveScopes(scopes);
  if (effective.length === 0)
    return <SummaryItem icon={<Ban />}>Nothing yet. Select a scope.</SummaryItem>;
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
          No access to {joinWithOr(missing.map(({ label }) => label))}
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

function Lifetime({ end }: { end: Date | null | undefined }) {
  if (end === undefined) return null;
  if (end === null) return <SummaryItem icon={<Endless />}>Never expires</SummaryItem>;
  return (
    <SummaryItem icon={<CalendarDays />}>
      Until <ExactTime form="day" value={end.toISOString()} />
    </SummaryItem>
  );
}

function describeNetworks(written: readonly string[], ownAddress: string | null): string {
  const networks = written.filter((text) => parseNetwork(text).kind === 'network');
  if (networks.length === 0) return 'From any address';
  const from = `From ${countOf(networks.length, 'network')}.`;
  if (ownAddress === null) return from;
  const where = networks.length === 1 ? 'it' : 'them';
  const isIn = isInNetworks(ownAddress, networks);
  return `${from} Your address, ${ownAddress}, is ${isIn ? '' : 'not '}in ${where}.`;
}

function joinWithOr(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
