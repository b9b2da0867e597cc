import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { apiKeyPath } from '../api-key-path.ts';

export function targetPath({ act, target }: Pick<RotationRequest, 'act' | 'target'>): string {
  return act === 'rotate' ? apiKeyPath(target) : webhookPath(target);
}

export function webhookPath({ uuid }: { uuid: string }): string {
  return `settings/webhooks/${uuid}`;
}
