import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { apiKeyPath } from '../api-key-path.ts';

/** The path of the page of the key or webhook that a request is about. */
export function targetPath({ act, target }: Pick<RotationRequest, 'act' | 'target'>): string {
  return act === 'rotate' ? apiKeyPath(target) : webhookPath(target);
}

/** The path of the webhook's page. */
export function webhookPath({ uuid }: { uuid: string }): string {
  return `settings/webhooks/${uuid}`;
}
