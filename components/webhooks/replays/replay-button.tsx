'use client';

import { useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useRef, useState } from 'react';

import { Button } from '#components/ui/button.tsx';
import { lazyPart } from '#components/ui/lazy-part.ts';
import type { Webhook } from '#lib/contract/webhooks.ts';
import { replayQuery } from '#lib/queries/replays.ts';

import type { ReplayWindowProps } from './replay-window.tsx';
import { useFollowedReplay } from './use-followed-replay.ts';

type ReplayButtonProps = { webhook: Webhook; accountId: string };

/** Opens the question which window is to be sent again; what begins then is followed on the page. */
export function ReplayButton({ webhook, accountId }: ReplayButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const [, follow] = useFollowedReplay();
  return (
    <>
      <Button
        ref={button}
        icon={<History />}
        size="small"
        refused={
          webhook.is_active
            ? undefined
            : 'It is inactive, so nothing is sent to it. Resume it first.'
        }
        onClick={() => setAsking(true)}
      >
        Replay a window
      </Button>
      <Question
        isWanted={isAsking}
        isAsking={isAsking}
        webhook={webhook}
        finalFocus={button}
        onClose={() => setAsking(false)}
        onBegun={(replay) => {
          client.setQueryData(replayQuery(accountId, replay.uuid).queryKey, replay);
          follow(replay.uuid);
          setAsking(false);
        }}
        onFollow={(uuid) => {
          follow(uuid);
          setAsking(false);
        }}
      />
    </>
  );
}

const Question = lazyPart<ReplayWindowProps & { isAsking: boolean }>(async () => {
  const { ReplayWindow } = await import('./replay-window.tsx');
  return ({ isAsking, ...props }) => isAsking && <ReplayWindow {...props} />;
});
