'use client';

import { useQueryClient } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useRef, useState } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

import { inactiveReason } from '../webhook-conditions.ts';
import type { ReplayDialogProps } from './replay-dialog.tsx';
import { useFollowedReplay } from './use-followed-replay.ts';

type ReplayButtonProps = { webhook: Webhook; accountId: string; mayResume: boolean };

/** Opens the dialog that starts a replay. The page then shows its progress. */
export function ReplayButton({ webhook, accountId, mayResume }: ReplayButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const [, follow] = useFollowedReplay();
  return (
    <>
      <Button
        ref={button}
        icon={<History />}
        disabledReason={inactiveReason(webhook, mayResume)}
        onClick={() => setIsOpen(true)}
      >
        Replay a window
      </Button>
      <LazyReplayDialog
        shouldLoad={isOpen}
        isOpen={isOpen}
        webhook={webhook}
        finalFocus={button}
        onClose={() => setIsOpen(false)}
        onStarted={(replay) => {
          client.setQueryData(
            routeQuery(accountId, 'getReplay', { params: { replay: replay.uuid } }).queryKey,
            replay,
          );
          follow(replay.uuid);
          setIsOpen(false);
        }}
        onFollow={(uuid) => {
          follow(uuid);
          setIsOpen(false);
        }}
      />
    </>
  );
}

const LazyReplayDialog = lazyComponent<ReplayDialogProps & { isOpen: boolean }>(async () => {
  const { ReplayDialog } = await import('./replay-dialog.tsx');
  return ({ isOpen, ...props }) => isOpen && <ReplayDialog {...props} />;
});
