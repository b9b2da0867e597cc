/** When a key ends, as the choices of the form. */
const ALL_CHOICES = [
  { value: 'kept', label: 'As now' },
  { value: 'never', label: 'Never' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a date' },
] as const;

type ExpiryChoice = (typeof ALL_CHOICES)[number]['value'];

export type Expiry = {
  choice: ExpiryChoice;
  /** A `datetime-local` value in the reader's zone; counts only for the choice of that name. */
  date: string;
  /** When the key ends so far, as the API wrote it; null for a new key and for one without an end. */
  kept: string | null;
};

/** The choices for this key: there is something to leave as it is only where it has an end already. */
export function expiryChoicesFor({ kept }: Expiry) {
  return ALL_CHOICES.filter(({ value }) => value !== 'kept' || kept !== null);
}

/** The moment a key ends. Null: never. Undefined: a date is wanted and none, or none to come, is given. */
export function expiresAt({ choice, date, kept }: Expiry, now: Date): Date | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date' && choice !== 'kept') return addDays(now, Number(choice));
  const chosen = new Date(choice === 'date' ? date : (kept ?? ''));
  return chosen.getTime() > now.getTime() ? chosen : undefined;
}

/** The same time of day that many days later, as the value of a `datetime-local` field. */
export function localDateInDays(now: Date, days: number): string {
  const then = addDays(now, days);
  const local = new Date(then.getTime() - then.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Whole minutes: what is shown to the minute is sent to the minute. */
function addDays(now: Date, days: number): Date {
  const then = new Date(now);
  then.setDate(then.getDate() + days);
  then.setSeconds(0, 0);
  return then;
}
