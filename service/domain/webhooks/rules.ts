import { deactivatedAfterMs, warnedAfterMs } from '#lib/contract/webhooks/failing.ts';

/** What a possible regeneration does to the existing secrets. */
type DecidedRegeneration = {
  kind: 'regenerate';
  /** Whether anyone was ever shown a secret that signed until now. */
  wasShown: boolean;
  /** Secrets to remove: ended ones, those dropped for room, or all without a grace period. */
  removed: string[];
  /** Until when the replaced secret signs; null if it is removed. */
  newestSignsUntil: Date | null;
  ends: SecretEnds;
};

/** Until when secrets that are not the newest sign; null if none does. */
export type SecretEnds = {
  /** The end of the latest of them, which the receiver probably verifies with. */
  previous: Date | null;
  /** The last end of all of them, which is later if an earlier one was given more time. */
  last: Date | null;
};

type RegenerationPlan =
  | DecidedRegeneration
  /** Too many secrets would sign afterwards; the first of the older ones ends at `firstEnd`. */
  | { kind: 'too_many'; firstEnd: Date };

type Secret = { uuid: string; validUntil: Date | null; shownTo: object | null };

/** How many secrets of a webhook can sign at a time; each adds a signature to every delivery. */
export const maxSigning = 4;

/**
 * Decides which secrets continue to sign when a new one is generated.
 *
 * The replaced secret signs for the grace period. Secrets that are already in a grace period keep
 * their deadline, so that regenerating again after a lost response does not end the secret that the
 * receiver still verifies with. If too many secrets would sign, those that nobody was shown make
 * room, because no receiver has them. A secret that someone was shown never ends before its
 * deadline, unless the grace period is 0.
 *
 * @param secrets newest first, including those that have ended
 */
export function planRegeneration(
  secrets: readonly Secret[],
  { now, graceSeconds }: { now: Date; graceSeconds: number },
): RegenerationPlan {
  const signing = secrets.filter(({ validUntil }) => validUntil === null || validUntil > now);
  const wasShown = signing.some(({ shownTo }) => shownTo !== null);
  if (graceSeconds === 0) {
    return {
      kind: 'regenerate',
      wasShown,
      removed: secrets.map(({ uuid }) => uuid),
      newestSignsUntil: null,
      ends: endsOf([]),
    };
  }
  const newestSignsUntil = new Date(now.getTime() + graceSeconds * 1000);
  const kept =
    signing.length < maxSigning ? signing : signing.filter(({ shownTo }) => shownTo !== null);
  const deadlines = kept.flatMap(({ validUntil }) => validUntil?.getTime() ?? []);
  if (kept.length >= maxSigning) {
    return { kind: 'too_many', firstEnd: new Date(Math.min(...deadlines)) };
  }
  return {
    kind: 'regenerate',
    wasShown,
    removed: secrets.filter((secret) => !kept.includes(secret)).map(({ uuid }) => uuid),
    newestSignsUntil,
    ends: endsOf(kept.map(({ validUntil }) => validUntil ?? newestSignsUntil)),
  };
}

/** @param ends of the secrets that still sign and are not the newest, latest secret first */
export function endsOf(ends: readonly Date[]): SecretEnds {
  const [previous = null] = ends;
  const last = previous && new Date(Math.max(...ends.map((end) => end.getTime())));
  return { previous, last };
}

/** A webhook with fewer failed attempts is not deactivated, however long it has been failing. */
const minFailures = 10;

/** `gone`: the receiver responded with 410. `failing`: every attempt failed for five days. */
export type DeactivationReason = 'gone' | 'failing';

type Failing = { failureCount: number; failingSince: Date | null };

/** Whether a webhook with a failed attempt has failed for too long. */
export function isDueForDeactivation({ failureCount, failingSince }: Failing, now: Date): boolean {
  return (
    failingSince !== null &&
    failureCount >= minFailures &&
    now.getTime() - failingSince.getTime() >= deactivatedAfterMs
  );
}

/** The last one first: webhooks failing since `failingBy` should have had `warningCount`. */
export function dueWarnings(now: Date): { warningCount: number; failingBy: Date }[] {
  return warnedAfterMs
    .map((ms, index) => ({ warningCount: index + 1, failingBy: new Date(now.getTime() - ms) }))
    .toReversed();
}

/** When a webhook that has been failing since this time is deactivated, if it keeps failing. */
export function deactivationDate(failingSince: Date): Date {
  return new Date(failingSince.getTime() + deactivatedAfterMs);
}
