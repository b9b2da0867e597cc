import {
  type GraceChoice,
  labelGrace,
} from '#components/shell/grace-period/grace-period-field.tsx';
import type { OlderToken } from '#components/shell/states/older-tokens.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { defaultGraceSeconds } from '#lib/contract/fields/grace-period.ts';
import { formatShort } from '#lib/time.ts';
import { unconfirmedToken } from '../unconfirmed-token.ts';
import type { TokenPreviews } from './use-rotation-preview.ts';

/** The choice of a grace period: a legend that forms a sentence with each choice. */
export type GraceQuestion = {
  legend: string;
  choices: readonly GraceChoice[];
};

/**
 * What the dialog that rotates a key asks about its old tokens; null if no choice would change
 * anything. If the newest token is replaced, the older ones keep their ends, unless all end now.
 */
export function askForGrace({
  lastFour,
  older,
  isReplacing,
  choices,
  choice,
  zone,
}: {
  /** Of the newest token. */
  lastFour: string;
  older: readonly OlderToken[];
  isReplacing: boolean;
  /** The grace periods that the person may give, and the present choice, in seconds. */
  choices: readonly number[];
  choice: number;
  /** By default the reader's time zone. */
  zone?: string;
}): GraceQuestion | null {
  const [only, ...more] = older;
  if (!isReplacing || only === undefined) {
    const legend = only === undefined ? 'The old token ends' : `…${lastFour} ends`;
    return { legend, choices: labelGrace(choices) };
  }
  if (!choices.includes(0)) return null;
  const kept =
    more.length === 0
      ? `On ${formatShort(new Date(only.valid_until), zone)}`
      : 'At their current end times';
  return {
    legend: more.length === 0 ? `…${only.last_four} ends` : 'The older tokens end',
    choices: [
      { seconds: 0, label: 'Now' },
      // Every other grace period has the same effect, so a choice made before stays selected.
      { seconds: choice === 0 ? defaultGraceSeconds : choice, label: kept },
    ],
  };
}

type ChosenGrace = {
  older: readonly OlderToken[];
  choice: number;
  preview: TokenPreviews | null;
};

/**
 * Whether a rotation replaces the newest token immediately because it is unconfirmed, so that the
 * grace period applies to no token. The service says so with every choice but "Now", which ends
 * all.
 */
export function replacesUnused(
  { tokens }: Pick<ApiKey, 'tokens'>,
  { older, choice, preview }: ChosenGrace,
): boolean {
  if (choice !== 0 && preview !== null) return preview[0]?.ends_now ?? false;
  return older.length > 0 && unconfirmedToken({ tokens }) !== null;
}
