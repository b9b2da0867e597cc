'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { SearchSelect } from '#components/ui/inputs/select/search-select.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { rotatorsQuery } from '#lib/queries/rotation-requests.ts';

type RotatorFieldProps = {
  accountId: string;
  apiKey: ApiKey;
  value: string;
  onChange: (member: string, name: string) => void;
  error: string | undefined;
};

/** The field to choose a member who may see the key's new token. */
export function RotatorField({ accountId, apiKey, value, onChange, error }: RotatorFieldProps) {
  const {
    data: rotators,
    error: failure,
    ...reading
  } = useQuery({
    ...rotatorsQuery(accountId, apiKey.uuid),
    // The members may have changed since the dialog was last open.
    staleTime: 0,
  });
  const only = rotators?.length === 1 ? rotators[0] : undefined;
  const chooseOnly = useEffectEvent(() => only && onChange(only.id, only.name));
  const onlyId = only?.id;
  useEffect(() => {
    if (onlyId !== undefined) chooseOnly();
  }, [onlyId]);
  if (failure && rotators === undefined) {
    return (
      <ReadFailure
        isLocal
        what="The members you can ask"
        noun="members"
        error={failure}
        isShown={false}
        reading={reading}
      />
    );
  }
  const options = (rotators ?? []).map(({ id, name, email, role }) => ({
    value: id,
    label: name,
    detail: `${roleTable[role].label}, ${email}`,
  }));
  return (
    <Field label="Ask" help="Members who may see this key’s new token." error={error}>
      <SearchSelect
        label="Members"
        placeholder="Find a member"
        options={options}
        isLoading={reading.isPending}
        value={value}
        onChange={(id) => onChange(id, options.find((one) => one.value === id)?.label ?? '')}
      />
    </Field>
  );
}
