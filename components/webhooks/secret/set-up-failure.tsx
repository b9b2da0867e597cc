'use client';
// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { SetUpFailureProps } from './stopped-set-up.tsx';
import type { SetUpStage } from './use-webhook-set-up.ts';

/** Says at which step a set-up stopped, with a button to go on. */
export function SetUpFailure(props: SetUpFailureProps) {
  const { name } = props.setUp.stage;
  return <Stopped shouldLoad={stopped.includes(name)} {...props} />;
}

const Stopped = lazyComponent(async () => (await import('./stopped-set-up.tsx')).StoppedSetUp);

const stopped: readonly SetUpStage['name'][] = ['just shown', 'no new secret', 'not active'];
