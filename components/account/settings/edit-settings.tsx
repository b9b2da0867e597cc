import { useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { SuccessMessage } from '#components/shell/feedback/success-message.tsx';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { AllowInstallationSupport } from '#components/shell/installation-support/allow-installation-support.tsx';
import { useUnsavedGuard } from '#components/shell/leaving/use-leave-form.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { Switch } from '#components/ui/inputs/switch.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import type { ActionResult } from '#lib/actions/action-result.ts';
import { setInstallationSupport, updateAccount } from '#lib/actions/people/account.ts';
import type { KeysOfScopes } from '#lib/contract/people/account-usage.ts';
import type { Account } from '#lib/contract/people/accounts.ts';
import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { sessionHours } from '#lib/contract/people/session-hours.ts';
import { countOf } from '#lib/count.ts';
import { listNames } from '#lib/list-names.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { formatDay, startOfDay } from '#lib/time.ts';
import { SettingsFooter, SettingsGroup } from '../settings-group.tsx';
import {
  type AccountDraft,
  type AccountSettings,
  draftFromSettings,
  rebaseDraft,
  suggestedDay,
  toAccountInput,
  toInstallationInput,
  validateAccountDraft,
} from './account-draft.ts';
import { sessionLengths } from './session-lengths.ts';
import { describeOperator, SupportSettings } from './support-settings.tsx';

type EditSettingsProps = {
  account: Account;
  /** Undefined until it is known. */
  installationSupport: InstallationSupport | undefined;
  /** The active keys; undefined until they are known. */
  liveKeys: readonly KeysOfScopes[] | undefined;
  members: readonly Member[] | undefined;
};

export function EditSettings({
  account,
  installationSupport,
  liveKeys,
  members,
}: EditSettingsProps) {
  // The saved values, with which the form is compared.
  const current: AccountSettings = {
    account,
    installation: installationSupport?.is_allowed ? installationSupport : null,
  };
  const [saved, setSaved] = useState(current);
  const [isSaved, setIsSaved] = useState(false);
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({
    initial: draftFromSettings(current),
    validate: validateAccountDraft,
    send: save,
    onDone: () => {
      setIsSaved(true);
      // The session, which every page reads, has the name and what support can see.
      router.refresh();
    },
  });
  const { values: draft, errors } = form;
  // After a save, or when another owner changed something.
  if (account !== saved.account || current.installation !== saved.installation) {
    setSaved(current);
    form.change(rebaseDraft(draft, { before: saved, now: current }));
  }
  const isUntouched =
    Object.keys(toAccountInput(draft, saved)).length === 0 &&
    Object.keys(toInstallationInput(draft, saved)).length === 0 &&
    Object.keys(validateAccountDraft(draft)).length === 0;
  useUnsavedGuard(!isUntouched);

  /** Sends what changed. If the second call fails, the first was carried out, and is shown as saved. */
  async function save(changed: AccountDraft): Promise<ActionResult> {
    const body = toAccountInput(changed, saved);
    const installation = toInstallationInput(changed, saved);
    if (Object.keys(body).length > 0) {
      const result = await updateAccount({ body });
      if (!result.ok) return result;
      queryClient.setQueryData(routeQuery(account.id, 'getAccount').queryKey, result.data);
    }
    if (Object.keys(installation).length === 0) return { ok: true };
    const result = await setInstallationSupport({ body: installation });
    if (!result.ok) return result;
    queryClient.setQueryData(
      routeQuery(account.id, 'getInstallationSupport').queryKey,
      result.data,
    );
    return { ok: true };
  }

  function change(part: Partial<AccountDraft>) {
    form.change(part);
    setIsSaved(false);
  }

  function discard() {
    form.clearFailure();
    change(draftFromSettings(saved));
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
        description="What those who help you can see in this account: members with the Support role, and the operator of this service."
      >
        <SupportSettings
          who={saved.installation && draft.installation === null ? 'both' : 'support'}
          support={draft.support}
          liveKeys={liveKeys}
          error={errors.support}
          onChange={(support) => change({ support })}
        />
        {installationSupport && (
          <AllowInstallationSupport
            account={account}
            support={installationSupport}
            label="Allow support by the operator of this service"
            description={describeOperator(installationSupport)}
          />
        )}
        {saved.installation && (
          <Checkbox
            label="The operator can see the same as Support"
            description="Turn this off to choose it separately."
            checked={draft.installation === null}
            onChange={({ target }) =>
              change({ installation: target.checked ? null : draft.support })
            }
          />
        )}
        {saved.installation && draft.installation && (
          <SupportSettings
            who="operator"
            support={draft.installation}
            liveKeys={liveKeys}
            error={errors.installation}
            onChange={(installation) => change({ installation })}
          />
        )}
      </SettingsGroup>
      <SettingsGroup title="Sign-in" description="Applies to every member.">
        <SignInSettings draft={draft} errors={errors} members={members} onChange={change} />
      </SettingsGroup>
      <SettingsFooter>
        <ActionProblem
          keepsInput
          action={form}
          notDone="Your changes were not saved"
          unknown="We could not confirm whether your changes were saved"
          adviceIfUnknown="Saving again is safe."
        />
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

type SignInSettingsProps = {
  draft: AccountDraft;
  errors: FieldErrors<keyof AccountDraft>;
  /** Undefined until they are known. */
  members: readonly Member[] | undefined;
  onChange: (part: Partial<AccountDraft>) => void;
};

function SignInSettings({ draft, errors, members, onChange }: SignInSettingsProps) {
  const now = useNow();
  const { second_factor_required_from: from, session_hours: hours } = draft;
  const isRequired = from !== null;
  // Browsers write the day in the format of their own language.
  const day = from === null ? null : startOfDay(from);
  return (
    <>
      <Switch
        label="Require a second factor"
        description="A passkey or an authenticator app, in addition to the password."
        checked={isRequired}
        onChange={() =>
          onChange({
            second_factor_required_from: isRequired ? null : suggestedDay(now ?? new Date()),
          })
        }
      />
      <div className="grid gap-x-3 gap-y-5 sm:grid-cols-[10.5rem_10.5rem]">
        {isRequired && (
          <Field
            label="From"
            error={errors.second_factor_required_from}
            help={now === null || day === null ? undefined : formatDay(day)}
          >
            <Input
              type="date"
              name="second_factor_required_from"
              required
              // The server may be in another time zone.
              value={now === null ? '' : from}
              onChange={(event) => onChange({ second_factor_required_from: event.target.value })}
            />
          </Field>
        )}
        <Field label="Sessions end after" error={errors.session_hours}>
          <Select
            options={sessionLengths}
            value={String(hours)}
            onChange={(value) =>
              onChange({
                session_hours: sessionHours.find((one) => String(one) === value) ?? hours,
              })
            }
          />
        </Field>
      </div>
      {isRequired && members && now && <MissingFactors members={members} from={startOfDay(from)} />}
    </>
  );
}

type MissingFactorsProps = {
  members: readonly Pick<Member, 'name' | 'second_factor'>[];
  /** The day from which a second factor is required; null if it is not chosen yet. */
  from: Date | null;
};

/** Warns about members who have no second factor. Renders nothing if all have one. */
function MissingFactors({ members, from }: MissingFactorsProps) {
  const without = members.filter(({ second_factor: { app, passkeys } }) => !app && passkeys === 0);
  if (without.length === 0 || from === null) return null;
  return (
    <Note icon={<TriangleAlert className="text-warn-mark" />} className="text-small">
      {without.length} of {countOf(members.length, 'member has', 'members have')} no second factor:{' '}
      {listNames(
        without.map(({ name }) => name),
        { most: 3 },
      )}
      . From {formatDay(from)} they must set one up when they sign in.
    </Note>
  );
}
