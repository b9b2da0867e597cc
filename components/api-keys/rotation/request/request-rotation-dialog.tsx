import { useQuery } from '@tanstack/react-query';
import { AskDialog } from '#components/shell/requests/ask-dialog.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import type { DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { requestRotation } from '#lib/actions/rotation-requests.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import {
  type RotationReason,
  rotationReasons,
  describeRequestReason,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { purposeFacts } from '../../purpose-facts.tsx';

type RequestRotationDialogProps = DialogClosing & {
  apiKey: ApiKey;
  accountId: string;
  /** Reports that the token leaked, so there is no other reason to choose. */
  isLeakReport?: boolean;
  /** The person's own open request, which the report of a leak replaces. */
  replaced?: RotationRequest | null;
  /** Called when the key must be read again: it has an open request already, or it has ended. */
  onStale: () => void;
  onRequested: (request: RotationRequest) => void;
};

export function RequestRotationDialog({
  apiKey,
  accountId,
  isLeakReport = false,
  replaced = null,
  onRequested,
  ...rest
}: RequestRotationDialogProps) {
  const members = useQuery({
    ...routeQuery(accountId, 'listRotators', { params: { apiKey: apiKey.uuid } }),
    // The members may have changed since the dialog was last open.
    staleTime: 0,
  });
  const texts = isLeakReport ? leakReportTexts : requestTexts;
  return (
    <AskDialog
      texts={texts}
      title={`${texts.confirm} of ${apiKey.name}`}
      facts={purposeFacts(apiKey)}
      members={members}
      membersHelp="Members who may see this key’s new token."
      initial={{ member: replaced?.member ?? null, reason: isLeakReport ? 'leaked' : null }}
      reasons={isLeakReport ? undefined : reasons}
      send={({ reason, ...asked }) => {
        if (reason === null) throw new Error('A request without a reason was sent.');
        return requestRotation({ params: { apiKey: apiKey.uuid }, body: { ...asked, reason } });
      }}
      onAsked={onRequested}
      {...rest}
    >
      {replaced !== null && (
        <Note>
          <strong>This replaces your open request to {replaced.member.name}.</strong> Its reason
          was: {describeRequestReason(replaced)}.
        </Note>
      )}
      <Note>
        <strong>Nothing changes until the key is rotated.</strong> The current tokens keep working,
        and the {isLeakReport ? 'report' : 'request'} expires after 72 hours.
        {isLeakReport && ' All owners and admins get an email.'}
      </Note>
    </AskDialog>
  );
}

const requestTexts = {
  confirm: 'Request rotation',
  sentence: 'Ask a member who can see the new token to rotate the key.',
  failure: {
    notDone: 'The rotation was not requested',
    unknown: 'We could not confirm whether the rotation was requested',
    adviceIfUnknown: 'Trying again is safe.',
  },
};

const leakReportTexts = {
  confirm: 'Report leak',
  sentence: 'Ask a member to rotate the key now. You can then also revoke it yourself.',
  failure: {
    notDone: 'The leak was not reported',
    unknown: 'We could not confirm whether the leak was reported',
    adviceIfUnknown: 'Reporting it again is safe.',
  },
};

const descriptions: Record<RotationReason, string> = {
  leaked:
    'All owners and admins get an email. If it must stop now, ask one of them to revoke the key.',
  lost: 'No one knows where it is stored.',
  left: 'They should no longer be able to use it.',
  scheduled: 'Nothing is wrong with it.',
};

const reasons = rotationReasons.map((value) => ({
  value,
  label: describeRequestReason({ act: 'rotate', reason: value }),
  description: descriptions[value],
}));
