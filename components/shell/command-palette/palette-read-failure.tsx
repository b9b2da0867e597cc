import { ReadFailure, type Reading } from '../page/read-failure.tsx';

export type FailedPaletteRead = {
  /** What could not be read: "webhooks" */
  what: string;
  error: Error;
  reading: Reading;
};

/** Says once which of the searched data could not be read, and tries all of it again. */
export function PaletteReadFailure({ failed }: { failed: readonly FailedPaletteRead[] }) {
  const [first] = failed;
  if (first === undefined) return null;
  const what = failed.map((read) => read.what).join(' and ');
  return (
    <div className="px-4.5 pt-4">
      <ReadFailure
        isLocal
        what={`The ${what}`}
        noun={what}
        isShown={false}
        error={first.error}
        reading={{
          ...first.reading,
          isFetching: failed.some(({ reading }) => reading.isFetching),
          refetch: () => Promise.all(failed.map(({ reading }) => reading.refetch())),
        }}
      />
    </div>
  );
}
