/**
 * Removes what nobody may read from the texts of an error.
 *
 * @param secrets more texts that the error must not contain
 */
export function redactError(error: object, secrets: readonly string[] = []): void {
  for (const [name, value] of Object.entries(error)) {
    if (typeof value === 'string') Object.assign(error, { [name]: redact(value, secrets) });
  }
}

/**
 * A report may quote what a page showed, but without tokens, secrets, session cookies, links,
 * recovery codes and keys of authenticator apps.
 */
function redact(given: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== '');
  const text = known.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), given);
  return text
    .replace(/(sk_live|prov_live|whsec)_[0-9A-Za-z+/=]{8,}/g, '$1_[redacted]')
    .replace(/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g, '[redacted]')
    .replace(/#[\w-]{43}(?![\w-])/g, '#[redacted]')
    .replace(/otpauth:[^\s"]+/g, 'otpauth:[redacted]')
    .replace(/(?<!\w)(?:[A-Z2-7]{4} ?){7}[A-Z2-7]{4}(?!\w)/g, '[redacted]')
    .replace(/(?<![\w-])(?:[a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}(?![\w-])/g, '[redacted]');
}
