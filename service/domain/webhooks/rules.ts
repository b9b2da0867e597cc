/** What a regeneration that can be carried out does to the secrets that stand before it. */
export type DecidedRegeneration = {
  kind: 'regenerate';
  /** Whether anyone was ever shown a secret that signed until now. */
  wasShown: boolean;
  /** Secrets to remove for good: ended ones, those dropped to make room, or all when the grace is 0. */
  removed: string[];
  /** Until when the secret being replaced signs; null if it is removed or there is none. */
  newestSignsUntil: Date | null;
  /** Until when any older secret signs. */
  oldSignsUntil: Date | null;
};

export type RegenerationPlan =
  | DecidedRegeneration
  /** Too many secrets would sign afterwards; the first of the older ones ends at `firstEnd`. */
  | { kind: 'too_many'; firstEnd: Date };

type Secret = { uuid: string; validUntil: Date | null; revealedTo: object | null };

/** How many secrets of a webhook can sign at a time; each adds a signature to every delivery. */
export const maxSigning = 4;

/**
 * Decides which secrets sign on when a new one is generated.
 *
 * The replaced secret signs for the grace period. Those already in a grace keep their deadline, so
 * that generating again after a lost answer does not end the one the receiver still checks with.
 * Where too many would sign, those that nobody was shown make room, since no receiver has them; what
 * somebody was shown never ends before its deadline, unless the grace is 0.
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
      kind: 'regenerate',
      wasShown,
      removed: secrets.map(({ uuid }) => uuid),
      newestSignsUntil: null,
      oldSignsUntil: null,
    };
  }
  const kept =
    signing.length < maxSigning ? signing : signing.filter(({ revealedTo }) => revealedTo !== null);
  const deadlines = kept.flatMap(({ validUntil }) => validUntil?.getTime() ?? []);
  if (kept.length >= maxSigning) {
    return { kind: 'too_many', firstEnd: new Date(Math.min(...deadlines)) };
  }
  const newestSignsUntil = new Date(now.getTime() + graceSeconds * 1000);
  return {
    kind: 'regenerate',
    wasShown,
    removed: secrets.filter((secret) => !kept.includes(secret)).map(({ uuid }) => uuid),
    newestSignsUntil,
    oldSignsUntil: new Date(Math.max(newestSignsUntil.getTime(), ...deadlines)),
  };
}
