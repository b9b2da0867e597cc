import { changedFields, untouchedFields } from '#components/shell/form/changed-fields.ts';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { nameError } from '#components/shell/form/text-errors.ts';
import type { SupportAccess } from '#lib/contract/rights/member-rights.ts';
import type { Account, UpdateAccountInput } from '#lib/contract/people/accounts.ts';
import type { SessionHours } from '#lib/contract/people/session-hours.ts';
import { formatDateTimeLocal, startOfDay } from '#lib/time.ts';

/** The values of the form. Each is named as its field in the API. */
export type AccountDraft = {
  name: string;
  support: SupportAccess;
  /** The value of a `date` field, in the reader's time zone; null: not required. */
  second_factor_required_from: string | null;
  session_hours: SessionHours;
};

export function draftFromAccount(account: Account): AccountDraft {
  const { name, support, session_hours: hours, second_factor_required_from: from } = account;
  return {
    name,
    support,
    second_factor_required_from: from === null ? null : localDay(new Date(from)),
    session_hours: hours,
  };
}

/** Two weeks from now, so that members have time to set up a second factor. */
export function suggestedDay(now: Date): string {
  const day = new Date(now);
  day.setDate(day.getDate() + 14);
  return localDay(day);
}

export function validateAccountDraft(draft: AccountDraft): FieldErrors<keyof AccountDraft> {
  const { second_factor_required_from: from } = draft;
  const name = nameError(draft.name, 'Enter a name of 1 to 100 characters.');
  return {
    ...(name !== null && { name }),
    ...(from !== null &&
      startOfDay(from) === null && { second_factor_required_from: 'Choose a day.' }),
  };
}

/** The form after the settings changed: the current ones, except for what the person changed. */
export function rebaseDraft(
  draft: AccountDraft,
  { before, now }: { before: Account; now: Account },
): AccountDraft {
  const [began, current] = [draftFromAccount(before), draftFromAccount(now)];
  return {
    ...draft,
    ...untouchedFields(draft, { before: began, now: current }),
    support: {
      ...draft.support,
      ...untouchedFields(draft.support, { before: began.support, now: current.support }),
    },
  };
}

/** The changed fields alone, so that two owners can change different settings together. */
export function toAccountInput(draft: AccountDraft, account: Account): UpdateAccountInput {
  const before = draftFromAccount(account);
  const { session_hours: hours, second_factor_required_from: from } = draft;
  // As the service stores it: some keyboards write NFD.
  const name = draft.name.normalize('NFC').trim();
  const support = changedFields(draft.support, before.support);
  return {
    ...(name !== before.name && { name }),
    ...(Object.keys(support).length > 0 && { support }),
    ...(from !== before.second_factor_required_from && {
      second_factor_required_from: from === null ? null : (startOfDay(from)?.toISOString() ?? from),
    }),
    ...(hours !== before.session_hours && { session_hours: hours }),
  };
}

function localDay(date: Date): string {
  return formatDateTimeLocal(date).slice(0, 10);
}
