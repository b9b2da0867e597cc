/** What a person is called until they say so: the part of their email address that is theirs. */
export function nameFromEmail(email: string): string {
  return email.slice(0, email.lastIndexOf('@')).slice(0, 100);
}
