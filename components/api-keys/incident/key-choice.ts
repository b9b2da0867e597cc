import type { KeyChoice } from '#lib/contract/api-keys/incident.ts';

/** The filters of the page as the address holds them. Empty: not set. */
export type KeyChoiceView = {
  /** As the service names a creator. */
  creator: string;
  /** The first day, in UTC: "2026-11-20". */
  from: string;
  /** The last day, in UTC. */
  to: string;
  address: string;
};

export const noChoice: KeyChoiceView = { creator: '', from: '', to: '', address: '' };

/** What the service is asked for. A day that does not exist counts as none. */
export function toKeyChoice({ creator, from, to, address }: KeyChoiceView): KeyChoice {
  const after = startOfDay(from);
  const before = startOfDay(to, 1);
  return {
    ...(creator !== '' && { created_by: creator }),
    ...(after !== null && { created_after: after }),
    ...(before !== null && { created_before: before }),
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

function startOfDay(day: string, daysLater = 0): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const time = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) return null;
  return new Date(time + daysLater * 86_400_000).toISOString();
}
