import type { Config } from '../config/load-config.ts';
import { describeMisspelled } from '../config/misspelled-settings.ts';
import type { MisspelledSetting } from '../config/misspelled-settings.ts';
import type { FirstAccount } from '../domain/people/set-up/prepare-first-account.ts';
import { setUpTokenMinutes } from '../domain/people/set-up/set-up-token.ts';

/**
 * Prints that the service is ready, and what its operator should know now. It goes to the terminal
 * only: the set-up link is a secret and must not be logged.
 *
 * @param options `isPortChosen`: whether the service chose a free port; `firstAccount`: null if this
 *   process does not serve the API
 */
export function printReady(
  { publicUrl, ownUrl, roles, port }: Config,
  {
    isPortChosen,
    misspelled,
    firstAccount,
  }: {
    isPortChosen: boolean;
    misspelled: readonly MisspelledSetting[];
    firstAccount: FirstAccount | null;
  },
): void {
  const onPort = isPortChosen ? `, port ${port}` : '';
  // PUBLIC_URL leads to the dashboard, which other processes serve.
  const { origin } = roles.has('web') ? publicUrl : ownUrl;
  const lines = [`Ready: ${origin} (${[...roles].join(', ')})${onPort}`];
  lines.push(...misspelled.map(describeMisspelled));
  if (firstAccount?.message) lines.push(firstAccount.message);
  if (firstAccount?.setUpToken) {
    lines.push(
      `Nobody can sign in yet. Open this link within ${setUpTokenMinutes} minutes to create the first account:`,
      `${publicUrl.origin}/set-up#${firstAccount.setUpToken}`,
    );
  }
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}
