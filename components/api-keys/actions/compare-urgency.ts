import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

type Urgency = Pick<RotationRequest, 'reason' | 'expires_at'>;

/** Compares open rotation requests: reports of a leak come first, then what expires sooner. */
export function compareUrgency(a: Urgency, b: Urgency): number {
  const byLeak = Number(b.reason === 'leaked') - Number(a.reason === 'leaked');
  return byLeak || Date.parse(a.expires_at) - Date.parse(b.expires_at);
}
