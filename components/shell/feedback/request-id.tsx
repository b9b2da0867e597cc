import { Code } from '#components/ui/data-display/code.tsx';

/** " Request ID 1f3a…": identifies the request in the log. Nothing without an ID. */
export function RequestId({ id }: { id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <>
      {' '}
      Request ID <Code>{id}</Code>
    </>
  );
}
