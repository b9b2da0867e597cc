/**
 * The form of an email address: that of the HTML standard, which browsers check too. Forms of the
 * dashboard check it as well, and do not load zod.
 */
export const emailPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** The address with its domain in ASCII, as mail servers name it: `münchen` as `xn--mnchen-3ya`. */
export function withAsciiDomain(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  // Only letters of other scripts: whatever else a URL may have stays, and the pattern refuses it.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || /^[a-z0-9.-]*$/i.test(domain)) return email;
  return email.slice(0, at) + asciiHost(domain);
}

function asciiHost(host: string): string {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return host;
  }
}
