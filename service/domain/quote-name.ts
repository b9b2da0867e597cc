/**
 * A name that somebody gave, as a mail quotes it. A token or secret that was typed as a name by
 * mistake is cut out: the mail would be refused.
 */
export function quoteName(name: string): string {
  return `"${name.replaceAll(/(sk_live_|whsec_)\S*/g, '…')}"`;
}
