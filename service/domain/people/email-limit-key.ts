/** One spelling for each email, so that nobody gets more attempts by spelling it differently. */
export function emailLimitKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
