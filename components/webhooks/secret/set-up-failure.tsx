// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import type { StoppedSetUpProps } from './stopped-set-up.tsx';
import type { SetUpStage } from './use-webhook-set-up.ts';

type SetUpFailureProps = StoppedSetUpProps & {
  /** The webhooks on this page as they were read last. */
  webhooks?: readonly Webhook[] | undefined;
};

/**
 * Shows at which step a set-up stopped, with a button to go on; nothing once the webhook is active,
 * because then someone finished the set-up, and the button would replace a secret in use.
 */
export function SetUpFailure({ webhooks, ...props }: SetUpFailureProps) {
  const { stage } = props.setUp;
  const isFinished =
    'webhook' in stage &&
    webhooks?.some(({ uuid, is_active: isActive }) => isActive && uuid === stage.webhook.uuid);
  return isFinished ? null : <Stopped shouldLoad={stopped.includes(stage.name)} {...props} />;
}

const Stopped = lazyComponent(async () => (await import('./stopped-set-up.tsx')).StoppedSetUp);

const stopped: readonly SetUpStage['name'][] = ['just-shown', 'no-new-secret', 'not-active'];
