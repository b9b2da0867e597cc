'use client';

import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import { dataPath } from '#lib/paths/data-path.ts';
import { fetchData } from '#lib/queries/read.ts';
import { ResponseSample } from './code-sample.tsx';

/** A parameter of an operation, in its path or its query. */
export type TriedParameter = { part: 'params' | 'query'; name: string };

type TryItProps = {
  /** The name of an operation that only reads. */
  operation: string;
  parameters: readonly TriedParameter[];
  account: { id: string; name: string };
  /** Who is signed in. */
  person: string;
};

type Answer = { status: number; body: string; note: string };

/** Reads an operation in the account of the person who is signed in, with their rights. */
export function TryIt({ operation, parameters, account, person }: TryItProps) {
  const id = useId();
  const [values, setValues] = useState<Record<string, string>>({});
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => read({ operation, parameters, values, accountId: account.id, person }),
  });

  function run(event: FormEvent) {
    event.preventDefault();
    if (!isPending) mutate();
  }

  return (
    <section aria-labelledby={id} className="rounded-3 border border-line p-4">
      <h2 id={id} className="text-heading">
        Try it
      </h2>
      <p className="mt-1 text-small text-pretty text-ink-2">
        Reads in {account.name} as {person}, with your own rights. No token is needed.
      </p>
      <form onSubmit={run} className="mt-3 grid gap-3">
        {parameters.map(({ part, name }) => (
          <Field key={name} label={<Code>{name}</Code>} optional={part === 'query'}>
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
        <Button type="submit" size="small" icon={<Play />} pending={isPending} className="w-fit">
          Run
        </Button>
      </form>
      <div role="status" className="not-empty:mt-4">
        {data && <ResponseSample title="Response" {...data} />}
      </div>
    </section>
  );
}

async function read(call: {
  operation: string;
  parameters: readonly TriedParameter[];
  values: Readonly<Record<string, string>>;
  accountId: string;
  person: string;
}): Promise<Answer> {
  const { operation, parameters, values, accountId, person } = call;
  const of = (part: TriedParameter['part']) =>
    Object.fromEntries(
      parameters
        .filter((one) => one.part === part && (values[one.name] ?? '') !== '')
        .map(({ name }) => [name, values[name] ?? '']),
    );
  const address = dataPath(accountId, operation, { params: of('params'), query: of('query') });
  const start = performance.now();
  const noteOf = () => `${Math.round(performance.now() - start)} ms, as ${person}`;
  try {
    const body = await fetchData(address, new AbortController().signal);
    return { status: 200, body: JSON.stringify(body, null, 2), note: noteOf() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, details } = error;
    const body = { success: false, error: { code, message, ...(details && { details }) } };
    return { status, body: JSON.stringify(body, null, 2), note: noteOf() };
  }
}
