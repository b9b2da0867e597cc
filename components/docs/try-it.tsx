'use client';

import { Play } from 'lucide-react';
import { type FormEvent, useId, useRef, useState, useTransition } from 'react';
import { RequestId } from '#components/shell/feedback/request-id.tsx';
import { groupErrorsByField } from '#components/shell/form/group-errors-by-field.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { TextArea } from '#components/ui/inputs/text-area.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { TriedOperation } from '#lib/docs/trial.ts';
import { parseJson } from '#lib/parse-json.ts';
import { ResponseSample } from './code-sample.tsx';
import {
  type Answer,
  type TriedInput,
  describeErrors,
  inputOf,
  readOperation,
} from './tried-operation.ts';

type TryItProps = {
  operation: TriedOperation;
  /** Of the person who is signed in. Their account is the one in which the operation runs. */
  session: Session;
};

/**
 * Runs an operation in the account of the person who is signed in, with their rights. A
 * change runs only after they confirm it in a dialog that names the account.
 */
export function TryIt({ operation, session }: TryItProps) {
  const { method, parameters, body } = operation;
  const { account, person } = session;
  const isRead = method === 'GET';
  const id = useId();
  const runButton = useRef<HTMLButtonElement>(null);
  const [values, setValues] = useState<Record<string, string>>({});
  const [json, setJson] = useState(body ?? '');
  const [isJson, setIsJson] = useState(true);
  const [asked, setAsked] = useState<TriedInput | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isReading, startReading] = useTransition();
  const { errors, rest } = groupErrorsByField(
    answer?.details ?? {},
    parameters.map(({ name }) => name),
  );

  function run(event: FormEvent) {
    event.preventDefault();
    if (isReading) return;
    const input = inputOf(parameters, values);
    if (isRead) {
      startReading(async () => setAnswer(await readOperation(account.id, operation.name, input)));
      return;
    }
    const parsed = body === null ? null : parseJson(json);
    setAnswer(null);
    setIsJson(parsed !== undefined);
    if (parsed !== undefined) setAsked({ ...input, ...(body !== null && { body: parsed }) });
  }

  return (
    <section aria-labelledby={id} className="rounded-3 border border-line p-4 print:hidden">
      <h2 id={id} className="text-heading">
        Try it
      </h2>
      <p className="mt-1 text-small text-pretty text-ink-2">
        {isRead ? 'Reads' : 'Runs'} in {account.name} as {person.name}, with your own rights. No
        token is needed.
      </p>
      <form onSubmit={run} className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3">
        {parameters.map(({ part, name }) => (
          <Field
            key={name}
            label={<Code>{name}</Code>}
            optional={part === 'query'}
            error={errors[name]}
          >
            <Input
              mono
              required={part === 'params'}
              autoComplete="off"
              spellCheck={false}
              value={values[name] ?? ''}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          </Field>
        ))}
        {body !== null && (
          <Field label="Body" error={isJson ? describeErrors(rest) : 'This is not valid JSON.'}>
            <TextArea
              translate="no"
              spellCheck={false}
              className="max-h-80 font-mono sm:text-code"
              value={json}
              onChange={(event) => setJson(event.target.value)}
            />
          </Field>
        )}
        <Button
          ref={runButton}
          type="submit"
          size="small"
          icon={<Play />}
          pending={isReading}
          className="w-fit"
        >
          Run
        </Button>
      </form>
      {!isRead && (
        <RunDialog
          shouldLoad={asked !== null}
          asked={asked}
          operation={operation}
          session={session}
          onClose={() => setAsked(null)}
          onAnswer={(got) => {
            setAsked(null);
            setAnswer(got);
          }}
          finalFocus={runButton}
        />
      )}
      <div role="status" className="not-empty:mt-4">
        {answer && (
          <>
            <ResponseSample
              title="Response"
              status={answer.status}
              body={answer.body}
              note={`${answer.ms} ms, as ${person.name}`}
            />
            {answer.requestId !== undefined && (
              <p className="mt-1.5 text-micro wrap-anywhere text-ink-3">
                <RequestId id={answer.requestId} />
              </p>
            )}
          </>
        )}
      </div>
    </section>
  );
}

const RunDialog = lazyComponent(async () => (await import('./run-dialog.tsx')).RunDialog);
