/** The path of a page that begins with this email address in its form. */
export function withEmail(path: '/sign-in' | '/forgot-password', email: string): string {
  const typed = email.trim();
  return typed === '' ? path : `${path}?email=${encodeURIComponent(typed)}`;
}
