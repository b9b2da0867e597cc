'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { FollowedReplayProps } from './followed-replay.tsx';
import { useFollowedReplay } from './use-followed-replay.ts';

/** The progress of the replay in the URL, if there is one. */
export function ReplayProgress(props: FollowedReplayProps) {
  const [uuid] = useFollowedReplay();
  return <Followed shouldLoad={uuid !== null} {...props} />;
}

const Followed = lazyComponent(async () => (await import('./followed-replay.tsx')).FollowedReplay);
