/** What Next passes to an `error.tsx`, and that to the page that it shows. */
export type ErrorPageProps = { error: unknown; retry: () => void };
