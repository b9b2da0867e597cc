import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import {
  type SupportAccess,
  countShownToSupport,
  supportTokens,
  supportTokensTable,
} from '#lib/contract/api-keys/ceiling.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

type SupportSettingsProps = {
  support: SupportAccess;
  /** Those that work; undefined while they are not known. */
  apiKeys: readonly ApiKey[] | undefined;
  error: string | undefined;
  onChange: (support: SupportAccess) => void;
};

/** The fields for what support can see, and of how many keys that is. */
export function SupportSettings({ support, apiKeys, error, onChange }: SupportSettingsProps) {
  return (
    <>
      <RadioCards
        columns={1}
        legend="New tokens that support can see"
        name="tokens"
        cards={supportTokens.map((value) => ({
          value,
          ...supportTokensTable[value],
          ...(apiKeys && { aside: countCovered({ ...support, tokens: value }, apiKeys) }),
        }))}
        value={support.tokens}
        onChange={(tokens) => onChange({ ...support, tokens })}
        help="For any other key, support requests a rotation from a member."
        error={error}
      />
      <Checkbox
        label="Support can read messages and event payloads"
        description="If this is off, support cannot see tokens of keys that can read them, whichever option is selected above."
        checked={support.payloads}
        onChange={(event) => onChange({ ...support, payloads: event.target.checked })}
      />
    </>
  );
}

/** "2 of 6 active keys" */
export function countCovered(support: SupportAccess, apiKeys: readonly ApiKey[]): string {
  const keys = apiKeys.length === 1 ? 'key' : 'keys';
  return `${countShownToSupport(support, apiKeys)} of ${apiKeys.length} active ${keys}`;
}
