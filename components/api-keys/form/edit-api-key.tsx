'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { EditForm } from '#components/shell/form/edit-form.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { useLeaveForm } from '#components/shell/leaving/use-leave-form.ts';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { updateApiKey } from '#lib/actions/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { TokenShownToOthers } from '#lib/contract/api-keys/shown-tokens.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { listNames } from '#lib/list-names.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { queriesAbout } from '#lib/queries/stale-reads.ts';
import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';
import {
  countInvalidNetworks,
  draftFromApiKey,
  toUpdateInput,
  validateDraft,
} from './api-key-draft.ts';
import { ApiKeyFields } from './api-key-fields.tsx';
import { expiresAt } from './fields/expiry.ts';
import { KeyAccessSummary } from './key-access-summary.tsx';
import { KeyChanges } from './key-changes.tsx';
import { widensKey } from './widens-key.ts';

type EditApiKeyProps = {
  apiKey: ApiKey;
  accountId: string;
  /** The valid tokens that were shown to people who may not change the key. */
  shownToOthers: readonly TokenShownToOthers[];
  ownAddress: string | null;
  renderedAt: string;
};

/** The form to edit a key. It sends only what changed, so that two people can edit it together. */
export function EditApiKey({
  apiKey,
  accountId,
  shownToOthers,
  ownAddress,
  renderedAt,
}: EditApiKeyProps) {
  const now = useNow() ?? new Date(renderedAt);
  const queryClient = useQueryClient();
  const toast = useToast();
  const leaveForm = useLeaveForm();
  const [rotates, setRotates] = useState(true);
  const params = { apiKey: apiKey.uuid };
  const form = useForm({
    initial: draftFromApiKey(apiKey),
    validate: (draft) => validateDraft(draft, new Date()),
    countOwnErrors: countInvalidNetworks,
    send: (draft) => updateApiKey({ params, body: toUpdateInput(draft, apiKey, now) }),
    onDone: async ({ data: saved }) => {
      void queryClient.invalidateQueries(queriesAbout('apiKeys', accountId));
      queryClient.setQueryData(routeQuery(accountId, 'getApiKey', { params }).queryKey, saved);
      toast(`${saved.name} saved`);
      await leaveForm(apiKeyPath(apiKey) + (warns && rotates ? '?act=rotate' : ''));
    },
  });
  const draft = form.values;
  const changes = toUpdateInput(draft, apiKey, now);
  const warns = shownToOthers.length > 0 && widensKey(changes, apiKey);

  return (
    <EditForm
      form={form}
      noun="key"
      href={apiKeyPath(apiKey)}
      // An incomplete date counts as a change, so that submitting shows what is wrong with it.
      isUntouched={
        Object.keys(changes).length === 0 && expiresAt(draft.expires_at, now) !== undefined
      }
      summary={<KeyAccessSummary draft={draft} now={now} ownAddress={ownAddress} />}
    >
      <ApiKeyFields
        form={form}
        now={now}
        isNew={false}
        accountId={accountId}
        responsible={apiKey.responsible}
      />
      <KeyChanges apiKey={apiKey} changes={changes} accountId={accountId} />
      {warns && <WideningWarning tokens={shownToOthers} rotates={rotates} onChange={setRotates} />}
    </EditForm>
  );
}

type WideningWarningProps = {
  /** At least one. */
  tokens: readonly TokenShownToOthers[];
  rotates: boolean;
  onChange: (rotates: boolean) => void;
};

/** Warns that people who may not change the key know a token of it, and offers to rotate it. */
function WideningWarning({ tokens, rotates, onChange }: WideningWarningProps) {
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
