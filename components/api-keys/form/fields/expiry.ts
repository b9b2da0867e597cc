import { formatDateTimeLocal } from '#lib/time.ts';

const allChoices = [
  { value: 'kept', label: 'Keep as it is' },
  { value: 'never', label: 'Never' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a date' },
] as const;

type ExpiryChoice = (typeof allChoices)[number]['value'];

export type Expiry = {
  choice: ExpiryChoice;
  /** A `datetime-local` value in the reader's time zone. Used only if `choice` is `date`. */
  date: string;
  /** The key's current expiry from the API; null for a new key and for one that does not expire. */
  kept: string | null;
};

/** The choices for this key. "Keep as it is" is offered only if it has an expiry already. */
export function expiryChoicesFor({ kept }: Expiry) {
  return allChoices.filter(({ value }) => value !== 'kept' || kept !== null);
}

/** When the key expires. Null: never. Undefined: the date is missing, invalid, or in the past. */
export function expiresAt({ choice, date, kept }: Expiry, now: Date): Date | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date' && choice !== 'kept') return addDays(now, Number(choice));
  const chosen = new Date(choice === 'date' ? date : (kept ?? ''));
  return chosen.getTime() > now.getTime() ? chosen : undefined;
}

/** The same time of day, `days` later, as the value of a `datetime-local` field. */
export function localDateInDays(now: Date, days: number): string {
  return formatDateTimeLocal(addDays(now, days));
}

/** Rounded down to the minute, because the form shows minutes. */
function addDays(now: Date, days: number): Date {
  const then = new Date(now);
  then.setDate(then.getDate() + days);
  then.setSeconds(0, 0);
  return then;
}
