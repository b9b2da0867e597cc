/** The default name of a person: the part of their email address before the host. */
export function nameFromEmail(email: string): string {
  return email.slice(0, email.lastIndexOf('@')).slice(0, 100);
}
