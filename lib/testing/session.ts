import type { Session } from '../contract/people/sessions.ts';

/** The session of an owner. @param id of the person and of their account */
export const sessionOf = (id: string): Session => ({
  person: { id, name: 'Ida', email: 'ida@example.com' },
  account: {
    id,
    name: 'Shop',
    support: { tokens: 'within_role', payloads: false, error_texts: false },
    erased_at: null,
    second_factor_required_from: null,
  },
  role: 'owner',
  accounts: [],
  is_installation_support: false,
  needs_reason: false,
  visit: null,
  second_factor: { passkeys: 0, app: false, recovery_codes_left: 0 },
  lacks_second_factor: false,
  passkey_host: null,
  rotation_grace_seconds: 86_400,
  expires_at: '2027-01-31T12:00:00.000+00:00',
  proof_expires_at: '2027-01-31T12:00:00.000+00:00',
});
