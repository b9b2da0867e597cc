import { Fragment } from 'react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import type { TokenShownToOthers } from '#lib/contract/api-keys/shown-tokens.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { listNames } from '#lib/list-names.ts';

import { MaskedToken } from '../masked-token.tsx';

type WideningWarningProps = {
  /** At least one. */
  tokens: readonly TokenShownToOthers[];
  rotates: boolean;
  onChange: (rotates: boolean) => void;
};

/**
 * Says that people who may not change the key were shown a token of it, so that they can use what
 * the changes add. Offers to rotate the key after saving.
 */
export function WideningWarning({ tokens, rotates, onChange }: WideningWarningProps) {
  const people = listNames([...new Set(tokens.map(({ person }) => describePerson(person)))], {
    most: 3,
  });
  const isOne = tokens.length === 1;
  return (
    <div className="grid gap-3">
      <Banner
        tone="warn"
        title={`${isOne ? 'A token of this key was' : 'Tokens of this key were'} shown to ${people}`}
      >
        {tokens.map(({ last_four: lastFour }, index) => (
          <Fragment key={lastFour + index}>
            <MaskedToken lastFour={lastFour} form="short" />{' '}
          </Fragment>
        ))}
        {isOne ? 'stays' : 'stay'} valid, and can do more once you save these changes. Rotate the
        key to end {isOne ? 'it' : 'them'}.
      </Banner>
      <Checkbox
        label="Rotate the key after saving"
        description="You then choose when the old token ends. It can do more until then."
        checked={rotates}
        onChange={({ target }) => onChange(target.checked)}
      />
    </div>
  );
}

function describePerson({ name, role }: TokenShownToOthers['person']): string {
  return `${name} (${role === null ? 'not a member' : roleTable[role].label.toLowerCase()})`;
}
