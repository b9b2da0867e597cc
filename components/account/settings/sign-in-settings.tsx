'use client';

import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { Switch } from '#components/ui/inputs/switch.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { sessionHours } from '#lib/contract/people/session-hours.ts';
import { startOfDay } from '#lib/time.ts';

import { type AccountDraft, suggestedDay } from './account-draft.ts';
import { MissingFactors } from './missing-factors.tsx';
import { sessionLengths } from './session-lengths.ts';

type SignInSettingsProps = {
  draft: AccountDraft;
  errors: FieldErrors<keyof AccountDraft>;
  /** Undefined until they are known. */
  members: readonly Member[] | undefined;
  onChange: (part: Partial<AccountDraft>) => void;
};

/** The fields for how members sign in. */
export function SignInSettings({ draft, errors, members, onChange }: SignInSettingsProps) {
  const now = useNow();
  const { second_factor_required_from: from, session_hours: hours } = draft;
  const isRequired = from !== null;
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
          <Field label="From" error={errors.second_factor_required_from}>
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
