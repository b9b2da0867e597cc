import type { KeyChoice } from '#lib/contract/api-keys/incident.ts';
import { startOfDay } from '#lib/time.ts';

/** The filters of the page as the address holds them. Empty: not set. */
export type KeyChoiceView = {
  /** As the service names a creator. */
  creator: string;
  /** The first day, in the reader's time zone: "2026-11-20". */
  from: string;
  /** The last day. */
  to: string;
  address: string;
};

export const noChoice: KeyChoiceView = { creator: '', from: '', to: '', address: '' };

/** What the service is asked for, by days of this time zone. A day that does not exist counts as none. */
export function toKeyChoice({ creator, from, to, address }: KeyChoiceView): KeyChoice {
  const after = startOfDay(from);
  const before = startOfDay(to, 1);
  return {
    ...(creator !== '' && { created_by: creator }),
    ...(after !== null && { created_after: after.toISOString() }),
    ...(before !== null && { created_before: before.toISOString() }),
    ...(address.trim() !== '' && { address: address.trim() }),
  };
}

/** The view that an address holds, from what Next gives a page. */
export function keyChoiceViewOf(
  search: Readonly<Record<string, string | string[] | undefined>>,
): KeyChoiceView {
  const text = (name: keyof KeyChoiceView) => {
    const value = search[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    creator: text('creator'),
    from: text('from'),
    to: text('to'),
    address: text('address'),
  };
}
