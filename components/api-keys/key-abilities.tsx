import { Ban, CalendarDays, Check, Globe, Infinity as Endless } from 'lucide-react';
import type { ReactNode } from 'react';

import { ExactTime } from '#components/ui/time.tsx';
import { effectiveScopes, type Scope, scopeTable } from '#lib/contract/scopes.ts';

import { isInNetworks, readNetwork } from './network.ts';

type KeyAbilitiesProps = {
  /** Every scope, also those to come. */
  isOpenEnded: boolean;
  scopes: readonly Scope[];
  expiresAt: Date | null | undefined;
  networks: readonly string[];
  /** The address this person calls from, where it is known. */
  ownAddress: string | null;
};

/** What the form adds up to, in sentences, while it is filled in. */
export function KeyAbilities(props: KeyAbilitiesProps) {
  return (
    <aside
      aria-label="What this key can do"
      className="border-line max-[64rem]:border-t max-[64rem]:pt-5 min-[64rem]:sticky min-[64rem]:top-9 min-[64rem]:self-start min-[64rem]:border-l min-[64rem]:pl-6"
    >
      <h2 className="mb-2 font-medium">What this key can do</h2>
      <ul className="grid gap-2 text-small text-ink-2">
        {props.isOpenEnded ? (
          <Ability icon={<Check />}>Everything, also what is added later</Ability>
        ) : (
          <Scopes scopes={props.scopes} />
        )}
        <Lifetime expiresAt={props.expiresAt} />
        <Ability icon={<Globe />}>{whence(props.networks, props.ownAddress)}</Ability>
      </ul>
    </aside>
  );
}

function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  const effective = effectiveScopes(scopes);
  if (effective.length === 0) return <Ability icon={<Ban />}>Nothing yet. Tick a scope.</Ability>;
  const missing = areas.filter(({ of }) => !effective.some((scope) => of.test(scope)));
  return (
    <>
      {effective.map((scope) => (
        <Ability key={scope} icon={<Check />}>
          {scopeTable[scope].label}
        </Ability>
      ))}
      {missing.length > 0 && (
        <Ability icon={<Ban />}>
          Nothing about {listOf(missing.map(({ called }) => called))}
        </Ability>
      )}
    </>
  );
}

const areas = [
  { called: 'conversations', of: /^(conversations|messages):/ },
  { called: 'webhooks', of: /^(webhooks|events):/ },
  { called: 'keys', of: /^api-keys:/ },
  { called: 'the audit log', of: /^audit-log:/ },
];

function Lifetime({ expiresAt }: { expiresAt: Date | null | undefined }) {
  if (expiresAt === undefined) return null;
  if (expiresAt === null) return <Ability icon={<Endless />}>Without an end date</Ability>;
  return (
    <Ability icon={<CalendarDays />}>
      Until <ExactTime form="day" value={expiresAt.toISOString()} />
    </Ability>
  );
}

function whence(written: readonly string[], ownAddress: string | null): string {
  const networks = written.filter((text) => readNetwork(text).kind === 'network');
  if (networks.length === 0) return 'From any address';
  const from = `From ${networks.length} ${networks.length === 1 ? 'network' : 'networks'}.`;
  if (ownAddress === null) return from;
  const where = networks.length === 1 ? 'it' : 'them';
  const isIn = isInNetworks(ownAddress, networks);
  return `${from} Your address, ${ownAddress}, is ${isIn ? '' : 'not '}in ${where}.`;
}

function listOf(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function Ability({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[0.875rem_minmax(0,1fr)] gap-x-2.5 text-pretty">
      <span aria-hidden className="mt-[3px] text-ink-3 [&>svg]:icon-14">
        {icon}
      </span>
      <span>{children}</span>
    </li>
  );
}
