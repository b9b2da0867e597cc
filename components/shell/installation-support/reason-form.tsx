import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { openSupportVisit } from '#lib/actions/people/account.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { visitHours, visitReasonError } from '#lib/contract/people/visits.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { useForm } from '../form/use-form.ts';

type ReasonForm = ReturnType<typeof useReasonForm>;

/** The form in which installation support says why they open an account. */
export function useReasonForm(session: Session, { onDone }: { onDone?: () => void } = {}) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useForm({
    initial: { reason: '' },
    validate: ({ reason }) => {
      const error = visitReasonError(reason);
      return error === null ? {} : { reason: error };
    },
    send: (body) => openSupportVisit({ body }),
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: routeQuery(session, 'getSession').queryKey });
      router.refresh();
      onDone?.();
    },
  });
}

export function ReasonField({ form, accountName }: { form: ReasonForm; accountName: string }) {
  return (
    <Field
      label="Reason"
      help={`Members of ${accountName} can read it, and it stays in the audit log. You are not asked again for ${visitHours} hours, unless you sign out or end the visit.`}
      error={form.errors.reason}
    >
      <Input
        name="reason"
        placeholder="Ticket 4812: calls get a 401"
        autoComplete="off"
        required
        maxLength={500}
        value={form.values.reason}
        onChange={(event) => form.change({ reason: event.target.value })}
      />
    </Field>
  );
}
