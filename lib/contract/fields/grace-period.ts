import { daySeconds, hourSeconds } from '#lib/durations.ts';

/** The longest grace period of a replaced token or secret. */
export const maxGraceSeconds = 7 * daySeconds;

/** The grace period if the request has none and, for a token, the operator chose no other. */
export const defaultGraceSeconds = daySeconds;

/** The shortest one for people who may not end tokens: users of the old one need time. */
export const minKeptSeconds = hourSeconds;

/** Whether a rotation with this grace period is open to the person. */
export function mayGiveGrace(
  seconds: number,
  { mayEndTokens }: { mayEndTokens: boolean },
): boolean {
  return mayEndTokens || seconds >= minKeptSeconds;
}

/**
 * The grace periods that the dashboard offers to a person, shortest first, and the one selected
 * at first: `preferred` if they may give it, else the shortest that they may.
 */
export function offerGrace({
  preferred,
  mayEndTokens,
}: {
  preferred: number;
  mayEndTokens: boolean;
}): { choices: number[]; selected: number } {
  const all = [0, hourSeconds, daySeconds, maxGraceSeconds, preferred];
  const choices = [...new Set(all)]
    .filter((seconds) => mayGiveGrace(seconds, { mayEndTokens }))
    .toSorted((a, b) => a - b);
  return { choices, selected: mayEndTokens ? preferred : Math.max(preferred, minKeptSeconds) };
}
