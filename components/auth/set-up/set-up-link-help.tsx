/** Explains where to find the set-up link and how to get another. */
export function SetUpLinkHelp() {
  return (
    <ol className="grid list-none gap-2.5 text-ink-2">
      <Item number={1}>
        Open the terminal in which the service was started. It shows the set-up link below the
        address.
      </Item>
      <Item number={2}>Open it in this browser. It works once, for 60 minutes.</Item>
      <Item number={3}>
        Expired? Stop the service and start it again:{' '}
        <code translate="no" className="code">
          npm start
        </code>{' '}
        prints a new link.
      </Item>
    </ol>
  );
}

function Item({ number, children }: { number: number; children: React.ReactNode }) {
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2">
      <span aria-hidden className="text-ink-3">
        {number}.
      </span>
      <span className="text-pretty">{children}</span>
    </li>
  );
}
