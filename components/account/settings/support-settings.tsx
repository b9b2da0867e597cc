import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import { countShownToSupport } from '#lib/contract/api-keys/ceiling.ts';
import { type SupportAccess } from '#lib/contract/rights/member-rights.ts';
import { supportTokens, supportTokensTable } from '#lib/contract/api-keys/support-tokens.ts';
import { countOf } from '#lib/count.ts';
import { countKeys } from '../count-keys.ts';

type SupportSettingsProps = {
  support: SupportAccess;
  /** The active keys; undefined until they are known. */
  liveKeys: readonly KeysOfScopes[] | undefined;
  error: string | undefined;
  onChange: (support: SupportAccess) => void;
};

/** The fields for what support can see, with the number of keys that each choice covers. */
export function SupportSettings({ support, liveKeys, error, onChange }: SupportSettingsProps) {
  return (
    <>
      <RadioCards
        columns={1}
        legend="New tokens that support can see"
        name="tokens"
        cards={supportTokens.map((value) => ({
          value,
          ...supportTokensTable[value],
          ...(liveKeys && { aside: countCovered({ ...support, tokens: value }, liveKeys) }),
        }))}
        value={support.tokens}
        onChange={(tokens) => onChange({ ...support, tokens })}
        help="For any other key, support requests a rotation from a member."
        error={error}
      />
      <Checkbox
        label="Support can read messages and event payloads"
        description="When this is off, support cannot see tokens of keys that can read messages or payloads, regardless of the option above. This includes keys that manage webhooks, which can send payloads to any URL."
        checked={support.payloads}
        onChange={(event) => onChange({ ...support, payloads: event.target.checked })}
      />
      <Checkbox
        label="Support can read receivers’ error texts"
        description="What the servers behind your webhooks send back in their responses, which can contain customer data. Reading messages includes this. When both are off, support sees only the status, content type and size."
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
