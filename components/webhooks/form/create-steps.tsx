/** Explains what happens after the form is submitted. */
export function CreateSteps() {
  return (
    <aside
      aria-labelledby="create-steps"
      className="self-start border-line text-small text-ink-2 @min-[52rem]:border-l @min-[52rem]:pl-6"
    >
      <h2 id="create-steps" className="mb-3 text-body font-medium text-ink">
        What comes next
      </h2>
      <ol className="grid list-none gap-2.5">
        <Step number={1}>Its signing secret is shown once.</Step>
        <Step number={2}>Store it where your server can read it, to verify each request.</Step>
        <Step number={3}>Press Done to activate the webhook. Until then it is inactive.</Step>
      </ol>
    </aside>
  );
}

function Step({ number, children }: { number: number; children: string }) {
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2">
      <span aria-hidden className="text-ink-3">
        {number}
      </span>
      <span className="text-pretty">{children}</span>
    </li>
  );
}
