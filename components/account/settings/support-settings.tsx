import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import { countShownToSupport } from '#lib/contract/api-keys/ceiling.ts';
import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import { type SupportAccess } from '#lib/contract/rights/member-rights.ts';
import { supportTokens, supportTokensTable } from '#lib/contract/api-keys/support-tokens.ts';
import { countOf } from '#lib/count.ts';
import { countKeys } from '../count-keys.ts';

type SupportSettingsProps = {
  who: keyof typeof people;
  support: SupportAccess;
  /** The active keys; undefined until they are known. */
  liveKeys: readonly KeysOfScopes[] | undefined;
  error: string | undefined;
  onChange: (support: SupportAccess) => void;
};

/** Whom the fields are about: members with the role, installation support, or both alike. */
const people = {
  support: 'support',
  operator: 'the operator',
  both: 'support and the operator',
} as const;

/** The fields for what support can see, with the number of keys that each choice covers. */
export function SupportSettings({ who, support, liveKeys, error, onChange }: SupportSettingsProps) {
  const name = people[who];
  const begun = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return (
    <>
      <RadioCards
        columns={1}
        legend={`New tokens that ${name} can see`}
        name={`tokens-${who}`}
        cards={supportTokens.map((value) => ({
          value,
          ...supportTokensTable[value],
          ...(liveKeys && {
            aside: countCovered({ ...support, tokens: value }, liveKeys),
            description: (
              <>
                {supportTokensTable[value].description}{' '}
                <span className="block text-ink-3">
                  {whyNoMore({ ...support, tokens: value }, liveKeys)}
                </span>
              </>
            ),
          }),
        }))}
        value={support.tokens}
        onChange={(tokens) => onChange({ ...support, tokens })}
        help="For any other key, they request a rotation from a member."
        error={error}
      />
      <Checkbox
        label={`${begun} can read messages and event payloads`}
        description="When this is off, they cannot see tokens of keys that can read messages or payloads, regardless of the option above. This includes keys that manage webhooks, which can send payloads to any URL."
        checked={support.payloads}
        onChange={(event) => onChange({ ...support, payloads: event.target.checked })}
      />
      <Checkbox
        label={`${begun} can read receivers’ error texts`}
        description="What the servers behind your webhooks send back in their responses, which can contain customer data. Reading messages includes this. When both are off, they see only the status, content type and size."
        checked={support.error_texts}
        onChange={(event) => onChange({ ...support, error_texts: event.target.checked })}
      />
    </>
  );
}

/** "2 of 6 active keys" */
export function countCovered(support: SupportAccess, liveKeys: readonly KeysOfScopes[]): string {
  const all = countOf(countKeys(liveKeys), 'active key');
  return `${countShownToSupport(support, liveKeys)} of ${all}`;
}

/** Why a choice covers no more keys: "1 more if they can read messages. 2 manage keys." */
export function whyNoMore(support: SupportAccess, liveKeys: readonly KeysOfScopes[]): string {
  const countWith = (change: Partial<SupportAccess>) =>
    countShownToSupport({ ...support, ...change }, liveKeys);
  const more = countWith({ payloads: true }) - countWith({});
  const never = countKeys(liveKeys) - countWith({ tokens: 'all_but_management', payloads: true });
  return [
    more > 0 && `${more} more if they can read messages.`,
    never > 0 && `${never} ${never === 1 ? 'manages' : 'manage'} keys.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Who can open the account as installation support. */
export function describeOperator({ people: staff }: InstallationSupport): string {
  if (staff.length === 0) return 'No one supports every account yet.';
  const who = countOf(
    staff.length,
    'person who supports every account',
    'people who support every account',
  );
  return `${who} can open this one, with a reason.`;
}
