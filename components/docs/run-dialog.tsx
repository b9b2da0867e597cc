import { useState } from 'react';
import { type DialogClosing, ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { IdentityProvider } from '#components/shell/identity/identity-provider.tsx';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { isOutcomeUnknown } from '#lib/actions/action-result.ts';
import type { GivenChange, TriedChange } from '#lib/actions/serve-change.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { TriedOperation } from '#lib/docs/trial.ts';
import { parseJson } from '#lib/parse-json.ts';
import { dataPath } from '#lib/paths/data-path.ts';
import { type Answer, type TriedInput, asText, msSince } from './tried-operation.ts';

type QuestionProps = DialogClosing & {
  operation: TriedOperation;
  session: Session;
  asked: TriedInput;
  onAnswer: (answer: Answer) => void;
};

type RunDialogProps = Omit<QuestionProps, 'asked'> & {
  /** The input with which to run the operation; null while nobody asked. */
  asked: TriedInput | null;
};

/** Asks whether to run an operation that may change something, and runs it like an action. */
export function RunDialog({ asked, ...props }: RunDialogProps) {
  return (
    <IdentityProvider session={props.session}>
      {asked && <Question asked={asked} {...props} />}
    </IdentityProvider>
  );
}

function Question({ operation, session, asked, onAnswer, ...closing }: QuestionProps) {
  const { title, method, isRepeatable } = operation;
  const { account, person } = session;
  const { run, ...action } = useAction();
  // One for each question, so that trying again after a lost response does nothing twice.
  const [idempotencyKey] = useState(() => crypto.randomUUID());

  function confirm() {
    let answer: Answer | undefined;
    run(
      async () => {
        const start = performance.now();
        const { result, response } = await send(account.id, operation.name, {
          person: person.id,
          input: { ...asked, ...(isRepeatable && { idempotencyKey }) },
        });
        answer = {
          ...response,
          body: asText(parseJson(response.text)),
          details: (!result.ok && result.details) || {},
          ms: msSince(start),
        };
        return result;
      },
      {
        onDone: () => answer && onAnswer(answer),
        onFailure: (failure, show) => {
          if (answer && !isOutcomeUnknown(failure)) onAnswer(answer);
          else show(failure);
        },
      },
    );
  }

  return (
    <ConfirmDialog
      {...closing}
      title={title}
      sentence={
        <>
          This acts on the real account <EmphasizedName>{account.name}</EmphasizedName> as{' '}
          {person.name}, and takes effect immediately.
        </>
      }
      buttons={{
        confirm: `Run in ${account.name}`,
        tone: method === 'DELETE' ? 'danger' : 'primary',
      }}
      failure={{
        notDone: 'The operation was not run',
        unknown: 'We could not confirm whether the operation was run',
        adviceIfUnknown: isRepeatable
          ? 'Trying again is safe.'
          : 'Check in the dashboard before you try again.',
      }}
      action={action}
      onConfirm={confirm}
    >
      <CodeBlock
        title="Request"
        code={describeRequest(operation, asked)}
        copyLabel="Copy request"
        className="[&_pre]:wrap-anywhere [&_pre]:whitespace-pre-wrap"
      />
    </ConfirmDialog>
  );
}

/** @throws Error without a result, as a server action does */
async function send(accountId: string, operation: string, given: GivenChange) {
  const response = await fetch(dataPath(accountId, operation, {}), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(given),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TriedChange;
}

function describeRequest({ method, path }: TriedOperation, { params, body }: TriedInput): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    encodeURIComponent(params?.[name] ?? whole),
  );
  return [`${method} ${filled}`, ...(body === undefined ? [] : ['', asText(body)])].join('\n');
}
