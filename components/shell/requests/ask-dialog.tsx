import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { useToast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { type RadioCard, RadioCards } from '#components/ui/inputs/radio-cards.tsx';
import { SearchSelect } from '#components/ui/inputs/select/search-select.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import type { ActionResult } from '#lib/actions/action-result.ts';
import type { RotationReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest, Rotator } from '#lib/contract/api-keys/rotation-requests.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import { type DialogClosing, type FailureTexts, FormDialog } from '../actions/action-dialogs.tsx';
import type { FieldErrors } from '../form/group-errors-by-field.ts';
import { useForm } from '../form/use-form.ts';
import { ReadFailure } from '../page/read-failure.tsx';
import { describeAskedMember } from './describe-asked-member.ts';

export type AskTexts = {
  confirm: string;
  sentence: string;
  failure: FailureTexts;
};

/** What the person filled in. */
export type Asked = { member: string; reason: RotationReason | null; note?: string };

type AskDialogProps = DialogClosing & {
  title: string;
  texts: AskTexts;
  facts: readonly Fact[];
  members: UseQueryResult<Rotator[]>;
  membersHelp: string;
  initial: { member: { id: string; name: string } | null; reason: RotationReason | null };
  /** The reasons to choose from; undefined if there is no choice. */
  reasons?: readonly RadioCard<RotationReason>[] | undefined;
  send: (asked: Asked) => Promise<ActionResult<{ data: RotationRequest }>>;
  /** Notes below the fields. */
  children: ReactNode;
  /** Called when the key or webhook must be read again: it has an open request, or has ended. */
  onStale: () => void;
  onAsked: (request: RotationRequest) => void;
};

/** The dialog to ask another member for an act on a key or a webhook. */
export function AskDialog({
  title,
  texts,
  facts,
  members,
  membersHelp,
  initial,
  reasons,
  send,
  children,
  onStale,
  onAsked,
  ...dialog
}: AskDialogProps) {
  const toast = useToast();
  const form = useForm<Draft, { data: RotationRequest }>({
    initial: {
      member: initial.member ?? { id: '', name: '' },
      reason: initial.reason,
      note: '',
    },
    validate: (draft) => findMissing(draft, reasons !== undefined),
    send: ({ member, reason, note }) =>
      send({ member: member.id, reason, ...(note.trim() !== '' && { note }) }),
    onDone: ({ data: request }) => {
      // The dialog that follows the leak of a token says it itself, and a toast would cover its
      // buttons.
      if (request.act !== 'rotate' || request.reason !== 'leaked') {
        toast(describeAskedMember(request));
      }
      onAsked(request);
    },
    onFailure: (failure, show) => {
      show(failure);
      if (failure.details?.['api_key'] ?? failure.details?.['webhook']) onStale();
    },
  });
  const { values, change, errors } = form;

  return (
    <FormDialog
      title={title}
      sentence={texts.sentence}
      form={form}
      buttons={{ confirm: texts.confirm }}
      failure={texts.failure}
      {...dialog}
    >
      <Facts facts={facts} />
      <MemberField
        read={members}
        help={membersHelp}
        value={values.member.id}
        error={errors.member}
        onChange={(id, name) => change({ member: { id, name } })}
      />
      {reasons && (
        <RadioCards
          legend="Reason"
          name="reason"
          cards={reasons}
          value={values.reason}
          error={errors.reason}
          onChange={(chosen) => change({ reason: chosen })}
        />
      )}
      <Field label="Note" optional error={errors.note}>
        <TextArea
          value={values.note}
          maxLength={500}
          onChange={(event) => change({ note: event.target.value })}
        />
      </Field>
      {children}
    </FormDialog>
  );
}

type Draft = {
  member: { id: string; name: string };
  reason: RotationReason | null;
  note: string;
};

function findMissing({ member, reason }: Draft, choosesReason: boolean) {
  return {
    ...(member.id === '' && { member: 'Choose whom to ask.' }),
    ...(choosesReason && reason === null && { reason: 'Choose a reason.' }),
  } satisfies FieldErrors<keyof Draft>;
}

type MemberFieldProps = {
  read: UseQueryResult<Rotator[]>;
  help: string;
  value: string;
  onChange: (member: string, name: string) => void;
  error: string | undefined;
};

function MemberField({ read, help, value, onChange, error }: MemberFieldProps) {
  const { data: members } = read;
  const only = members?.length === 1 ? members[0] : undefined;
  const chooseOnly = useEffectEvent(() => only && onChange(only.id, only.name));
  const onlyId = only?.id;
  useEffect(() => {
    if (onlyId !== undefined) chooseOnly();
  }, [onlyId]);
  if (read.error && members === undefined) {
    return <ReadFailure isLocal what="The members you can ask" noun="members" read={read} />;
  }
  const options = (members ?? []).map(({ id, name, email, role }) => ({
    value: id,
    label: name,
    detail: `${roleTable[role].label}, ${email}`,
  }));
  return (
    <Field label="Ask" help={help} error={error}>
      <SearchSelect
        label="Members"
        placeholder="Find a member"
        options={options}
        isLoading={read.isPending}
        value={value}
        onChange={(id) => onChange(id, options.find((one) => one.value === id)?.label ?? '')}
      />
    </Field>
  );
}
