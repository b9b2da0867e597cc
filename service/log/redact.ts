/** Fields that may contain a secret by mistake, at the top and one and two levels below. */
export const redactedPaths = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-dashboard-session',
  'pending-sign-in',
  'password',
  'current_password',
  'new_password',
  'passwordHash',
  'token',
  'session_token',
  'sessionToken',
  'device_token',
  'deviceToken',
  'set_up_token',
  'pending_token',
  'invitation_token',
  'reset_token',
  'confirm_token',
  'revoke_token',
  'challenge',
  'recovery_code',
  'recovery_codes',
  'recoveryCodes',
  'secret',
  'secretKey',
  'sealedSecret',
].flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** A second safeguard: whatever the field is called, these secrets are never logged in full. */
export function redactSecrets(line: string): string {
  return secretsOfPeople.reduce(
    (text, [secret, rest]) => text.replace(secret, rest),
    redactTokens(line),
  );
}

/** The same for tokens and signing secrets only. */
export function redactTokens(text: string): string {
  return text
    .replace(/(sk|prov)_live_[0-9A-Za-z]+/g, '$1_live_[redacted]')
    .replace(/whsec_[0-9A-Za-z+/=]+/g, 'whsec_[redacted]');
}

const secretsOfPeople: readonly (readonly [RegExp, string])[] = [
  // The token of a link, in the fragment of its URL.
  [/#[\w-]{43}(?![\w-])/g, '#[redacted]'],
  // An authenticator app: its URL, its key alone, and a code of it in JSON.
  [/otpauth:[^\s"\\]+/g, 'otpauth:[redacted]'],
  [/(?<![0-9A-Za-z+/=_-])[A-Z2-7]{32}(?![0-9A-Za-z+/=_-])/g, '[redacted]'],
  [/("code\\*":\\*")\d{3} ?\d{3}(?=\\*")/g, '$1[redacted]'],
  // A recovery code, or a password that an operator hands over.
  [/(?<![\w-])(?:[a-km-np-z2-9]{4}-){3,6}[a-km-np-z2-9]{4}(?![\w-])/g, '[redacted]'],
];
