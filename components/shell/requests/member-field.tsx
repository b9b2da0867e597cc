'use client';

import { type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

import { Field } from '#components/ui/inputs/form/field.tsx';
import { SearchSelect } from '#components/ui/inputs/select/search-select.tsx';
import type { Rotator } from '#lib/contract/api-keys/rotation-requests.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';

import { ReadFailure } from '../page/read-failure.tsx';

type MemberFieldProps = {
  /** The read of the members who can be asked. */
  read: UseQueryResult<Rotator[]>;
  help: string;
  value: string;
  onChange: (member: string, name: string) => void;
  error: string | undefined;
};

/** The field to choose the member who is asked. */
export function MemberField({ read, help, value, onChange, error }: MemberFieldProps) {
  const { data: members, error: failure, ...reading } = read;
  const only = members?.length === 1 ? members[0] : undefined;
  const chooseOnly = useEffectEvent(() => only && onChange(only.id, only.name));
  const onlyId = only?.id;
  useEffect(() => {
    if (onlyId !== undefined) chooseOnly();
  }, [onlyId]);
  if (failure && members === undefined) {
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
  const options = (members ?? []).map(({ id, name, email, role }) => ({
    value: id,
    label: name,
    detail: `${roleTable[role].label}, ${email}`,
  }));
  return (
    <Field label="Ask" help={help} error={error}>
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
