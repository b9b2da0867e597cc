/** The path of a page whose form starts with this email address. */
export function pathWithEmail(path: '/sign-in' | '/forgot-password', email: string): string {
  const typed = email.trim();
  return typed === '' ? path : `${path}?email=${encodeURIComponent(typed)}`;
}
