'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { SetUpFailureProps } from './stopped-set-up.tsx';

/** Says at which step a set-up stopped, with a button to try again. */
export function SetUpFailure(props: SetUpFailureProps) {
  const { name } = props.setUp.stage;
  return <Stopped shouldLoad={name === 'no new secret' || name === 'not active'} {...props} />;
}

const Stopped = lazyComponent(async () => (await import('./stopped-set-up.tsx')).StoppedSetUp);
