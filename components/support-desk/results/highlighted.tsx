/** A text, in which the part that was searched for is marked. */
export function Highlighted({ text, search }: { text: string; search: string }) {
  const at = text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0 || search === '') return text;
  const end = at + search.length;
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-1 bg-accent-soft text-inherit">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
