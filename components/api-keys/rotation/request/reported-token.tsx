import { ExactTime } from '#components/ui/data-display/time.tsx';
import {
  lastToExpire,
  olderTokens,
  type OlderToken,
} from '#components/shell/states/older-tokens.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { MaskedToken } from '../../masked-token.tsx';

/**
 * The token that keeps a report of a leak open although the key was rotated since: the one that
 * existed when the leak was reported and works the longest. Null if there is none.
 */
export function findReportedToken(
  apiKey: ApiKey,
  { request, now }: { request: RotationRequest; now: Date },
): OlderToken | null {
  const reportedAt = Date.parse(request.created_at);
  const existed = ({ created_at: at }: { created_at: string }) => Date.parse(at) <= reportedAt;
  const [newest] = apiKey.tokens;
  if (request.reason !== 'leaked' || newest === undefined || existed(newest)) return null;
  return lastToExpire(olderTokens(apiKey, now).filter(existed)) ?? null;
}

/** "Bob rotated the key, but …abcd still works until 24 Nov 2026, 12:28 CET." */
export function ReportedToken({ apiKey, token }: { apiKey: ApiKey; token: OlderToken }) {
  return (
    <>
      {apiKey.tokens[0]?.created_by.name} rotated the key, but{' '}
      <MaskedToken lastFour={token.last_four} form="short" /> still works until{' '}
      <ExactTime value={token.valid_until} />.
    </>
  );
}
