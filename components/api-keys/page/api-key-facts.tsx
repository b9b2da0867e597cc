import { Code } from '#components/ui/data-display/code.tsx';
import { CopyButton } from '#components/ui/overlays/copy-button.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { allScopes, type Scope, scopeTable } from '#lib/contract/api-keys/scopes.ts';
import { cn } from '#lib/class-names/cn.ts';
import { countOf } from '#lib/count.ts';
import { formatRemaining } from '#lib/time.ts';
import { grantedScopes } from '../granted-scopes.ts';
import { keyTypeTable } from '../key-type.tsx';
import { LastUse } from '../last-use.tsx';
import { keyLastUse } from '../token-last-use.ts';
import { purposeFacts } from '../purpose-facts.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { apiKeyState, isEndedState } from '#components/shell/states/api-key-state.ts';

/** The key's description, tags, type, networks, expiry, use, creation and ID, and its scopes. */
export function ApiKeyFacts({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-10 @min-[46.25rem]:grid-cols-2 max-sm:gap-y-8">
      <Section title="Details">
        <Facts facts={factsOf(apiKey, now)} className="gap-y-2.5" />
      </Section>
      <Section title="Scopes">
        <Scopes scopes={apiKey.scopes} />
      </Section>
    </div>
  );
}

function factsOf(apiKey: ApiKey, now: Date): Fact[] {
  return [
    ...purposeFacts(apiKey),
    { label: 'Type', value: <Type apiKey={apiKey} /> },
    { label: 'Networks', value: <Networks networks={apiKey.allowed_cidrs} /> },
    ...(apiKey.rate_limit_per_minute === null
      ? []
      : [
          {
            label: 'Own rate limit',
            value: `${countOf(apiKey.rate_limit_per_minute, 'call')} a minute`,
          },
        ]),
    { label: 'May rotate itself', value: apiKey.may_rotate_itself ? 'Yes' : 'No' },
    { label: 'Expires', value: <Expiry apiKey={apiKey} now={now} /> },
    {
      label: 'Last used',
      value: <LastUse {...keyLastUse(apiKey)} />,
    },
    {
      label: 'Created',
      value: (
        <>
          <ExactTime value={apiKey.created_at} />
          {apiKey.created_by && ` by ${apiKey.created_by.name}`}
        </>
      ),
    },
    ...(apiKey.revoked_at === null
      ? []
      : [
          {
            label: 'Revoked',
            value: (
              <>
                <ExactTime value={apiKey.revoked_at} />
                {apiKey.revoked_by && ` by ${apiKey.revoked_by.name}`}
              </>
            ),
          },
          { label: 'Reason', value: apiKey.revoked_reason ?? 'None given' },
        ]),
    { label: 'Key ID', value: <KeyId apiKey={apiKey} /> },
  ];
}

function Type({ apiKey: { type, scopes } }: { apiKey: ApiKey }) {
  const isNarrowed = type === 'full' && scopes.length < allScopes.length;
  return (
    <>
      {keyTypeTable[type].label}
      <span className="block text-small text-pretty text-ink-3">
        {isNarrowed ? 'Limited to chosen scopes.' : keyTypeTable[type].description}
      </span>
    </>
  );
}

function Networks({ networks }: { networks: readonly string[] }) {
  if (networks.length === 0) return 'Any address';
  return (
    <ul>
      {networks.map((network) => (
        <li translate="no" key={network} className="code leading-5">
          {network}
        </li>
      ))}
    </ul>
  );
}

function Expiry({ apiKey, now }: { apiKey: ApiKey; now: Date }) {
  if (apiKey.expires_at === null) return 'Never';
  const isUsable = !isEndedState(apiKeyState(apiKey, now));
  return (
    <>
      <ExactTime value={apiKey.expires_at} />
      {isUsable && (
        <span className="text-ink-3"> in {formatRemaining(new Date(apiKey.expires_at), now)}</span>
      )}
    </>
  );
}

function KeyId({ apiKey }: { apiKey: ApiKey }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <Code className="min-w-0 leading-5 break-all">{apiKey.uuid}</Code>
      <CopyButton text={apiKey.uuid} label={`Copy key ID of ${apiKey.name}`} />
    </span>
  );
}

// On a phone each name is below its label: next to it, only some would have room.
const scopeLine = 'flex flex-wrap justify-between gap-x-4 max-sm:flex-col';

function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  const groups = Map.groupBy(grantedScopes(scopes), ({ scope }) => scopeTable[scope].group);
  return (
    <div className="grid gap-3">
      {scopes.length === allScopes.length && <p>All scopes</p>}
      {[...groups].map(([group, held]) => (
        <div key={group}>
          <h3 className="mb-1 text-micro font-medium text-ink-3">{group}</h3>
          <ul className="divide-y divide-line border-y border-line">
            {held.map(({ scope, includes }) => (
              <li key={scope} className="py-1.5">
                <div className={scopeLine}>
                  {scopeTable[scope].label}
                  <Code className="leading-5 text-ink-3">{scope}</Code>
                </div>
                {includes.map((included) => (
                  <div key={included} className={cn(scopeLine, 'text-small text-ink-3')}>
                    Includes: {scopeTable[included].label}
                    <Code className="leading-5">{included}</Code>
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
