/** One spelling for each e-mail: nobody gets more tries by writing it in another way. */
export function countedEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
