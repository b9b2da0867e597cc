'use client';

import { useId } from 'react';

import { FieldGroup } from '#components/ui/inputs/form/field-group.tsx';
import { Radio } from '#components/ui/inputs/radio.tsx';
import {
  type SupportTokens,
  supportTokens,
  supportTokensTable,
} from '#lib/contract/api-keys/support-tokens.ts';

type SupportLimitProps = {
  accountName: string;
  /** Who has the role Support already: "Ida and Tom"; null: nobody. */
  supportMembers: string | null;
  value: SupportTokens;
  /** For owners. Without it, the limit is only shown. */
  onChange: ((tokens: SupportTokens) => void) | null;
};

/**
 * The strongest key whose new token support can see in the account, within the card of that role.
 */
export function SupportLimit({ accountName, supportMembers, value, onChange }: SupportLimitProps) {
  const id = useId();
  const everybody = `everybody with the role Support in ${accountName}${
    supportMembers === null ? '' : `, also to ${supportMembers}`
  }`;
  if (onChange === null) {
    const { label, description } = supportTokensTable[value];
    return (
      <div className="grid gap-1 border-t border-accent-solid/30 pt-3 text-small text-pretty">
        <p className="font-medium">{legend}</p>
        <p>
          {label}
          <span className="block text-ink-2">{description}</span>
        </p>
        <p className="text-ink-2">
          This applies to {everybody}. Only an owner can change it. For any other key, support
          requests a rotation.
        </p>
      </div>
    );
  }
  return (
    <div className="border-t border-accent-solid/30 pt-3">
      <FieldGroup
        role="radiogroup"
        legend={legend}
        help={
          <span className="text-ink-2">
            For any other key, support requests a rotation. This applies to {everybody}.
          </span>
        }
        noteId={`${id}-note`}
      >
        <div className="grid gap-2">
          {supportTokens.map((tokens) => (
            <label
              key={tokens}
              className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 text-small"
            >
              <Radio
                name="tokens"
                value={tokens}
                checked={value === tokens}
                onChange={() => onChange(tokens)}
                aria-labelledby={`${id}-${tokens}`}
                aria-describedby={`${id}-${tokens}-about`}
                className="tick-box"
              />
              <span id={`${id}-${tokens}`}>{supportTokensTable[tokens].label}</span>
              <span
                id={`${id}-${tokens}-about`}
                className="col-start-2 text-micro text-pretty text-ink-2"
              >
                {supportTokensTable[tokens].description}
              </span>
            </label>
          ))}
        </div>
      </FieldGroup>
    </div>
  );
}

const legend = 'New tokens that support can see';
