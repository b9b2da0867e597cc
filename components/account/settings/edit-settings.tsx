'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';

import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { SuccessMessage } from '#components/shell/feedback/success-message.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { useUnsavedGuard } from '#components/shell/leaving/use-unsaved-guard.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import { updateAccount } from '#lib/actions/people/account.ts';
import type { Account } from '#lib/contract/people/accounts.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

import { SettingsFooter, SettingsGroup } from '../settings-group.tsx';
import {
  type AccountDraft,
  draftFromAccount,
  rebaseDraft,
  toAccountInput,
  validateAccountDraft,
} from './account-draft.ts';
import { SignInSettings } from './sign-in-settings.tsx';
import { SupportSettings } from './support-settings.tsx';

type EditSettingsProps = {
  account: Account;
  /** The active keys; undefined until they are known. */
  liveKeys: readonly KeysOfScopes[] | undefined;
  members: readonly Member[] | undefined;
};

/** The form in which an owner changes the settings of the account. */
export function EditSettings({ account, liveKeys, members }: EditSettingsProps) {
  // The saved values, with which the form is compared.
  const [saved, setSaved] = useState(account);
  const [isSaved, setIsSaved] = useState(false);
  const runAction = useRunAction();
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({
    initial: draftFromAccount(account),
    validate: validateAccountDraft,
    send: (draft) => runAction(() => updateAccount({ body: toAccountInput(draft, saved) })),
    onDone: ({ data: changed }) => {
      setIsSaved(true);
      queryClient.setQueryData(routeQuery(account.id, 'getAccount').queryKey, changed);
      // The session, which every page reads, has the name and what support can see.
      router.refresh();
    },
  });
  const { values: draft, errors } = form;
  // After a save, or when another owner changed something.
  if (account !== saved) {
    setSaved(account);
    form.change(rebaseDraft(draft, { before: saved, now: account }));
  }
  const isUntouched =
    Object.keys(toAccountInput(draft, saved)).length === 0 &&
    Object.keys(validateAccountDraft(draft)).length === 0;
  useUnsavedGuard(!isUntouched);

  function change(part: Partial<AccountDraft>) {
    form.change(part);
    setIsSaved(false);
  }

  function discard() {
    form.clearFailure();
    change(draftFromAccount(saved));
  }

  return (
    <Form {...form.attributes}>
      <SettingsGroup title="Name" description="Shown to members, and in emails.">
        <Field
          label={<span className="sr-only">Name of the account</span>}
          error={errors.name}
          className="sm:max-w-80"
        >
          <Input
            name="name"
            required
            autoComplete="off"
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
      </SettingsGroup>
      <SettingsGroup
        id="support-access"
        title="Support access"
        description="What people with the Support role can see in this account."
      >
        <SupportSettings
          support={draft.support}
          liveKeys={liveKeys}
          error={errors.support}
          onChange={(support) => change({ support })}
        />
      </SettingsGroup>
      <SettingsGroup title="Sign-in" description="Applies to every member.">
        <SignInSettings draft={draft} errors={errors} members={members} onChange={change} />
      </SettingsGroup>
      <SettingsFooter>
        <RateLimitNotice keepsInput deadline={form.deadline} />
        {form.failure && (
          <ActionFailurePanel
            failure={form.failure}
            notDone="Your changes were not saved"
            unknown="We could not confirm whether your changes were saved"
            adviceIfUnknown="Saving again is safe."
          />
        )}
        <div className="flex flex-wrap items-center gap-2 max-sm:*:flex-1">
          <ActionButton
            type="submit"
            variant="primary"
            action={form}
            disabledReason={isUntouched ? 'There are no changes to save.' : undefined}
          >
            Save changes
          </ActionButton>
          <Button
            variant="ghost"
            disabledReason={isUntouched ? 'There are no changes to save.' : undefined}
            onClick={discard}
          >
            Discard
          </Button>
        </div>
        <SuccessMessage>
          {isSaved && isUntouched ? 'Saved. The changes apply immediately.' : null}
        </SuccessMessage>
      </SettingsFooter>
    </Form>
  );
}
