import { useQuery } from '@tanstack/react-query';
import { AskDialog, type AskTexts } from '#components/shell/requests/ask-dialog.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import type { DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { requestWebhookAct } from '#lib/actions/rotation-requests.ts';
import {
  type RotationReason,
  rotationReasons,
  describeRequestReason,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { mayAct } from '#lib/contract/rights/roles.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

export type AskedWebhookAct = 'regenerate_secret' | 'resume';

type AskAboutWebhookProps = DialogClosing & {
  webhook: Webhook;
  act: AskedWebhookAct;
  accountId: string;
  /** Called when the webhook and its requests must be read again. */
  onStale: () => void;
  onAsked: () => void;
};

/** The dialog to ask an owner or an admin for a new signing secret, or to resume the webhook. */
export function AskAboutWebhook({ webhook, act, accountId, ...rest }: AskAboutWebhookProps) {
  const isResumption = act === 'resume';
  const members = useQuery({
    ...routeQuery(accountId, 'listMembers'),
    // The members may have changed since the dialog was last open.
    staleTime: 0,
    select: (all) => all.filter(({ role }) => mayAct(role, 'webhooks.update')),
  });
  return (
    <AskDialog
      texts={texts[act]}
      title={
        isResumption ? `Ask to resume ${webhook.name}` : `Ask for a new secret of ${webhook.name}`
      }
      facts={[]}
      members={members}
      membersHelp="Owners and admins of the account."
      initial={{ member: null, reason: null }}
      reasons={isResumption ? undefined : reasons}
      send={({ reason, ...asked }) =>
        requestWebhookAct({
          params: { webhook: webhook.uuid },
          body: { ...asked, act, ...(reason && { reason }) },
        })
      }
      {...rest}
    >
      <Note>
        {isResumption ? (
          <>
            <strong>Nothing is sent until the webhook is resumed.</strong> The request expires after
            72 hours.
          </>
        ) : (
          <>
            <strong>Nothing changes until an owner or an admin regenerates the secret.</strong> They
            are shown the new one and choose when the current one ends. The request expires after 72
            hours.
          </>
        )}
      </Note>
    </AskDialog>
  );
}

const texts: Record<AskedWebhookAct, AskTexts> = {
  regenerate_secret: {
    confirm: 'Ask for a new secret',
    sentence: 'Ask an owner or an admin to regenerate the signing secret.',
    failure: {
      notDone: 'Your request for a new secret was not sent',
      unknown: 'We could not confirm whether your request for a new secret was sent',
      adviceIfUnknown: 'Trying again is safe.',
    },
  },
  resume: {
    confirm: 'Ask to resume',
    sentence:
      'Ask an owner or an admin to resume the webhook, so that events are sent to it again.',
    failure: {
      notDone: 'Your request to resume the webhook was not sent',
      unknown: 'We could not confirm whether your request to resume the webhook was sent',
      adviceIfUnknown: 'Trying again is safe.',
    },
  },
};

const descriptions: Record<RotationReason, string> = {
  leaked: 'All owners and admins get an email. The secret signs until one of them ends it.',
  lost: 'The receiver cannot verify deliveries.',
  left: 'They should no longer be able to sign with it.',
  scheduled: 'Nothing is wrong with it.',
};

const reasons = rotationReasons.map((value) => ({
  value,
  label: describeRequestReason({ act: 'regenerate_secret', reason: value }),
  description: descriptions[value],
}));
