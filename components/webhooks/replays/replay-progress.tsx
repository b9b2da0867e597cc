'use client';

import { lazyPart } from '#components/ui/lazy-part.ts';

import type { FollowedReplayProps } from './followed-replay.tsx';
import { useFollowedReplay } from './use-followed-replay.ts';

/** The replay that is followed, if one is. */
export function ReplayProgress(props: FollowedReplayProps) {
  const [uuid] = useFollowedReplay();
  return <Followed isWanted={uuid !== null} {...props} />;
}

const Followed = lazyPart(async () => (await import('./followed-replay.tsx')).FollowedReplay);
