'use client';

import { useQuery } from '@tanstack/react-query';

import type { FormFields } from '#components/shell/form/use-form.ts';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

import { formatResponsible } from '../format-responsible.ts';
import type { ApiKeyDraft } from './api-key-draft.ts';

type ResponsibleFieldProps = {
  form: FormFields<ApiKeyDraft>;
  accountId: string;
  /** Who is responsible for the key that is edited. */
  current: ApiKey['responsible'];
};

/** Whom to ask about the key: a member of the account. */
export function ResponsibleField({ form, accountId, current }: ResponsibleFieldProps) {
  const { values: draft, change, errors } = form;
  const { data: members = [] } = useQuery(routeQuery(accountId, 'listMembers'));
  const isListed = current === null || members.some(({ id }) => id === current.id);
  return (
    <Field
      label="Responsible person"
      optional
      help="The person to contact before this key is rotated or revoked. This gives them no access."
      error={errors.responsible_id}
    >
      <Select
        name="responsible_id"
        className="max-w-90"
        options={[
          { value: '', label: 'Nobody' },
          ...(isListed ? [] : [{ value: current.id, label: formatResponsible(current) }]),
          ...members.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
        ]}
        value={draft.responsible_id}
        onChange={(id) => change({ responsible_id: id })}
      />
    </Field>
  );
}
