import type { Passkey } from '#lib/contract/people/second-factors.ts';
import { formatApiTime } from '#lib/time.ts';
import type { PasskeyRow } from '../../store/second-factors.ts';

export function describePasskey(passkey: PasskeyRow): Passkey {
  return {
    uuid: passkey.uuid,
    name: passkey.name,
    is_synced: passkey.isSynced,
    created_at: formatApiTime(passkey.createdAt),
    last_used_at: passkey.lastUsedAt && formatApiTime(passkey.lastUsedAt),
  };
}
