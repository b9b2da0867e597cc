import { changedFields, untouchedFields } from '#components/shell/form/changed-fields.ts';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { nameError } from '#components/shell/form/text-errors.ts';
import type { SupportAccess } from '#lib/contract/rights/member-rights.ts';
import type { Account, UpdateAccountInput } from '#lib/contract/people/accounts.ts';
import type { SessionHours } from '#lib/contract/people/session-hours.ts';
import { formatDateTimeLocal, startOfDay } from '#lib/time.ts';

/** What the form changes. */
export type AccountSettings = {
  account: Account;
  /** What installation support can see; null if it cannot open the account, or is not known. */
  installation: SupportAccess | null;
};

/** The values of the form. Each is named as its field in the API. */
export type AccountDraft = {
  name: string;
  support: SupportAccess;
  /** Null: the same as `support`. */
  installation: SupportAccess | null;
  /** The value of a `date` field, in the reader's time zone; null: not required. */
  second_factor_required_from: string | null;
  session_hours: SessionHours;
};

export function draftFromSettings({ account, installation }: AccountSettings): AccountDraft {
  const { name, support, session_hours: hours, second_factor_required_from: from } = account;
  const differs = installation !== null && !isSameAccess(support, accessOf(installation));
  return {
    name,
    support,
    installation: differs ? accessOf(installation) : null,
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
  { before, now }: { before: AccountSettings; now: AccountSettings },
): AccountDraft {
  const [began, current] = [draftFromSettings(before), draftFromSettings(now)];
  const rebaseAccess = (access: SupportAccess, from: SupportAccess, to: SupportAccess) => ({
    ...access,
    ...untouchedFields(access, { before: from, now: to }),
  });
  return {
    ...draft,
    ...untouchedFields(draft, { before: began, now: current }),
    support: rebaseAccess(draft.support, began.support, current.support),
    installation: isSameAccess(draft.installation, began.installation)
      ? current.installation
      : draft.installation && began.installation && current.installation
        ? rebaseAccess(draft.installation, began.installation, current.installation)
        : draft.installation,
  };
}

/** The changed fields alone, so that two owners can change different settings together. */
export function toAccountInput(draft: AccountDraft, saved: AccountSettings): UpdateAccountInput {
  const before = draftFromSettings(saved);
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

/** The same of what installation support can see. */
export function toInstallationInput(
  draft: AccountDraft,
  { installation }: AccountSettings,
): Partial<SupportAccess> {
  if (installation === null) return {};
  return changedFields(draft.installation ?? draft.support, accessOf(installation));
}

function isSameAccess(one: SupportAccess | null, other: SupportAccess | null): boolean {
  if (one === null || other === null) return one === other;
  return Object.keys(changedFields(one, other)).length === 0;
}

function accessOf({ tokens, payloads, error_texts }: SupportAccess): SupportAccess {
  return { tokens, payloads, error_texts };
}

function localDay(date: Date): string {
  return formatDateTimeLocal(date).slice(0, 10);
}
