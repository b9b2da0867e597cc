/** One spelling for each email: nobody gets more tries by writing it in another way. */
export function emailLimitKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
