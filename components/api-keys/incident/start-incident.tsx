'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { FormDialog } from '#components/shell/actions/action-dialogs.tsx';
import { FailedActionPanel } from '#components/shell/actions/failed-action-panel.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import {
  GracePeriodField,
  labelGrace,
} from '#components/shell/grace-period/grace-period-field.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { previewIncident, startIncident } from '#lib/actions/api-keys.ts';
import {
  incidentConfirmation,
  type IncidentAct,
} from '#lib/contract/api-keys/incidents/incident-words.ts';
import type {
  IncidentKey,
  IncidentKeyFilters,
} from '#lib/contract/api-keys/incidents/incident-keys.ts';
import { offerGrace } from '#lib/contract/fields/grace-period.ts';
import type { PreviewIncidentInput } from '#lib/contract/api-keys/incidents/incident-preview.ts';
import { countOf } from '#lib/count.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { readsAbout } from '#lib/queries/stale-reads.ts';

import { incidentPath } from '../api-key-path.ts';
import { describeEffect } from './describe-incident.ts';
import { IncidentImpact, IncidentImpactSkeleton } from './incident-impact.tsx';

type StartIncidentProps = {
  act: IncidentAct;
  keys: readonly Pick<IncidentKey, 'uuid'>[];
  /** The filters by which the keys were chosen. */
  choice: IncidentKeyFilters;
  /** The settings of the earlier incident, if these are keys that failed in it. */
  earlier?: { grace: number; reason: string } | undefined;
  accountId: string;
  finalFocus: FocusTarget;
  /** Called when the keys must be read again. */
  onStale: () => void;
  onClose: () => void;
};

/** Shows what would end, asks for a reason and a typed confirmation, and starts the incident. */
export function StartIncident(props: StartIncidentProps) {
  const { act, choice, earlier, accountId, finalFocus, onStale, onClose } = props;
  // As they were when the dialog opened, so that the incident covers exactly the keys that the
  // person saw.
  const [keys] = useState(() => props.keys.map(({ uuid }) => uuid));
  const { choices, selected } = offerGrace({ preferred: earlier?.grace ?? 0, mayEndTokens: true });
  const [gracePeriod, setGracePeriod] = useState(selected);
  const [reason, setReason] = useState(earlier?.reason ?? '');
  const { run, ...action } = useAction();
  const client = useQueryClient();
  const { goTo } = useNavigation();
  const fullPath = useFullPath();
  const asked: PreviewIncidentInput = {
    act,
    keys,
    ...(act === 'rotate' && { grace_period_seconds: gracePeriod }),
  };
  const { value, failedAction } = useLatestResult({
    key: `${act} ${gracePeriod}`,
    call: () => previewIncident({ body: asked }),
  });
  const words = incidentConfirmation(act, keys.length);
  const isOne = keys.length === 1;
  const verb = act === 'rotate' ? 'Rotate' : 'Revoke';
  const reasonError = action.failure?.details?.['reason']?.join(' ');

  function start() {
    run(() => startIncident({ body: { ...asked, reason, choice, confirmation: words } }), {
      onDone: ({ data: incident }) => {
        client.setQueryData(
          routeQuery(accountId, 'getIncident', { params: { incident: incident.uuid } }).queryKey,
          incident,
        );
        void client.invalidateQueries(readsAbout('incidents', accountId));
        goTo(fullPath(incidentPath(incident)));
      },
      onFailure: (failure, show) => {
        show(failure);
        onStale();
      },
    });
  }

  return (
    <FormDialog
      title={`${verb} ${countOf(keys.length, 'key')}`}
      sentence={describeEffect(act, keys.length)}
      form={{ ...action, ...(reasonError !== undefined && { failure: null }), onConfirm: start }}
      buttons={{
        tone: act === 'revoke' ? 'danger' : 'primary',
        disabledReason: disabledReasonOf({ isPreviewed: value !== null, reason }),
      }}
      typedWords={words}
      failure={{
        adviceIfUnknown:
          'It may have started: close this dialog and see whether the page says so, before you try again.',
      }}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      {act === 'rotate' && (
        <GracePeriodField
          legend={isOne ? 'The old token ends' : 'The old tokens end'}
          choices={labelGrace(choices)}
          value={gracePeriod}
          onChange={setGracePeriod}
          help={
            gracePeriod === 0
              ? 'Immediately, so that a leaked token no longer works.'
              : `Until then whoever has ${isOne ? 'the' : 'an'} old token can use it. Older tokens keep their current end times.`
          }
        />
      )}
      {value === null && failedAction === null && (
        <IncidentImpactSkeleton act={act} keyCount={keys.length} />
      )}
      {value && <IncidentImpact act={act} preview={value.data} />}
      {failedAction && (
        <FailedActionPanel
          failedAction={failedAction}
          notDone="The preview could not be loaded"
          unknown="The preview could not be loaded"
        />
      )}
      <Field
        label="What happened"
        help={`Your team sees it with ${isOne ? 'the' : 'every'} key and in the audit log.`}
        error={reasonError}
      >
        <Input
          value={reason}
          maxLength={100}
          autoComplete="off"
          placeholder="Laptop of Robin stolen"
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </FormDialog>
  );
}

type Obstacles = { isPreviewed: boolean; reason: string };

function disabledReasonOf({ isPreviewed, reason }: Obstacles): string | undefined {
  if (!isPreviewed) return 'Wait until the preview has loaded.';
  return reason.trim() === '' ? 'Enter what happened first.' : undefined;
}
