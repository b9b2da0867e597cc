/**
 * A report may quote what a page showed, but without tokens, secrets, links, recovery codes and
 * keys of authenticator apps.
 */
export function redact(text: string): string {
  return text
    .replace(/(sk_live|whsec)_[0-9A-Za-z+/=]{8,}/g, '$1_[redacted]')
    .replace(/#[\w-]{43}(?![\w-])/g, '#[redacted]')
    .replace(/otpauth:[^\s"]+/g, 'otpauth:[redacted]')
    .replace(/(?<!\w)(?:[A-Z2-7]{4} ?){7}[A-Z2-7]{4}(?!\w)/g, '[redacted]')
    .replace(/(?<![\w-])(?:[a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}(?![\w-])/g, '[redacted]');
}
