/** What a regeneration does to the secrets that stand before it. */
export type RegenerationPlan = {
  /** Whether anyone was ever shown a secret that signed until now. */
  wasShown: boolean;
  /** Secrets to remove for good: ended ones, or all when the grace is 0. */
  removed: string[];
  /** Until when the secret being replaced signs; null if it is removed or there is none. */
  newestSignsUntil: Date | null;
  /** Until when any older secret signs. */
  oldSignsUntil: Date | null;
};

type Secret = { uuid: string; validUntil: Date | null; revealedTo: object | null };

/** Secrets that sign beside the new one at most; each adds a signature to every delivery. */
const mostPrevious = 3;

/**
 * Decides which secrets sign on when a new one is generated.
 *
 * The replaced secret signs for the grace period. Those already in a grace keep their deadline, so
 * that generating again after a lost answer does not end the one the receiver still checks with.
 *
 * @param secrets newest first, ended ones included
 */
export function planRegeneration(
  secrets: readonly Secret[],
  { now, graceSeconds }: { now: Date; graceSeconds: number },
): RegenerationPlan {
  const signing = secrets.filter(({ validUntil }) => validUntil === null || validUntil > now);
  const wasShown = signing.some(({ revealedTo }) => revealedTo !== null);
  if (graceSeconds === 0 || signing.length === 0) {
    return {
      wasShown,
      removed: secrets.map(({ uuid }) => uuid),
      newestSignsUntil: null,
      oldSignsUntil: null,
    };
  }
  const kept = signing.slice(0, mostPrevious);
  const newestSignsUntil = new Date(now.getTime() + graceSeconds * 1000);
  const ends = kept.map(({ validUntil }) => validUntil ?? newestSignsUntil);
  return {
    wasShown,
    removed: secrets.filter((secret) => !kept.includes(secret)).map(({ uuid }) => uuid),
    newestSignsUntil,
    oldSignsUntil: ends.reduce((latest, end) => (end > latest ? end : latest)),
  };
}
